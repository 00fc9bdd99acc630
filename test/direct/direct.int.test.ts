import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import type { Agent } from '../../src/domain/actor.ts'
import { uncitedSources } from '../../src/domain/response.ts'
import { TuttiError } from '../../src/domain/errors.ts'
import { ownData } from '../../src/domain/provenance.ts'
import { defineTool, loopTool } from '../../src/domain/tool.ts'
import { agent } from '../support/engine-world.ts'
import { gate } from '../support/waiting.ts'
import { startModelServer, toolCall, type ModelServer, type Reply } from '../support/model-server.ts'

/** The strategy `direct` through the app, with a scripted model behind the real provider. */

const sales = defineTool({
  name: 'sales',
  description: 'Sales by country.',
  effect: 'read',
  reach: 'inside',
  provenance: ownData('database shop'),
  input: z.object({ country: z.string() }),
  run: async ({ country }) => {
    if (country === 'Atlantis') throw new Error('no such country')
    if (country === '') throw new TuttiError('InvalidRequest', 'Name a country.')
    const rows = country === 'Nowhere' ? [] : [{ country, sales: country.length * 10 }]
    return {
      tabular: { columns: ['country', 'sales'], rows, rowCount: rows.length },
      sources: [{ kind: 'database', name: 'shop', detail: `SELECT … '${country}'` }],
    }
  },
})

const saveNote = defineTool({
  name: 'save_note',
  description: 'Saves a note.',
  effect: 'write',
  reach: 'inside',
  provenance: ownData('notes'),
  input: z.object({ text: z.string() }),
  run: async ({ text }) => ({ text: `Saved as number 7731: ${text}` }),
})

const shop = agent('shop', async () => ({ answer: 'not asked' }), {
  keywords: ['shop'],
  toolkit: async () => ({
    instructions:
      '## Shop\nSales of 2026, 4711 rows.\n\n<database name="shop">\nsales (293 rows)\n</database>\nFor 8153.',
    tools: [
      loopTool(sales, { kind: 'database', name: 'shop' }),
      loopTool(notes, { kind: 'document', name: 'documents' }, noteText),
      loopTool(saveNote, { kind: 'mcp', name: 'notes' }),
    ],
  }),
})

const notes = defineTool({
  name: 'notes',
  description: '',
  effect: 'read',
  reach: 'inside',
  provenance: ownData('documents'),
  input: z.object({}),
  run: async () => ({ sources: ['Lima', 'Cusco'].map((town) => ({ kind: 'document', name: `${town}.md` })) }),
})
const noteText = ({ sources }: { sources: readonly { name: string }[] }, ids: readonly string[]): string =>
  sources
    .map(({ name }, at) => {
      const town = name.slice(0, -3)
      return `[${ids[at]}] ${name}\nThe delivery to ${town} is ${'long '.repeat(300)}end of ${town}.`
    })
    .join('\n\n')

const writer = (done: string[]): Agent =>
  agent(
    'writer',
    async ({ text, inputs }) => {
      const given = inputs().map(
        ({ key, result }) => `${key}: ${result.answer ?? ''} ${JSON.stringify(result.tabular?.rows ?? [])}`,
      )
      done.push([text, ...given].join(' | '))
      const tabular = text === 'Table' ? { columns: ['n'], rows: [{ n: 1 }], rowCount: 1 } : undefined
      return {
        answer: `Written: ${text} [1]`,
        sources: [{ kind: 'document', name: `${text}.md` }],
        ...(tabular && { tabular }),
      }
    },
    { useCases: ['letters'], keywords: ['letter'] },
  )

let models: ModelServer
let app: App
afterEach(async () => {
  await app.close()
  await models.close()
})

const salesOf = (...countries: readonly string[]): Reply => ({
  toolCalls: countries.map((country) => ({ name: 'sales', arguments: { country } })),
})

type Replies = readonly (Reply | (() => Promise<Reply>))[]

async function open(replies: Replies, done: string[] = [], more: readonly Agent[] = []): Promise<App> {
  models = await startModelServer(replies.map((reply) => ({ when: isDirect, reply, times: 1 })))
  const provider = { name: 'compatible', kind: 'compatible' as const, baseUrl: models.url, defaultModel: 'm' }
  app = await createApp({
    models: { providers: [provider] },
    agents: [shop, writer(done), ...more],
  })
  return app
}

