/** Everyday tasks of three exchanges, with the calls that a model typically makes for them. */

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>]
/** The calls of one turn, or a function of the previous result. */
type Turn = readonly Call[] | ((result: string) => readonly Call[])

export interface Exchange {
  readonly question: string
  readonly turns: readonly Turn[]
}

export type Kind = 'database' | 'documents' | 'mailbox' | 'MCP server' | 'web' | 'irreversible action'

const query = (sql: string): Turn => [['query', { sql }]]
const calculate = (...expressions: readonly string[]): Turn => [['calculate', { expressions }]]
const documents = (words: string): Turn => [['search_documents', { query: words }]]
const pages = (document: string): Turn => [['read_document', { document }]]
const mails = (words: string): Turn => [['search_messages', { query: words }]]
/** Reads the first mail of the previous search. */
const mail: Turn = (result) => [['get_message_by_id', { id: idIn(result) }]]
const list = (folder: string): Turn => [['mcp_files_list_files', { folder }]]
const directory = (path: string): Turn => [['mcp_files_list_directory', { path }]]
const find = (word: string): Turn => [['mcp_files_search_files', { word }]]
const read = (...paths: readonly string[]): Turn => paths.map((path): Call => ['mcp_files_read_file', { path }])
const web = (...searches: readonly string[]): Turn => searches.map((words): Call => ['web_search', { query: words }])
const page: Turn = [['fetch_url', { url: 'http://roasters.example/harvest' }]]
const send = (to: string, subject: string, body: string): Turn => [['send_email', { to: [to], subject, body }]]
const reply = (body: string): Turn => {
  return (result) => [['reply_to_message', { id: idIn(result), body }]]
}
const write = (path: string, body: string): Turn => [['mcp_files_write_file', { path, body }]]

function idIn(result: string): string {
  return /^Id: (.+)$/m.exec(result)![1]!
}

const salesOf = (month: string): string =>
  `SELECT sum(line_total) AS sales FROM order_lines JOIN orders USING (order_id) WHERE order_date LIKE '${month}-%'`

type Said = readonly [question: string, ...turns: Turn[]]
type Task = readonly [Said, Said, Said]

