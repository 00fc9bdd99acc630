import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import type { AppOptions } from '../../src/app/config/options.ts'
import { runDetailView } from '../../src/domain/run-view.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import type { RequestInput } from '../../src/domain/request.ts'
import { parseTeam, type Team, type TeamInput } from '../../src/domain/team.ts'
import { defineTool, type Tool } from '../../src/domain/tool.ts'
import { startModelServer, type ModelRequest, type ModelServer, type Rule } from '../support/model-server.ts'
import { architectRequest } from '../../src/agents/teams/architect-request.ts'
import { teamRequest } from '../../src/agents/teams/team-agent.ts'
import { ASKED, callThen, NOTHING_TO_REMEMBER, pendingApproval } from './support.ts'

/** Teams, from the goal to the answer: 20 invoices, six of which deviate from their contracts. */

const GOAL = 'Build me a team that checks invoices against contracts and writes a report'
const ASK = 'Check the invoices against the contracts and write a report'
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

/** Asks, and decides the only approval. */
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

const tasksOf = ({ agentResults }: RunResponse): string[] => agentResults.map(({ agent }) => agent)

const AUDIT: TeamInput = {
  name: 'audit_team',
  purpose: 'Lists invoices in other currencies.',
  keywords: ['currency audit'],
  agents: [
    {
      name: 'reader',
      purpose: 'Reads invoices.',
      tools: ['mcp_db_query'],
      task: 'List the invoices in other currencies',
      call: {
        tool: 'mcp_db_query',
        input: { database: 'books', sql: "SELECT invoice_id, currency FROM invoices WHERE currency <> 'EUR'" },
      },
    },
  ],
  checks: [{ question: 'Do the currency audit.', contains: ['INV-5'] }],
}