function isDirect({ text }: { readonly text: string }): boolean {
  return text.includes('You are Tutti')
}

/** Requests of the assistant, each as its messages after the instructions. */
function turns(): readonly (readonly { readonly role: string; readonly text: string }[])[] {
  return models.requests.filter(isDirect).map(({ messages }) => messages.slice(1))
}

test('a greeting is answered directly, in one turn', async () => {
  await open([{ text: 'Hello! What would you like to know?' }])
  const response = await app.ask('Hello')
  expect(response.answer).toBe('Hello! What would you like to know?')
  expect(response).toMatchObject({ status: 'answered', basis: 'model' })
  expect(response.metadata).toMatchObject({ strategy: 'direct', isAnswered: true, unanswered: [] })
  expect(turns()).toHaveLength(1)
})

test('tools are called in parallel, and cited results become numbered sources and the table', async () => {
  await open([salesOf('Peru', 'Chile'), { text: 'Chile sold 50 [s2], Peru 40 [s1]; see [s9].' }])
  const response = await app.ask('Sales?')
  expect(response.answer).toBe('Chile sold 50 [1], Peru 40 [2]; see.')
  expect(response.citations.map(({ n, source }) => [n, source.detail])).toEqual([
    [1, "SELECT … 'Chile'"],
    [2, "SELECT … 'Peru'"],
  ])
  expect(response.data?.rows).toEqual([{ country: 'Chile', sales: 50 }])
  expect(
    turns()[1]!
      .slice(-2)
      .map(({ text }) => text),
  ).toEqual(['[s1]\n[1 row]\ncountry,sales\nPeru,40', '[s2]\n[1 row]\ncountry,sales\nChile,50'])
})

describe('delegated tasks', () => {
  const delegate = (tasks: readonly object[]) => toolCall('delegate', { tasks })

  test('run as planned, get the results of their dependencies, and the assistant continues its transcript with their results', async () => {
    const done: string[] = []
    await open(
      [
        salesOf('Peru'),
        delegate([
          { id: 'a', agent: 'writer', task: 'First', depends_on: ['assistant'] },
          { id: 'b', agent: 'writer', task: 'Second', depends_on: ['a'] },
        ]),
        { text: 'Both are written: [s2] and [s3], after [s1].' },
      ],
      done,
    )
    const response = await app.ask('Write two texts')
    expect(done).toEqual(['First | assistant:  [{"country":"Peru","sales":40}]', 'Second | a: Written: First [1] []'])
    expect(response.answer).toBe('Both are written: [1] and [2], after [3].')
    expect(response.citations.map(({ source }) => source.name)).toEqual(['First.md', 'Second.md', 'shop'])
    const [, second, third] = turns()
    expect(third!.slice(0, second!.length)).toEqual(second)
    expect(third!.at(-1)!.text).toContain('<result task="a" agent="writer" status="succeeded">\nWritten: First [s2]')
    expect(response.planner?.chosenAgents).toEqual(['assistant', 'writer', 'writer'])
  })

  test('are delegated a limited number of times, and the question is not handed over after them', async () => {
    const asking = { toolCalls: [{ name: 'ask_writer', arguments: { task: 'X' } }] }
    await open([
      ...Array.from({ length: 13 }, () => asking),
      toolCall('delegate', { strategy: 'graph' }),
      { text: 'Done.' },
    ])
    const response = await app.ask('Write X again and again')
    expect(response.answer).toBe('Done.')
    expect(response.agentResults.filter(({ agent }) => agent === 'writer')).toHaveLength(12)
    expect(
      turns()
        .slice(-2)
        .map((messages) => messages.at(-1)!.text),
    ).toEqual([expect.stringContaining('handed on 12 times'), expect.stringContaining('handed on 3 times')])
  })

  test('the table is that of the first cited result, also from a task or an earlier call', async () => {
    const tasks = delegate([{ id: 'a', agent: 'writer', task: 'Table' }])
    await open([salesOf('Peru'), tasks, salesOf('Chile'), { text: 'A [s2], B [s1], C [s3].' }])
    expect((await app.ask('All?')).data?.rows).toEqual([{ n: 1 }])
    await Promise.all([app.close(), models.close()])
    await open([salesOf('Peru'), tasks, salesOf('Chile'), { text: 'B [s1], C [s3].' }])
    expect((await app.ask('All?')).data?.rows).toEqual([{ country: 'Peru', sales: 40 }])
  })

  test('an invalid plan is an error result, and the model continues', async () => {
    await open([
      delegate([{ id: 'a', agent: 'nobody', task: 'x' }]),
      delegate([{ id: 'a', agent: 'writer', task: 'x', depends_on: ['b'] }]),
      { text: 'I cannot delegate that.' },
    ])
    const response = await app.ask('Go')
    expect(response.answer).toBe('I cannot delegate that.')
    expect(turns()[1]!.at(-1)!.text).toMatch(/"nobody".*writer/)
    expect(turns()[2]!.at(-1)!.text).toMatch(/"a" depends on "b", which is not in the plan/)
  })
})

