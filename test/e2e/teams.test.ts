import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createApp, type App, type AppOptions } from '../../src/app.ts'
import { german } from '../../src/core/said/de/index.ts'
import { sayer } from '../../src/core/said/said.ts'
import { shownDetail } from '../../src/core/shown.ts'
import { uncitedSources, type RunResponse } from '../../src/core/response.ts'
import type { RequestInput } from '../../src/core/request.ts'
import type { Team, TeamInput } from '../../src/core/team.ts'
import { defineTool, type Tool } from '../../src/core/tool.ts'
import { startModelServer, type ModelRequest, type ModelServer, type Rule } from '../support/model-server.ts'
import { architectRequest } from '../../src/agents/teams/asked.ts'
import { askedOf } from '../../src/agents/teams/team-agent.ts'
import { ASKED, callThen, NOTHING_TO_REMEMBER, pendingApproval } from './support.ts'

/** Teams from the goal to the answer: 20 invoices, six of which deviate from their contracts. */

const GOAL = 'Build me a team that checks invoices against contracts and writes a report'
const ASK = 'Check the invoices against the contracts and write a report'
const MARCH = 'Check the invoices against the contracts for March'
const NAME = 'invoices_contracts_team'
const DEVIANT = ['INV-3', 'INV-5', 'INV-7', 'INV-11', 'INV-15', 'INV-18']