describe('without a model', () => {
  it('a fixed call gets the date of the question', async () => {
    const app = await open()
    const [reader] = AUDIT.agents
    const sql = "SELECT invoice_id, '{current_date}' AS day FROM invoices WHERE currency <> 'EUR'"
    const call = { tool: 'mcp_db_query', input: { database: 'books', sql } }
    await decided(app, given({ ...AUDIT, agents: [{ ...reader!, call }] }))
    const { answer } = await app.ask({ question: 'Do the currency audit', context: { current_date: '2031-02-03' } })
    expect(answer).toContain('2031-02-03')
  })

  it('a team from a file is approved, tried in shadow, and an agent for the next question in every strategy', async () => {
    const app = await open()
    const { response, reason } = await decided(app, given(AUDIT))
    expect(reason).toContain('comes in part from outside: a file with a team')
    expect(response.answer).toContain('“audit_team” (version 1) is ready')
    const [trial] = await app.store.runs({ parentId: response.metadata.runId })
    expect((await app.runs.state(trial!.runId)).request).toMatchObject({ shadow: true, interactive: false })
    for (const strategy of ['pipeline', 'graph', 'supervisor', 'review', 'auto']) {
      const used = await app.ask({ question: 'Do the currency audit', strategy })
      expect(tasksOf(used), strategy).toEqual(['audit_team'])
      expect(named(used), strategy).toEqual(['INV-5'])
      expect(used.metadata.isAnswered, strategy).toBe(true)
    }
    expect(tasksOf(await app.ask('How many invoices are there?'))).toEqual(['sql'])
  })

  it('a denied team does not exist', async () => {
    const app = await open()
    const { response } = await decided(app, given(AUDIT), 'denied')
    expect(response.metadata.isAnswered).toBe(false)
    expect(await app.teams.versions('local', 'audit_team')).toEqual([])
    expect(await app.store.runs({ parentId: response.metadata.runId })).toEqual([])
  })

  it('is not used when its checks fail, with the reason', async () => {
    const app = await open()
    const { response } = await decided(app, given({ ...AUDIT, checks: [{ question: 'Do it.', contains: ['INV-6'] }] }))
    expect(response.answer).toContain('did not pass its checks')
    expect(response.answer).toContain('the answer does not hold “INV-6”')
    // The approving user sees the result, and that the team was saved.
    const { runId } = response.metadata
    const [approval] = await app.runs.approvals({ runId, status: 'approved' })
    const { jobs } = runDetailView((await app.runs.run(runId))!, await app.runs.events(runId), false)
    expect(jobs.find(({ key }) => key === approval!.key)).toMatchObject({
      status: 'failed',
      done: [approval!.approvalId],
    })
    const failed = jobs.flatMap(({ error }) => error?.message ?? [])
    expect(failed).toHaveLength(1)
    expect(await app.teams.use('local', 'audit_team', 1)).toBe(false)
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

describe('untrusted content', () => {
  it('is refused for each fault, without an approval', async () => {
    const app = await open()
    for (const [change, reason] of [
      [{ tools: ['wire_money'] }, '"wire_money", which this installation does not have'],
      [{ tools: ['team:other'] }, '"team:other", which this installation does not have'],
      [{ name: 'composer', tools: ['run_python'] }, 'The name "composer" is already in use'],
      [
        { tools: ['mcp_db_query'], call: { tool: 'mcp_db_query', input: { query: 'x' } } },
        'does not fit the input of "mcp_db_query"',
      ],
      [{ tools: ['run_python'], call: { tool: 'mcp_db_query', input: {} } }, 'let "sender" call "mcp_db_query"'],
      [{ tools: ['team:notice_team'] }, '"team:notice_team", which this installation does not have'],
      [{ tools: ['run_python'], effect: 'read' }, 'there is no such field'],
      [{ tools: ['run_python'], after: ['nobody'] }, 'wait for "nobody"'],
      [
        { tools: ['run_python'], after: ['sender'] },
        'agents: These tasks wait for each other in a circle: "sender" → "sender".',
      ],
    ] as const) {
      const { call: _call, ...member } = SENDER.agents[0]!
      const { answer, metadata } = await app.ask(given({ ...SENDER, agents: [{ ...member, ...change }] }))
      expect(answer).toContain(reason)
      expect(metadata.isAnswered).toBe(false)
      expect(await app.runs.approvals({})).toEqual([])
      expect(await app.teams.teams('local')).toEqual([])
    }
  })

  it('in the trial no changing call is sent in spite of the settings; in use each needs approval', async () => {
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
    // The team comes from a file, so the settings do not replace the approval.
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

  it('an unusable design is returned with the reason; its usage counts for the run', async () => {
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

  it('is changed by instructions, keeps its name, and is rolled back', async () => {
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
    expect(response.answer).toMatch(/\(version 2\) is ready: .* It is used in place of version 1\.\n/)
    expect(response.answer).not.toContain('until this one')
    for (const line of payload.diagram) expect(response.answer).toContain(line)
    const versions = async () =>
      (await app.teams.versions('local', 'invoice_control')).find(({ isCurrent }) => isCurrent)!.version
    expect(await versions()).toBe(2)
    await app.teams.use('local', 'invoice_control', 1)
    expect(await versions()).toBe(1)
  }, 180_000)

  it('a writer without tools gets all rows, and names open parts', async () => {
    const app = await open(withModel())
    const sql = 'SELECT invoice_id FROM invoices UNION ALL SELECT supplier FROM contracts'
    const lister = { ...AUDIT.agents[0]!, call: { tool: 'mcp_db_query', input: { database: 'books', sql } } }
    const writer = { name: 'writer', purpose: 'Writes.', task: 'Write it, and post it.', after: ['reader'] }
    const text = 'There are 30.\n<not_answered>\n- post it\n</not_answered>'
    server.script([{ when: 'You write for a team', reply: { text } }, ...RULES])
    const team = parseTeam({ ...AUDIT, agents: [lister, writer] })
    const { answer, status, metadata } = await app.ask(teamRequest(team, 'How many? Post it.'))
    expect(answer).toContain('There are 30.')
    expect(answer).not.toContain('not_answered')
    expect([status, metadata.unanswered]).toEqual(['partly', ['post it']])
    const prompt = server.requests.find(({ text: all }) => all.includes('You write for a team'))!.text
    expect(prompt).toContain('; 30 rows)\nINV-1\n')
    expect(prompt).toContain('\nSupplier 10\n')
    expect(prompt).not.toContain('read_result')
  }, 180_000)

  it('has its share of the budget: it and its callers together stay within the limit', async () => {
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