test('a reported gap leaves the run partly answered, without findings not answered', async () => {
  const gap = { name: 'report_gap', arguments: { missing: 'sales of May', reason: 'There is no month.' } }
  await open([
    salesOf('Peru'),
    { toolCalls: [gap] },
    { text: 'Peru sold 40 [s1].' },
    { toolCalls: [gap] },
    { text: 'I do not have that.' },
  ])
  const partly = await app.ask('Sales of Peru in all and in May?')
  expect(partly.answer).toBe('Peru sold 40 [1].')
  expect(partly.metadata).toMatchObject({ isAnswered: true, unanswered: ['sales of May'] })
  const none = await app.ask('Sales of May?')
  expect(none.answer).toBe('I do not have that.')
  expect(none.metadata).toMatchObject({ isAnswered: false, unanswered: ['sales of May'] })
})

test('a failed source gives a notice, and no answer if no other call succeeded; a call with wrong input gives none', async () => {
  await open([salesOf(''), { text: 'Which country?' }, salesOf('Atlantis'), { text: 'The shop does not answer.' }])
  expect((await app.ask('Sales?')).notices.map(({ code }) => code)).not.toContain('source_unavailable')
  const { notices, metadata } = await app.ask('Sales of Atlantis?')
  expect(notices.map(({ code }) => code)).toContain('source_unavailable')
  expect(metadata).toMatchObject({ isAnswered: false, unanswered: ['Sales of Atlantis?'] })
})

test('a retry continues behind the last finished turn of a stopped run', async () => {
  const [reached, held] = [gate(), gate()]
  const slow = async (): Promise<Reply> => {
    reached.open()
    await held.promise
    return { text: 'Too late.' }
  }
  await open([salesOf('Peru'), slow])
  const runId = await app.start('Sales of Peru?')
  await reached.promise
  await app.runs.cancel(runId, 'local')
  const { jobs } = await app.runs.outcome(runId)
  held.open()
  const asked = turns()[1]
  models.script([{ when: isDirect, reply: { text: 'In Peru: 7.' } }])
  const retried = await app.runs.fork(
    runId,
    [...jobs.values()].find(({ actor }) => actor === 'assistant')!.key,
    {},
    { isRetry: true },
  )
  await app.runs.outcome(retried)
  expect(turns(), 'the finished turn and its call are not repeated').toEqual([asked])
  expect((await app.response(retried)).answer).toBe('In Peru: 7.')
})