const TASKS: Readonly<Record<Kind, readonly Task[]>> = {
  database: [
    [
      ['How many customers do we have?', query('SELECT count(*) AS customers FROM customers')],
      ['And by country?', query('SELECT country, count(*) AS n FROM customers GROUP BY country')],
      ['Who looks after those in Ireland?', query("SELECT company_name FROM customers WHERE country = 'Ireland'")],
    ],
    [
      ['What did we sell in September 2026?', query(salesOf('2026-09'))],
      ['And in August?', query(salesOf('2026-08'))],
      ['How much more is that in percent?', calculate('(61000 - 58000) / 58000 * 100')],
    ],
    [
      ['Which products are almost out of stock?', query('SELECT * FROM products WHERE units_in_stock < reorder_level')],
      ['Who delivers them?', query('SELECT company_name, lead_time_days FROM suppliers ORDER BY lead_time_days')],
      ['And what did we order lately?', query('SELECT * FROM purchase_orders ORDER BY order_date DESC LIMIT 5')],
    ],
    [
      ['Which invoices are open?', query('SELECT * FROM invoices LIMIT 10'), query('SELECT count(*) FROM invoices')],
      ['What is in the payments?', query('SELECT * FROM payments LIMIT 5')],
      ['Thanks!'],
    ],
    [
      [
        'Is Sterora Software a customer?',
        [['find_values', { text: 'Sterora Software' }]],
        query("SELECT * FROM customers WHERE company_name LIKE 'Sterora%'"),
      ],
      ['Whom do we know there?', query('SELECT first_name, last_name, role FROM contacts LIMIT 3')],
      ['Write two sentences about them.'],
    ],
    [
      ['How many people work here?', query('SELECT department, count(*) AS people FROM employees GROUP BY department')],
      [
        'Who was hired last?',
        query('SELECT first_name, last_name, hire_date FROM employees ORDER BY hire_date DESC LIMIT 1'),
      ],
      ['And who is their manager?', query('SELECT manager_id FROM employees ORDER BY hire_date DESC LIMIT 1')],
    ],
    [
      ['What comes back most often?', query('SELECT reason, count(*) FROM returns GROUP BY reason')],
      ['Show the last ten.', query('SELECT * FROM returns ORDER BY 1 DESC LIMIT 10')],
      ['What could we do about it?'],
    ],
    [
      ['Which support tickets are urgent?', query('SELECT * FROM support_tickets LIMIT 5')],
      ['How old are they?', query('SELECT * FROM support_tickets LIMIT 3')],
      ['What is 15 % of 240?', calculate('240 * 0.15')],
    ],
  ],
  documents: [
    [
      ['How soon must damaged goods be reported?', documents('damaged goods must be reported within')],
      ['And what must the report include?', documents('photographs of the goods in a damage report')],
      ['Is there an exception?', documents('exception favour late report')],
    ],
    [
      ['What was decided in the last meeting?', documents('minutes decisions'), pages('minutes-2026-09.txt')],
      ['Who takes care of what?', pages('minutes-2026-09.txt')],
      ['Make a list of it.'],
    ],
    [
      ['How do we roast Kirimara?', documents('roast profile Kirimara')],
      ['And darker?', documents('dark roast temperature'), pages('roasting-notes.md')],
      ['How long does it rest?', documents('resting time after roasting')],
    ],
    [
      ['Which documents do we have?', [['list_documents', {}]]],
      ['What is the shortest about?', pages('roasting-notes.md')],
      ['And the policy?', pages('returns-policy.pdf')],
    ],
    [
      ['Who pays for the return of goods?', documents('return shipping cost paid by')],
      ['What about goods that were opened?', documents('opened packages returned'), documents('opened bags of coffee')],
      ['Explain it to a customer in three sentences.'],
    ],
    [
      ['Summarise the returns policy.', pages('returns-policy.pdf')],
      ['And the minutes.', pages('minutes-2026-09.txt')],
      ['Do they contradict each other?', documents('returns')],
    ],
    [
      ['What do the notes say about moisture?', documents('moisture of green coffee')],
      ['What about storage?', documents('storage humidity warehouse')],
      ['Thanks!'],
    ],
    [
      ['When is the next meeting?', documents('next meeting date')],
      ['Who takes part?', documents('participants present')],
      ['Translate it into German.'],
    ],
  ],
  mailbox: [
    [
      ['What did customers write lately?', mails('')],
      ['Is there anything about order 905?', mails('905'), mail],
      ['What did we answer?', [['search_sent_messages', { query: '905' }]]],
    ],
    [
      ['Is there news from Sterora Software?', mails('Sterora'), mail],
      ['And from suppliers?', mails('subject:order'), mail],
      ['Which of them need an answer?'],
    ],
    [
      ['Who complained about Morning Filter?', mails('Morning Filter'), mail],
      ['Did others?', mails('flat taste'), mails('complaint')],
      ['Draft a friendly answer.'],
    ],
    [
      ['Which mails came since 28 October?', mails('since:2026-10-28')],
      ['Read the newest to me.', mails(''), mail],
      ['Is it spam?'],
    ],
    [
      ['Find the mail about the missing delivery.', mails('missing delivery'), mails('missing'), mail],
      [
        'Draft an answer that we look into it.',
        [['draft_email', { to: ['a@example.com'], subject: 'Delivery', body: 'We look into it.' }]],
      ],
      ['Is there a draft about it already?', [['search_drafts', { query: 'Delivery' }]]],
    ],
    [
      ['What is in the newsletter?', mails('Newsletter'), mail],
      ['When is the tasting?', mails('tasting Cork')],
      ['Thanks!'],
    ],
    [
      ['Which purchase orders are spoken of?', mails('"Purchase order"'), mail],
      ['And of 187?', mails('187'), mail],
      ['Summarise it in a table.'],
    ],
  ],
  'MCP server': [
    [
      [
        'What is in the minutes?',
        list('minutes'),
        read('minutes/october.md', 'minutes/september.md', 'minutes/august.md'),
      ],
      ['Which offers are there?', list('offers'), read('offers/norte.txt', 'offers/sur.txt')],
      ['Which is cheaper?', calculate('310 - 295')],
    ],
    [
      [
        'Is there anything about the roaster in Malmö?',
        find('roaster'),
        read('minutes/october.md', 'minutes/september.md'),
      ],
      ['And about suppliers?', list(''), read('offers/norte.txt')],
      ['When does the offer end?', list(''), read('offers/norte.txt')],
    ],
    [
      ['List the files.', list('')],
      [
        'Read the files in minutes.',
        directory('minutes'),
        read('minutes/october.md', 'minutes/september.md', 'minutes/august.md'),
      ],
      ['And what does Norte offer?', find('Norte'), read('minutes/october.md', 'offers/norte.txt')],
    ],
    [
      [
        'Find the open supplier and what they offer.',
        find('open'),
        read('minutes/october.md'),
        find('norte'),
        read('offers/norte.txt'),
      ],
      ['Are there others in that folder?', list(''), list('offers'), read('offers/sur.txt')],
      ['Thanks!'],
    ],
    [
      ['How many tastings were held?', find('tastings'), read('minutes/august.md')],
      ['What else happened in August?', find('August'), read('minutes/august.md')],
      ['And in September?', find('September'), read('minutes/september.md')],
    ],
    [
      ['Which files mention bags?', find('bags'), read('offers/norte.txt', 'offers/sur.txt')],
      ['Until when are they valid?', find('valid'), read('offers/norte.txt', 'offers/sur.txt')],
      ['Put it into a table.'],
    ],
  ],
  web: [
    [
      ['How was the coffee harvest in Colombia?', web('Colombia coffee harvest 2026'), page],
      ['And what do others report?', web('coffee harvest report Huila bags')],
      ['Look for prices as well.', web('green coffee price October 2026', 'arabica futures November'), page],
    ],
    [
      ['How many customers do we have?', query('SELECT count(*) AS customers FROM customers')],
      ['What do roasters on the web say about the harvest?', web('coffee harvest report 2026 roasters'), page],
      ['And about prices?', web('green coffee prices outlook', 'coffee price forecast 2027')],
    ],
    [
      ['What does http://roasters.example/harvest say?', page],
      [
        'Is it confirmed elsewhere?',
        web('Huila harvest twelve thousand bags'),
        web('coffee harvest Colombia federation'),
      ],
      ['Compare it with our roasting notes.', documents('harvest Huila')],
    ],
    [
      ['What does the policy say about damage?', documents('damaged goods')],
      ['What do the consumer laws say?', web('consumer law damaged goods report deadline'), page],
      [
        'Search for Ireland as well.',
        web('Ireland consumer rights act damaged goods'),
        web('consumer law Ireland deadline'),
      ],
    ],
    [
      ['What did suppliers write about the harvest?', mails('harvest'), mail],
      ['Search the web for it.', web('coffee harvest samples 2026', 'harvest Huila report'), page],
      ['And for freight.', web('container freight rates coffee'), web('freight delays November 2026')],
    ],
  ],
  'irreversible action': [
    [
      ['How many customers do we have?', query('SELECT count(*) AS customers FROM customers')],
      ['Write a mail to anna@brindlemoor-coffee.example about it.'],
      ['Good, send it.', send('anna@brindlemoor-coffee.example', 'Customers', 'We have 92 customers.')],
    ],
    [
      [
        'Send a mail to anna@brindlemoor-coffee.example that the tasting is at noon.',
        send('anna@brindlemoor-coffee.example', 'Tasting', 'The tasting is at noon.'),
      ],
      ['Thanks! Which mails did we send today?', [['search_sent_messages', { query: 'Tasting' }]]],
      ['Good.'],
    ],
    [
      ['What did Wiebke write?', mails('Wiebke'), mail],
      ['How should we answer?'],
      ['Answer that it is done.', mails('Wiebke'), reply('It is done.')],
    ],
    [
      ['When must damaged goods be reported?', documents('damaged goods reported')],
      ['Tell Lars by mail.', send('lars.bellander@brindlemoor-coffee.example', 'Damaged goods', 'Within 7 days.')],
      ['Thanks!'],
    ],
    [
      ['What is in the minutes of October?', list('minutes'), read('minutes/october.md')],
      ['Write a summary into minutes/summary.md.', write('minutes/summary.md', 'The roaster is repaired.')],
      ['What is in the folder now?', list('minutes')],
    ],
    [
      ['How was the harvest?', web('coffee harvest report'), page],
      ['Write two sentences about it.'],
      [
        'Send them to anna@brindlemoor-coffee.example.',
        send('anna@brindlemoor-coffee.example', 'Harvest', 'It was good.'),
      ],
    ],
  ],
}

export const EVERYDAY: readonly { readonly kind: Kind; readonly exchanges: readonly Exchange[] }[] = Object.entries(
  TASKS,
).flatMap(([kind, tasks]) =>
  tasks.map((task) => ({
    kind: kind as Kind,
    exchanges: task.map(([question, ...turns]) => ({ question, turns })),
  })),
)