let folder: string
const opened: { close(): Promise<void> }[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-teams-'))
  const db = new Database(join(folder, 'books.db'))
  db.exec(`CREATE TABLE contracts (contract_id text PRIMARY KEY, supplier text, unit_price numeric, currency text);
    CREATE TABLE invoices (invoice_id text PRIMARY KEY, contract_id text, quantity integer, unit_price numeric, currency text)`)
  for (let n = 1; n <= 10; n++) db.exec(`INSERT INTO contracts VALUES ('C-${n}', 'Supplier ${n}', ${10 + n}, 'EUR')`)
  const prices: Readonly<Record<number, number>> = { 3: 12.5, 7: 1, 11: 99, 15: 2 }
  for (let n = 1; n <= 20; n++) {
    const contract = n === 18 ? 'C-99' : `C-${(n % 10) + 1}`
    const price = prices[n] ?? 11 + (n % 10)
    db.exec(`INSERT INTO invoices VALUES ('INV-${n}', '${contract}', ${n}, ${price}, '${n === 5 ? 'USD' : 'EUR'}')`)
  }
  db.close()
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(options: AppOptions = {}): Promise<App> {
  const app = await createApp({
    storage: { folder: join(folder, 'data') },
    databases: [{ url: `sqlite:${join(folder, 'books.db')}`, name: 'books' }],
    cwd: folder,
    ...options,
  })
  opened.push(app)
  return app
}

interface Built {
  readonly response: RunResponse
  readonly payload: { readonly team: Team; readonly diagram: readonly string[] }
  readonly reason: string
}

/** Asks, and decides on the one approval that comes of it. */
async function decided(
  app: App,
  request: RequestInput | string,
  choice: 'approved' | 'denied' = 'approved',
  instructions?: string,
): Promise<Built> {
  const runId = await app.start(request)
  const { approvalId, tool, payload, reason } = await pendingApproval(app, runId)
  expect(tool).toBe('save_team')
  await app.runs.decide(approvalId, choice, 'ann', instructions)
  await app.runs.outcome(runId)
  return { response: await app.response(runId), payload: payload as Built['payload'], reason }
}

const given = (team: unknown): RequestInput => ({
  question: 'Take the team from a file',
  preferAgents: ['architect'],
  disableAgents: ['sql', 'rag', 'computation'],
  context: { team_given: team, team_without: [] },
  strategy: 'pipeline',
})

const named = ({ answer }: Pick<RunResponse, 'answer'>): string[] =>
  [...new Set(answer.match(/INV-\d+/g))].toSorted((a, b) => Number(a.slice(4)) - Number(b.slice(4)))

/** What an answer says that it rests on. */
const placesOf = (response: RunResponse): (string | undefined)[] =>
  [...response.citations.map(({ source }) => source), ...uncitedSources(response)].map(({ detail }) => detail)
const OF_BOTH = [
  ...['invoices', 'contracts'].map((table) => expect.stringContaining(`SELECT * FROM ${table}`) as string),
  expect.stringContaining('for row in invoices') as string,
]

const tasksOf = ({ agentResults }: RunResponse): string[] => agentResults.map(({ agent }) => agent)

describe('without a model', () => {
  it('a team is designed, shown, approved, tried in shadow, and one agent of the next question by every strategy', async () => {
    const app = await open()
    const { response, payload } = await decided(app, GOAL)
    expect(payload.team.agents.map(({ name, tools, after }) => [name, tools, after])).toEqual([
      ['invoices', ['mcp_db_query'], []],
      ['contracts', ['mcp_db_query'], []],
      ['comparer', ['run_python'], ['invoices', 'contracts']],
      ['writer', [], ['comparer']],
    ])
    expect(payload.diagram).toContain('  m3 --> m4')
    expect(response.answer).toContain('```mermaid\nflowchart TD\n')
    expect(response.answer).toContain(`“${NAME}” (version 1) is ready`)
    const [trial] = await app.store.runs({ parentId: response.metadata.runId })
    expect((await app.runs.state(trial!.runId)).request).toMatchObject({ shadow: true, interactive: false })

    for (const strategy of ['pipeline', 'graph', 'supervisor', 'auto']) {
      const used = await app.ask({ question: ASK, strategy })
      expect(tasksOf(used), strategy).toEqual([NAME])
      expect(named(used), strategy).toEqual(DEVIANT)
      expect(used.answer, strategy).toContain('6 of the 20 invoices deviate')
      expect(used.metadata.isAnswered, strategy).toBe(true)
      expect(placesOf(used), strategy).toEqual(OF_BOTH)
    }
    const review = await app.ask({ question: ASK, strategy: 'review' })
    expect(tasksOf(review)).toContain(NAME)
    expect(named(review)).toEqual(DEVIANT)
    expect(placesOf(review)).toEqual(OF_BOTH)

    // What it is not for goes to the others.
    expect(tasksOf(await app.ask('How many invoices are there?'))).toEqual(['sql'])
    const more = await app.ask('Check the invoices against the contracts and tell me how many invoices there are')
    expect(tasksOf(more)).toEqual([NAME, 'sql'])
    expect(more.answer).toMatch(/\b20 invoices\b/)
    expect(placesOf(more)).toEqual(expect.arrayContaining(OF_BOTH))
  })

  it('says what of a request its steps did not look at', async () => {
    const app = await open()
    await decided(app, GOAL)
    const used = await app.ask(MARCH)
    expect(tasksOf(used)).toEqual([NAME])
    expect(used.answer).toContain('did its steps as they were built; it did not look at “march”.')
    // Of all months is no answer for one.
    expect(used.metadata).toMatchObject({ isAnswered: false, unanswered: [MARCH] })
    const [version] = await app.teams.teams('local')
    const run = await app.ask(askedOf(version!, 'local', MARCH))
    expect(run.answer).toContain('it did not look at “march”.')
    expect(run.metadata).toMatchObject({ isAnswered: false, unanswered: [MARCH] })
    const plain = await app.ask('Please check the invoices against the contracts thoroughly')
    expect(plain.metadata).toMatchObject({ isAnswered: true, unanswered: [] })
  })

  it('leaves open what of a request is about something else', async () => {
    const app = await open()
    await decided(app, GOAL)
    for (const strategy of ['pipeline', 'graph', 'supervisor', 'auto']) {
      const used = await app.ask({ question: `${ASK}, and what is the weather in Paris?`, strategy })
      expect(named(used), strategy).toEqual(DEVIANT)
      expect(used.metadata.unanswered.join(), strategy).toMatch(/weather in Paris/i)
    }
    // Asked by its name, the team has all of it.
    const whole = await app.ask(`Use the ${NAME} team: ${ASK}, and what is the weather in Paris?`)
    expect(whole.metadata.unanswered.join()).toMatch(/weather in Paris/i)
  })

  it('denied, it is not there', async () => {
    const app = await open()
    const { response } = await decided(app, GOAL, 'denied')
    expect(response.metadata.isAnswered).toBe(false)
    expect(await app.teams.versions('local', NAME)).toEqual([])
    expect(await app.store.runs({ parentId: response.metadata.runId })).toEqual([])
  })

  it.each(['leave out the writer', 'without the writer', 'call it auditors', 'make the report shorter'])(
    'is not saved where instructions cannot be followed: %s',
    async (instructions) => {
      const app = await open()
      const { response } = await decided(app, GOAL, 'approved', instructions)
      expect(response.metadata.isAnswered).toBe(false)
      expect(response.answer).toContain('Approve it as it is shown, or deny it')
      expect(await app.teams.versions('local', NAME)).toEqual([])
    },
  )

  it('is asked for once more where they say something beside the approval, which nobody can read without a model', async () => {
    const app = await open()
    const runId = await app.start(GOAL)
    const { approvalId } = await pendingApproval(app, runId)
    await app.runs.decide(approvalId, 'approved', 'ann', 'Thanks, go ahead.')
    const again = await pendingApproval(app, runId)
    expect(again.approvalId).not.toBe(approvalId)
    await app.runs.decide(again.approvalId, 'approved', 'ann')
    await app.runs.outcome(runId)
    expect((await app.response(runId)).answer).toContain(`“${NAME}” (version 1) is ready`)
  })

  it('is changed as a new version and rolled back; an open app knows at once', async () => {
    const app = await open()
    const { payload } = await decided(app, GOAL)
    const changed = structuredClone(payload.team) as unknown as { agents: { call?: { input: { sql: string } } }[] }
    changed.agents[0]!.call!.input.sql = "SELECT * FROM invoices WHERE invoice_id IN ('INV-3', 'INV-4')"
    const { reason } = await decided(app, given(changed))
    expect(reason).toContain('comes from outside: a file with a team')
    const second = await app.ask(ASK)
    expect(second.answer).toContain('1 of the 2 invoices deviates')
    expect(await app.teams.use('local', NAME, 1)).toBe(true)
    expect(named(await app.ask(ASK))).toEqual(DEVIANT)
    expect(
      (await app.teams.versions('local', NAME)).map(({ version, status, isCurrent }) => [version, status, isCurrent]),
    ).toEqual([
      [2, 'ready', false],
      [1, 'ready', true],
    ])
  })

  it('asked for again is not built a second time: what is there is named, and a change is a new version of it', async () => {
    const app = await open()
    await decided(app, GOAL)
    const again = await app.ask(GOAL)
    expect(again.answer).toContain(`There is this team already: “${NAME}” (version 1). Ask for “invoices against`)
    expect(again.answer).toContain(`teams edit ${NAME}`)
    expect(again.metadata.isAnswered).toBe(true)

    const { payload, reason, response } = await decided(app, GOAL.replace(' and writes a report', ''))
    expect(payload.team.name).toBe(NAME)
    expect(reason).toContain(`This is version 2 of the team “${NAME}”: version 1 (Checks invoices against`)
    expect(response.answer).toContain(`“${NAME}” (version 2) is ready`)
    expect((await app.teams.teams('local')).map(({ name, version }) => [name, version])).toEqual([[NAME, 2]])
  })

  it('of the same first words and for something else is a second one, and says why', async () => {
    const app = await open()
    const first = await decided(app, 'Build me a team that counts the invoices of each supplier')
    expect(first.reason).not.toContain('second')
    const { payload, reason } = await decided(app, 'Build me a team that counts the invoices in euros', 'denied')
    expect(payload.team.name).toBe(`${first.payload.team.name}_2`)
    expect(reason).toContain(`This is a second team beside “${first.payload.team.name}” (Counts the invoices of each`)
    expect(reason).toContain('which is for something else')
  })

  it('is called as the person says, who names nothing that is there', async () => {
    const app = await open()
    const asking = (context: Record<string, unknown>): RequestInput => architectRequest(GOAL, [], context)
    const { payload } = await decided(app, asking({ team_named: 'carriers' }))
    expect(payload.team.name).toBe('carriers')
    for (const [name, why] of [
      ['My team', 'must be 2 to 40 small letters'],
      ['sql', 'he name "sql" is taken'],
    ]) {
      expect((await app.ask(asking({ team_named: name }))).answer).toContain(why)
    }
  })

  it('is asked what its goal asks, without the words that only say so', async () => {
    const app = await open()
    const { payload } = await decided(app, 'Build me a team that answers how many invoices there are', 'denied')
    expect(payload.team.checks.map(({ question }) => question)).toEqual(['How many invoices there are.'])
  })

  it('is not used when its checks fail, and says why', async () => {
    const app = await open()
    const { payload } = await decided(app, GOAL)
    const other = {
      ...structuredClone(payload.team),
      name: 'other_team',
      checks: [{ question: 'Check it.', contains: ['7 of the 20'] }],
    }
    const { response } = await decided(app, given(other))
    expect(response.answer).toContain('did not pass its checks')
    // Whoever approved it is told what became of it, and that it was saved.
    const { runId } = response.metadata
    const [approval] = await app.runs.approvals({ runId, status: 'approved' })
    const { jobs } = shownDetail((await app.runs.run(runId))!, await app.runs.events(runId), false)
    expect(jobs.find(({ key }) => key === approval!.key)).toMatchObject({
      status: 'failed',
      done: [approval!.approvalId],
    })
    const failed = jobs.flatMap(({ error }) => error?.message ?? [])
    expect(failed).toHaveLength(1)
    expect(sayer(german)(failed[0]!)).not.toMatch(/\b(?:check|failed|answer|does not)\b/)
    expect(response.answer).toContain('the answer does not hold “7 of the 20”')
    expect(
      (await app.teams.versions('local', 'other_team')).map(({ status, isCurrent }) => [status, isCurrent]),
    ).toEqual([['failed', false]])
    expect(await app.teams.use('local', 'other_team', 1)).toBe(false)
  })

  it('over more rows than are read says what to do, and is named with the reason when it is asked for', async () => {
    const db = new Database(join(folder, 'books.db'))
    for (let n = 21; n <= 1_020; n++) db.exec(`INSERT INTO invoices VALUES ('INV-${n}', 'C-1', 1, 11, 'EUR')`)
    db.close()
    const app = await open()
    const { response } = await decided(app, GOAL)
    expect(response.answer).toContain('invoices was cut off after 1000 rows')
    expect(response.answer).toContain(`"teams export ${NAME} team.json", edit, "teams import team.json"`)
    const { answer, metadata } = await app.ask(ASK)
    expect(answer).toContain(`he team “${NAME}” is not used, since it did not pass its checks.`)
    expect(answer).toContain('invoices was cut off after 1000 rows')
    expect(metadata.isAnswered).toBe(false)
  })

  it.each([
    'Total revenue in 2011 compared with 2012',
    'Draft a mail to support with the number of invoices and the number of purple elephants',
  ])('nobody builds a team for “%s”', async (question) => {
    const app = await open()
    const { agentResults, planner } = await app.ask({ question, strategy: 'pipeline' })
    expect(planner!.chosenAgents).not.toContain('architect')
    expect(agentResults.map(({ agent }) => agent)).not.toContain('architect')
  })

  it.each(['Build me a team', 'Build me a team that', 'Please build us a team of agents for.'])(
    'asks what it is for: %s',
    async (goal) => {
      const app = await open()
      const { answer } = await app.ask(goal)
      expect(answer).toMatch(/^This could not be answered: say what the team is for:/)
    },
  )

  it('declines what no table is for, in one clear sentence', async () => {
    const app = await open()
    const { answer, metadata } = await app.ask('Build me a team that checks deliveries against contracts')
    expect(metadata.isAnswered).toBe(false)
    expect(answer).toContain('no tool at hand knows of “deliveries”. There are tables of contracts, invoices')
  })

  it.each([
    ['none is opened', [], 'No database is configured. '],
    ['one is not there', ['gone.db'], 'gone.db: there is no such file.'],
    [
      'one of two is not there',
      ['gone.db', 'books.db'],
      'gone.db: there is no such file. There are tables of contracts',
    ],
  ])('says what is the matter with the databases: %s', async (_what, files, said) => {
    const app = await open({ databases: files.map((file) => ({ url: `sqlite:${join(folder, file)}`, name: file })) })
    const { answer, metadata } = await app.ask('Build me a team that checks deliveries against contracts')
    expect(metadata.isAnswered).toBe(false)
    expect(answer).toContain('no tool at hand knows of “deliveries”. ')
    expect(answer).toContain(said)
    expect(answer).not.toContain('nothing')
  })
})

const SENDER: TeamInput = {
  name: 'notice_team',
  purpose: 'Sends a notice.',
  keywords: ['send the notice'],
  agents: [
    {
      name: 'sender',
      purpose: 'Sends it.',
      tools: ['notify'],
      task: 'Send it.',
      call: { tool: 'notify', input: { text: 'late' } },
    },
  ],
  checks: [{ question: 'Send the notice.' }],
}

describe('what comes from outside', () => {
  it.each([
    ['a tool that is not here', { tools: ['wire_money'] }, '"wire_money", which this installation does not have'],
    ['a team that is not here', { tools: ['team:other'] }, '"team:other", which this installation does not have'],
    ['a name of a role', { name: 'composer', tools: ['run_python'] }, 'The name "composer" is taken'],
    [
      'a call that does not fit',
      { tools: ['mcp_db_query'], call: { tool: 'mcp_db_query', input: { query: 'x' } } },
      'does not fit the input of "mcp_db_query"',
    ],
    [
      'a call of a tool that it is not given',
      { tools: ['run_python'], call: { tool: 'mcp_db_query', input: {} } },
      'let "sender" call "mcp_db_query"',
    ],
    [
      'itself as a member',
      { tools: ['team:notice_team'] },
      '"team:notice_team", which this installation does not have',
    ],
    ['a field of its own', { tools: ['run_python'], effect: 'read' }, 'there is no such field'],
    ['someone to wait for who is not there', { tools: ['run_python'], after: ['nobody'] }, 'wait for "nobody"'],
    [
      'a circle',
      { tools: ['run_python'], after: ['sender'] },
      'agents: These tasks wait for each other in a circle: "sender" → "sender".',
    ],
  ])('is refused with %s, and nobody is asked', async (_what, change, reason) => {
    const app = await open()
    const { call: _call, ...member } = SENDER.agents[0]!
    const { answer, metadata } = await app.ask(given({ ...SENDER, agents: [{ ...member, ...change }] }))
    expect(answer).toContain(reason)
    expect(metadata.isAnswered).toBe(false)
    expect(await app.runs.approvals({})).toEqual([])
    expect(await app.teams.teams('local')).toEqual([])
  })

  it('in the trial no call that changes something leaves, whatever the settings allow; in use each is asked for', async () => {
    const sent: string[] = []
    const notify = defineTool({
      name: 'notify',
      description: 'sends a notice',
      effect: 'irreversible',
      input: z.object({ text: z.string() }),
      run: async ({ text }) => void sent.push(text),
    }) as Tool<unknown, unknown>
    const app = await open({ tools: [notify], config: { approvals: { allow: ['notify', 'save_team'] } } })
    const { response } = await decided(app, given(SENDER))
    expect(response.answer).toContain('Held back in the trial: notify.')
    expect(sent).toEqual([])
    // The team came from a file, so the settings do not replace the question.
    const runId = await app.start('Send the notice')
    const asked = await vi.waitUntil(async () => (await app.runs.approvals({ status: 'pending' }))[0], {
      timeout: 60_000,
    })
    await app.runs.decide(asked.approvalId, 'approved', 'ann')
    await app.runs.outcome(runId)
    expect(sent).toEqual(['late'])
  })
})

describe('with a model', () => {
  let server: ModelServer
  const model = { models: { providers: [{ kind: 'compatible', baseUrl: '', defaultModel: 'scripted' }] } } as const
  const withModel = (): AppOptions => ({
    models: { providers: [{ ...model.models.providers[0], baseUrl: server.url }] },
  })

  const CODE = `contracts = {row["contract_id"]: row for row in data["contracts"]}
bad = []
for row in data["invoices"]:
    other = contracts.get(row["contract_id"])
    if other is None or float(row["unit_price"]) != float(other["unit_price"]) or row["currency"] != other["currency"]:
        bad.append({"invoice_id": row["invoice_id"]})
bad`
  const DESIGN: TeamInput = {
    name: 'invoice_control',
    purpose: 'Holds invoices against their contracts.',
    keywords: ['invoices against contracts', 'invoices against the contracts'],
    strategy: 'supervisor',
    supervisor: 'Be strict.',
    agents: [
      {
        name: 'invoices',
        purpose: 'Reads invoices.',
        tools: ['mcp_db_query'],
        task: 'Read them.',
        call: { tool: 'mcp_db_query', input: { database: 'books', sql: 'SELECT * FROM invoices' } },
      },
      {
        name: 'contracts',
        purpose: 'Reads contracts.',
        tools: ['mcp_db_query'],
        task: 'Read them.',
        call: { tool: 'mcp_db_query', input: { database: 'books', sql: 'SELECT * FROM contracts' } },
      },
      {
        name: 'judge_of_rows',
        purpose: 'Finds deviations.',
        tools: ['run_python'],
        task: 'List invoices that deviate.',
        after: ['invoices', 'contracts'],
      },
      { name: 'writer', purpose: 'Writes.', task: 'Write the report.', after: ['judge_of_rows'] },
    ],
    checks: [{ question: 'Hold the invoices against the contracts.', contains: ['INV-3', 'INV-18'] }],
  }
  const BUILD: RequestInput = { question: GOAL, strategy: 'pipeline' }
  const RULES: readonly Rule[] = [
    NOTHING_TO_REMEMBER,
    {
      when: ASKED.planner,
      reply: ({ text }: ModelRequest) => ({
        json: {
          agents: [text.includes('Build me a team') ? 'architect' : 'invoice_control'],
          rationale: 'It fits.',
          confidence: 0.9,
          standalone: '',
        },
      }),
    },
    {
      when: 'architect of teams',
      reply: ({ text }: ModelRequest) => {
        if (text.includes('To be changed'))
          return {
            json: { team: { ...DESIGN, purpose: 'Holds invoices against contracts, strictly.' }, reason: 'As wished.' },
          }
        const bad = {
          ...DESIGN,
          agents: DESIGN.agents.map((agent) => ({ ...agent, tools: ['telepathy'], call: undefined })),
        }
        return {
          json: {
            team: text.includes('<last_design>') ? DESIGN : bad,
            reason: 'Read, judge, write.',
          },
        }
      },
    },
    {
      when: 'You are the supervisor of specialist agents',
      reply: ({ text }: ModelRequest) => {
        const steps = [...text.matchAll(/^\{"id".*$/gm)].map(
          ([line]) =>
            JSON.parse(line) as { id: string; agent: string; task: string; depends_on: string[]; status: string },
        )
        const done = new Set(steps.filter(({ status }) => status === 'succeeded').map(({ id }) => id))
        const next = steps.filter(({ id, depends_on }) => !done.has(id) && depends_on.every((one) => done.has(one)))
        return {
          json: {
            thought_process: 'Next.',
            plan: steps.map(({ status: _status, ...step }) => step),
            selected_agents: next.map(({ id, agent }) => ({ agent, task: id })),
          },
        }
      },
    },
    { when: ASKED.computation, reply: callThen('run_python', { code: CODE }, 'Compared.') },
    {
      when: 'You write for a team',
      reply: ({ text }: ModelRequest) => ({
        text: `These invoices deviate: ${[...new Set(text.match(/INV-\d+/g))].join(', ')}.`,
      }),
    },
    {
      when: ASKED.compose,
      reply: ({ text }: ModelRequest) => ({ text: /Answer: (.*)/.exec(text)?.[1] ?? 'Nothing.' }),
    },
  ]
  beforeEach(async () => {
    server = await startModelServer(RULES)
  })
  afterEach(() => server.close())

  it('a design that cannot be used goes back with the reason; its usage is the run’s', async () => {
    const app = await open(withModel())
    const { response, payload } = await decided(app, BUILD)
    expect(server.requests.findLast(({ text }) => text.includes('<last_design>'))!.text).toContain(
      'The team “invoice_control” cannot be used here. “invoices” needs "telepathy"',
    )
    expect(payload.team.name).toBe('invoice_control')
    expect(response.answer).toContain('is ready')
    const again = await app.ask(BUILD)
    expect(again.answer).toContain('There is this team already: “invoice_control” (version 1)')
    const before = server.requests.length
    const used = await app.ask({ question: ASK, strategy: 'pipeline' })
    expect(tasksOf(used)).toEqual(['invoice_control'])
    expect(named(used)).toEqual(DEVIANT)
    const asked = server.requests.slice(before)
    expect(asked.some(({ text }) => text.includes('Be strict.'))).toBe(true)
    expect(used.metadata.usage.calls).toBe(asked.length)
  }, 180_000)

  it('is changed in words, keeps its name, and is rolled back', async () => {
    const app = await open(withModel())
    await decided(app, BUILD)
    const change = {
      ...architectRequest(
        'Be stricter',
        app.agents.map(({ name }) => name),
        { team_changed: 'invoice_control' },
      ),
      memory: true,
    }
    server.script([
      {
        when: ASKED.planner,
        reply: { json: { agents: ['architect'], rationale: 'Fits.', confidence: 0.9, standalone: '' } },
      },
      ...RULES,
    ])
    const { payload, response } = await decided(app, change)
    expect(payload.team.purpose).toContain('strictly')
    expect(response.answer).toContain('(version 2) is ready')
    for (const line of payload.diagram) expect(response.answer).toContain(line)
    const versions = async () =>
      (await app.teams.versions('local', 'invoice_control')).find(({ isCurrent }) => isCurrent)!.version
    expect(await versions()).toBe(2)
    await app.teams.use('local', 'invoice_control', 1)
    expect(await versions()).toBe(1)
  }, 180_000)

  it('has its slice of the budget: what it and its callers ask together is within the limit', async () => {
    const app = await open(withModel())
    await decided(app, BUILD)
    for (const maxCalls of [1, 5]) {
      const before = server.requests.length
      const used = await app.ask({ question: ASK, strategy: 'pipeline', budget: { maxCalls } })
      expect(server.requests.length - before).toBeLessThanOrEqual(maxCalls)
      expect(used.metadata.usage.calls).toBe(server.requests.length - before)
    }
  }, 180_000)
})