describe('a question to the user', () => {
  const ask = toolCall('ask_user', { question: 'Which year?', choices: ['2025', '2026'] })

  test('waits for the reply, which is its result', async () => {
    await open([ask, { text: 'In 2025: 7.' }])
    const runId = await app.start({ question: 'Sales?', interactive: true })
    const { approvalId } = await new Promise<{ readonly approvalId: string }>((resolve) => {
      void (async () => {
        for await (const event of app.runs.stream(runId)) if (event.type === 'approval.requested') resolve(event)
      })()
    })
    await app.runs.decide(approvalId, 'approved', 'local', '2025')
    await app.runs.outcome(runId)
    expect((await app.response(runId)).answer).toBe('In 2025: 7.')
    expect(turns()[1]!.at(-1)).toEqual({ role: 'tool', text: '2025' })
    expect((await app.response(runId)).basis).toBe('conversation')
    const { replies, metadata } = await app.response(runId)
    expect(replies).toEqual([{ question: 'Which year?\n\n- 2025\n- 2026', reply: '2025' }])
    models.script([{ reply: { text: 'In 2024: 5.' } }])
    await app.ask({ question: 'And the year before?', conversationId: metadata.conversationId })
    expect(turns()[0]!.slice(1, 4)).toEqual([
      { role: 'assistant', text: 'Which year?\n\n- 2025\n- 2026' },
      { role: 'user', text: '2025' },
      { role: 'assistant', text: 'In 2025: 7.' },
    ])
  })

  test('is the answer when no user can reply', async () => {
    await open([ask])
    const { answer, metadata } = await app.ask({ question: 'Sales?', interactive: false })
    expect(answer).toBe('Which year?\n\n- 2025\n- 2026')
    expect(metadata).toMatchObject({ isAnswered: false, unanswered: ['Which year?'] })
  })
})

test('an unapproved action, or a gap that another agent reported, is not answered', async () => {
  const post = defineTool({
    name: 'post',
    description: '',
    effect: 'irreversible',
    input: z.object({}),
    run: async () => 'posted',
  })
  const poster: Agent = {
    ...shop,
    name: 'poster',
    toolkit: async () => ({ instructions: '', tools: [loopTool(post, { kind: 'mcp', name: 'board' })] }),
  }
  const packer = agent('packer', async () => ({
    answer: 'One was packed [1].',
    unanswered: ['README'],
    sources: [{ kind: 'mcp', name: 'files' }],
  }))
  const tasks = [{ id: 'a', agent: 'packer', task: 'Pack', depends_on: [] }]
  await open([toolCall('post', {}), { text: 'I could not.' }], [], [poster, packer])
  const refused = await app.ask({ question: 'Post it', interactive: false })
  expect(refused).toMatchObject({ status: 'not_answered', metadata: { unanswered: ['The call of "post"'] } })
  await Promise.all([app.close(), models.close()])
  await open([toolCall('delegate', { tasks }), { text: 'One was packed [s1].' }], [], [poster, packer])
  const packed = await app.ask({ question: 'Pack both', interactive: false })
  expect(packed).toMatchObject({ status: 'partly', metadata: { unanswered: ['README'] } })
})

test('an agent that the request disables is neither offered nor asked', async () => {
  await open([{ text: 'ok' }])
  await app.ask({ question: 'Sales?', disableAgents: ['writer', 'shop'] })
  const names = (models.requests.find(isDirect)!.body['tools'] as { function: { name: string } }[]).map(
    ({ function: { name } }) => name,
  )
  expect(names).not.toContain('sales')
  expect(names).not.toContain('ask_writer')
})

test('an unconfigured agent that can work on a question shares its tools only for that question', async () => {
  const pages: Agent = {
    ...shop,
    name: 'pages',
    unavailable: 'No search is set up.',
    worksAnyway: ({ text }) => text.includes('https://'),
    toolkit: async () => ({
      instructions: '## Pages',
      tools: [loopTool(notes, { kind: 'web', name: 'pages' })],
    }),
  }
  await open([{ text: 'One.' }, { text: 'Two.' }], [], [pages])
  await app.ask('What does https://a.example say?')
  await app.ask('What does the page say?')
  const offered = models.requests.filter(isDirect).map(({ text }) => text.includes('## Pages'))
  expect(offered).toEqual([true, false])
})

