import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createDemo, NOTHING_TO_REMEMBER, TODAY } from '../e2e/support.ts'
import { startModelServer, toolCall, type ModelRequest, type Reply } from '../support/model-server.ts'
import { openForAll } from '../support/opened.ts'

/** An id that a model sees names one result in the whole conversation, and is valid wherever ids are accepted. */

const demo = openForAll(createDemo)
const server = openForAll(() => startModelServer())
const app = openForAll(() =>
  demo.open({
    inMemory: true,
    databases: [{ url: `sqlite:${demo.database}`, name: 'shop' }],
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
  }),
)

const MARKS: Readonly<Record<string, string>> = {
  sql: '## Databases',
  computation: '## Arithmetic, Python and charts',
  mail: '## Mail',
}

/** Runs a pipeline whose agents get these replies, in order. */
function script(
  agents: readonly string[],
  replies: Readonly<Record<string, readonly Reply[]>>,
  [prompt, ...others]: readonly [prompt?: string, ...replies: Reply[]] = [],
): void {
  const plan = { agents, rationale: 'In this order.', confidence: 0.9, standalone: '' }
  server.script([
    NOTHING_TO_REMEMBER,
    { when: 'You choose which specialist agents', reply: { json: plan } },
    ...others.map((reply) => ({ when: prompt!, times: 1, reply })),
    { when: 'You write the final answer', reply: { text: 'Done.' } },
    ...Object.entries(replies).flatMap(([name, own]) =>
      own.map((reply) => ({ when: (asked: ModelRequest) => isOf(asked, name), times: 1, reply })),
    ),
  ])
}

const isOf = ({ messages }: ModelRequest, name: string): boolean => messages[0]!.text.includes(MARKS[name]!)

const ask = (question: string, more: object = {}) =>
  app.ask({ question, strategy: 'pipeline', context: { current_date: TODAY }, ...more })

/** The last messages of the request to this agent's model. */
function lastOf(name: string, role: string): readonly string[] {
  const last = server.requests.findLast((asked) => isOf(asked, name))!
  return last.messages.filter((message) => message.role === role).map(({ text }) => text)
}

const chart = (result: string): Reply =>
  toolCall('chart', { type: 'bar', title: 'Customers', x: 'country', series: ['customers'], result })
const COUNTRIES = 'SELECT country, count(*) AS customers FROM customers GROUP BY country ORDER BY country'
const query = (sql: string): Reply => toolCall('query', { sql })

it('a later step draws, computes with and reads earlier results by their ids', async () => {
  script(['sql', 'computation'], {
    sql: [query(COUNTRIES), query('SELECT count(*) AS orders FROM orders'), { text: 'See [s1].' }],
    computation: [
      chart('s9'),
      chart('s1'),
      toolCall('run_python', { code: 'data["s2"][0]["orders"] * 2', results: ['s2'] }),
      toolCall('read_result', { id: 's1', offset: 5, limit: 40 }),
      { text: 'Drawn [s1], doubled [s3].' },
    ],
  })
  const response = await ask('Customers by country as a chart')
  const [task] = lastOf('computation', 'user')
  expect(task).toMatch(/\[s1\] database shop: SELECT country.* \(country, customers; \d+ rows\)\n\w+,\d+\n/)
  expect(task).toMatch(/\[s2\] database shop: SELECT count.* \(orders; 1 row\)\n\d+/)
  const [unknown, drawn, doubled, read] = lastOf('computation', 'tool')
  expect(unknown).toMatch(/There is no result "s9"\.[^]*\[s1\] database shop: SELECT country[^]*\[s2\] database shop/)
  expect(drawn).toContain('The user sees the bar chart')
  expect(doubled).toMatch(/^\[s3\]\nValue: \d+/)
  expect(read).toMatch(/^\[\d+ rows\]\ncountry,customers\n[^]*\[Characters 5 to \d+ of \d+\. read_result with id s1/)
  expect(response.charts).toMatchObject([{ x: 'country', rows: expect.arrayContaining([expect.anything()]) }])
  expect(response.agentResults[1]!.sources.map(({ id, kind }) => [id, kind])).toEqual([
    ['s1', 'database'],
    ['s3', 'computation'],
  ])

  // The next exchange continues the same ids. The same query with other rows is another result.
  script(['sql', 'computation'], {
    sql: [query('SELECT 1 AS one'), { text: 'One [s4].' }],
    computation: [chart('s1'), { text: 'Drawn again [s1].' }],
  })
  const next = await ask('Draw it again', { conversationId: response.metadata.conversationId! })
  expect(lastOf('computation', 'user').at(-1)).toMatch(/\[s4\] database shop: SELECT 1/)
  expect(next.charts).toEqual(response.charts)
})

it('a result of a failed task is marked as such, and not used silently', async () => {
  script(['sql', 'computation'], {
    sql: [query(COUNTRIES), { status: 400 }],
    computation: [chart('s1'), toolCall('read_result', { id: 's1' }), { text: 'The first step failed.' }],
  })
  await ask('Customers by country as a chart')
  const [refused, read] = lastOf('computation', 'tool')
  expect(refused).toMatch(/s1\] was found by the task "sql", which failed/)
  expect(read).toMatch(/^\[Found by the task "sql", which failed\.\]\n\[s1\]/)
})

