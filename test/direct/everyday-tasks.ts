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
      [
        'Is Sterora Software a customer?',
        [['find_values', { text: 'Sterora Software' }]],
        query("SELECT * FROM customers WHERE company_name LIKE 'Sterora%'"),
      ],
      ['Whom do we know there?', query('SELECT first_name, last_name, role FROM contacts LIMIT 3')],
      ['Write two sentences about them.'],
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
      ['Which documents do we have?', [['list_documents', {}]]],
      ['What is the shortest about?', pages('roasting-notes.md')],
      ['And the policy?', pages('returns-policy.pdf')],
    ],
  ],
  mailbox: [
    [
      ['What did customers write lately?', mails('')],
      ['Is there anything about order 905?', mails('905'), mail],
      ['What did we answer?', [['search_sent_messages', { query: '905' }]]],
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
  ],
  web: [
    [
      ['How was the coffee harvest in Colombia?', web('Colombia coffee harvest 2026'), page],
      ['And what do others report?', web('coffee harvest report Huila bags')],
      ['Look for prices as well.', web('green coffee price October 2026', 'arabica futures November'), page],
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