test('each earlier result has its own rows or text while answers cite it, and read_result returns it completely', async () => {
  const read = (id: string) => toolCall('read_result', { id })
  await open([
    { toolCalls: [...salesOf('Peru').toolCalls!, ...toolCall('notes', {}).toolCalls!] },
    { text: 'Peru sold 40 [s1]; Lima is late [s2], Cusco is not [s3].' },
    { text: 'As before: 40 [s1], late [s2], in time [s3].' },
    { text: 'And again: 40 [s1], late [s2], in time [s3].' },
    read('[s1]'),
    read('s2'),
    { text: 'Lima.' },
  ])
  const { conversationId } = (await app.ask('Sales of Peru, and the notes?')).metadata
  for (const question of ['Again?', 'And again?', 'Which one is late?'])
    await app.ask({ question, conversationId: conversationId! })
  const [, , , followUp] = turns()
  const [lima, cusco] = ['Lima', 'Cusco'].map((town) => `${town}.md\nThe delivery to ${town}`)
  for (const prompt of [turns()[2]!, followUp!, turns()[4]!]) {
    const given = prompt.findLast(({ role }) => role === 'user')!.text
    expect(given).toContain('\nPeru,40\n')
    expect(given.split('Peru,40')).toHaveLength(2)
    expect(given).toContain(lima)
    expect(given).toContain(cusco)
  }
  const [rows, text] = turns()
    .at(-1)!
    .filter(({ role }) => role === 'tool')
    .map((message) => message.text)
  expect(rows).toContain('Peru,40')
  expect(text).toContain(`${'long '.repeat(300)}end of Lima`)
  expect(text).not.toContain('Cusco')
})

test('the history cites each result of an earlier answer by an id that a follow-up can cite', async () => {
  await open([
    salesOf('Peru', 'Chile'),
    { text: 'Chile 50 [s2], Peru 40 [s1].' },
    { text: 'Chile, with 50 [s2]; Peru had 40 [s1] [7].' },
  ])
  const first = await app.ask('Sales?')
  const { answer, citations, notices } = await app.ask({
    question: 'Who leads?',
    conversationId: first.metadata.conversationId!,
  })
  const [asked, answered, followUp] = turns().at(-1)!
  expect([asked, answered]).toEqual([
    { role: 'user', text: 'Sales?' },
    { role: 'assistant', text: 'Chile 50 [s2], Peru 40 [s1].' },
  ])
  expect(followUp!.text).toMatch(/Who leads\?$/)
  expect(followUp!.text).toMatch(/\[s2\] .*'Chile'\n.*\n.*\nChile,50\n\[s1\] .*'Peru'\n.*\n.*\nPeru,40\n/)
  expect(answer).toBe('Chile, with 50 [1]; Peru had 40 [2].')
  expect(citations.map(({ source }) => source.detail)).toEqual(["SELECT … 'Chile'", "SELECT … 'Peru'"])
  expect(notices.map(({ text }) => text)).toEqual([expect.stringMatching(/no source that was found: 7\./)])
})

test('text before calls is streamed, and the answer replaces it', async () => {
  await open([{ text: 'Let me look.', ...salesOf('Peru') }, { text: 'Peru sold 40 [s1].' }])
  const runId = await app.start('Sales of Peru?')
  const parts = new Map<number, string>()
  await app.runs.outcome(runId)
  const events = await app.runs.events(runId)
  const upToCall = events.slice(
    0,
    events.findIndex(({ type }) => type === 'call.answered'),
  )
  expect(upToCall.flatMap((event) => (event.type === 'answer.delta' ? [event.text] : [])).join('')).toBe('Let me look.')
  for (const event of events) {
    if (event.type === 'answer.delta') parts.set(event.part, (parts.get(event.part) ?? '') + event.text)
  }
  expect([...parts.values()]).toEqual(['Let me look.', 'Peru sold 40 [1].'])
})

test('an answer with citations shows only cited results; one without shows no empty table', async () => {
  await open([
    salesOf('Peru', 'Nowhere'),
    { text: 'Peru sold 40 [s1].' },
    salesOf('Nowhere'),
    { text: 'I cannot say.' },
  ])
  const cited = await app.ask('Sales?')
  expect([cited.data?.rows, uncitedSources(cited)]).toEqual([[{ country: 'Peru', sales: 40 }], []])
  expect((await app.ask('Sales of Nowhere?')).data).toBeUndefined()
})

test('the question is handed over to another strategy, whose answer is the answer', async () => {
  await open([toolCall('delegate', { strategy: 'graph' })])
  const { answer, metadata } = await app.ask('Write a letter')
  expect(metadata.strategy).toBe('graph')
  const others = models.requests.filter((request) => !isDirect(request))
  expect(others.length).toBeGreaterThan(0)
  expect(others.filter(({ text }) => text.includes('Agent: assistant'))).toEqual([])
  expect(answer).not.toBe('')
})