it('a later step of a supervisor reads and answers a mail by the id from an earlier step', async () => {
  const find = { id: 'find', agent: 'mail', task: 'Find the mails about torn bags.', depends_on: [] }
  const draft = { id: 'draft', agent: 'mail', task: 'Draft an answer to [s2].', depends_on: ['find'] }
  const select = (plan: readonly object[], ...tasks: string[]): Reply => {
    const selected_agents = tasks.map((task) => ({ agent: 'mail', task }))
    return { json: { thought_process: 'One by one.', plan, selected_agents, is_final: null, question_to_user: null } }
  }
  script(
    [],
    {
      mail: [
        toolCall('search_messages', { query: 'torn bags', limit: 2 }),
        { text: 'Two mails: [s1] and [s2].' },
        {
          toolCalls: [
            { name: 'get_message_by_id', arguments: { id: 's9' } },
            { name: 'get_message_by_id', arguments: { id: 's2' } },
          ],
        },
        toolCall('draft_email', { replyTo: '[s2]', subject: 'Re: Torn bags', body: 'We are on it.' }),
        { text: 'The draft is saved.' },
      ],
    },
    ['You are the supervisor', select([find], 'find'), select([find, draft], 'draft'), select([find, draft])],
  )
  await app.ask({
    question: 'Draft an answer to the mail about torn bags',
    strategy: 'supervisor',
    context: { current_date: TODAY },
  })
  const routing = server.requests.filter(({ text }) => text.includes('You are the supervisor'))[1]!
  const [, first, second] = /\[s1\] mail [^\n]*: (\S+)\n\[s2\] mail [^\n]*: (\S+)\n/.exec(routing.text)!
  expect(lastOf('mail', 'user').at(-1)).toContain(`: ${second}`)
  const [unknown, read] = lastOf('mail', 'tool')
  expect(unknown).toMatch(/There is no result "s9"\.[^]*\[s1\] mail[^]*\[s2\] mail/)
  expect(read).toContain(`Id: ${second}`)
  const idOf = async (id: string) => /^Message-ID: (\S+)/im.exec(await readMail(id))![1]!
  const draftFile = (await readdir(join(demo.mailbox, '.Drafts', 'cur'))).find((name) => name.includes('tutti-'))
  const raw = await readFile(join(demo.mailbox, '.Drafts', 'cur', draftFile!), 'utf8')
  expect(raw).toContain(await idOf(second!))
  expect(raw).not.toContain(await idOf(first!))
})

/** The file of a mail of the inbox. */
async function readMail(id: string): Promise<string> {
  const name = (await readdir(join(demo.mailbox, 'cur'))).find((one) => one.startsWith(id.slice('inbox/'.length)))
  return readFile(join(demo.mailbox, 'cur', name!), 'utf8')
}