test('a message during the run is passed to the model with its next turn, also after its answer', async () => {
  let runId = ''
  const saying = (text: string, reply: Reply) => async (): Promise<Reply> => {
    await app.runs.say(runId, text, 'local')
    return reply
  }
  await open([
    saying('Only 2026.', salesOf('Peru')),
    saying('And in German.', { text: 'Peru sold 40.' }),
    { text: 'Peru: 40.' },
  ])
  runId = await app.start('Sales of Peru?')
  await app.runs.outcome(runId)
  expect((await app.response(runId)).answer).toBe('Peru: 40.')
  expect(turns()[1]!.at(-1)).toEqual({ role: 'user', text: 'Only 2026.' })
  expect(turns()[2]!.at(-1)).toEqual({ role: 'user', text: 'And in German.' })
  await expect(app.runs.say(runId, 'More', 'local')).rejects.toMatchObject({ code: 'RunConflict' })
})

test('figures of the answer are checked against the results, and its text stays unchanged', async () => {
  const text = 'Chile sold 50.0 [s2], Peru 40.0 [s1], both 90.0; Cuba sold 73.5. There are 293 rows, not 8153.'
  await open([salesOf('Peru', 'Chile'), { text }])
  const { answer, status, basis, checks, notices } = await app.ask('Sales?')
  expect(answer).toBe(text.replace('s2', '1').replace('s1', '2'))
  expect({ status, basis }).toEqual({ status: 'answered', basis: 'sources' })
  expect(notices).toMatchObject([{ code: 'remark', params: { figures: '73.5; 8153' } }])
  expect(checks.figures.map(({ text, status, sources }) => [text, status, sources])).toEqual([
    ['50.0', 'found', ['s2']],
    ['40.0', 'found', ['s1']],
    ['90.0', 'derived', undefined],
    ['73.5', 'not_found', undefined],
    ['293', 'found', undefined],
    ['8153', 'not_found', undefined],
  ])
})

test('an answer with figures and without any source has one notice; its figures count as derived later', async () => {
  await open([{ text: 'There are 4711 rows.' }, { text: 'As I said, 4711; you said 1234.' }])
  const first = await app.ask('How many of 1234?')
  const second = await app.ask({ question: 'Sure?', conversationId: first.metadata.conversationId! })
  expect(first).toMatchObject({ basis: 'model', notices: [{ code: 'no_source' }], checks: { figures: [] } })
  expect(second.checks.figures.map(({ text, status }) => [text, status])).toEqual([
    ['4711', 'derived'],
    ['1234', 'found'],
  ])
})

test('a citation of an unknown id is removed with a notice, and no other table replaces it', async () => {
  await open([salesOf('Peru'), { text: 'It was on time [s7].' }])
  const { answer, notices, data } = await app.ask('Sales?')
  expect([answer, data]).toEqual(['It was on time.', undefined])
  expect(notices.map(({ text }) => text)).toEqual([expect.stringContaining('s7')])
})

test('once data was read, a link that no source has is removed with a notice that names its host', async () => {
  const text = 'Use the [returns portal](https://returns.example/start).'
  await open([{ text }, salesOf('Peru'), { text: `${text} [s1]` }])
  expect(await app.ask('Where do I return goods?')).toMatchObject({ answer: text, notices: [] })
  const { answer, notices } = await app.ask('And for goods from Peru?')
  expect(answer).toBe('Use the returns portal. [1]')
  expect(notices).toMatchObject([{ code: 'remark', text: expect.stringContaining('returns.example') }])
})

test('the result of a write is cited like others, and figures that the model wrote into it are not evidence', async () => {
  await open([
    toolCall('save_note', { text: 'Sales: EUR 24,268.48, a margin of 31.4 %.' }),
    { text: 'Saved as note 7731, with sales of 24,268.48 and a margin of 31.4 % [s1].' },
  ])
  const { actions, citations, basis, checks } = await app.ask('Note the sales')
  expect(actions).toEqual([{ tool: 'save_note', effect: 'write' }])
  expect([basis, citations.map(({ source }) => source.kind)]).toEqual(['sources', ['mcp']])
  expect(checks.figures.map(({ text, status }) => [text, status])).toEqual([
    ['7731', 'found'],
    ['24,268.48', 'not_found'],
    ['31.4', 'not_found'],
  ])
})
