import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { architectRequest } from '../../src/agents/teams/architect-request.ts'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import type { AppOptions } from '../../src/app/config/options.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import type { TeamInput } from '../../src/domain/team.ts'
import { DEVIATING_INVOICES } from '../../scripts/demo/freight.ts'
import { createDemoFreight, DEMO_FREIGHT_NAME } from '../../src/demo/copy.ts'
import { startModelServer, type ModelRequest, type ModelServer } from '../support/model-server.ts'
import { ASKED, callThen, NOTHING_TO_REMEMBER, pendingApproval } from './support.ts'

/** Teams that a model designs, and members whose model errs: six of the demo's 20 invoices deviate from their contracts. */

const GOAL = 'Build me a team that checks invoices against contracts and writes a report'
const ALL = DEVIATING_INVOICES.join(', ')
const query = (sql: string) => ({ tool: 'mcp_db_query', input: { database: 'freight', sql } })
const reader = (table: string): TeamInput['agents'][number] => ({
  name: table,
  purpose: `Reads ${table}.`,
  tools: ['mcp_db_query'],
  task: `Read all ${table}`,
  call: query(`SELECT * FROM ${table}`),
})
const COMPARER: TeamInput['agents'][number] = {
  name: 'comparer',
  purpose: 'Compares.',
  tools: ['run_python'],
  task: 'List the invoices that deviate from their contracts',
  after: ['invoices', 'contracts'],
}
const WRITER = { name: 'writer', purpose: 'Writes the report.', task: 'Write a report of the deviations.' }
const DESIGN: TeamInput = {
  name: 'freight_audit',
  purpose: 'Checks invoices against contracts.',
  keywords: ['audit freight invoices'],
  agents: [reader('invoices'), reader('contracts'), COMPARER, { ...WRITER, after: ['comparer'] }],
  checks: [{ question: 'Audit freight invoices.' }],
}
const CODE = `contracts = {row["contract_id"]: row for row in data["contracts"]}
result = []
for row in data["invoices"]:
    other = contracts.get(row["contract_id"])
    if other is None or row["unit_price"] != other["unit_price"] or row["currency"] != other["currency"]:
        result.append({"invoice_id": row["invoice_id"], "found": row["unit_price"]})
`
const TOLD = `Six invoices deviate: ${ALL}.`

let folder: string
let app: App
let server: ModelServer
/** Current replies of the model. */
let design: unknown
/** The first reply of the model, if different. */
let firstDesign: unknown
let code: string
let report: string
let asked: ModelRequest[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-designs-'))
  await createDemoFreight(folder)
  ;[design, firstDesign, code, report, asked] = [DESIGN, undefined, CODE, TOLD, []]
  server = await startModelServer([
    NOTHING_TO_REMEMBER,
    {
      when: 'architect of teams',
      reply: (request: ModelRequest) => {
        asked.push(request)
        return { json: { team: (asked.length === 1 && firstDesign) || design, reason: 'Fits.' } }
      },
    },
    { when: ASKED.computation, reply: (request) => callThen('run_python', { code }, 'Compared.')(request) },
    { when: 'You write for a team', reply: () => ({ text: report }) },
    {
      when: ASKED.compose,
      reply: ({ text }: ModelRequest) => ({ text: /Answer: (.*)/.exec(text)?.[1] ?? 'Nothing.' }),
    },
  ])
  app = await open()
})
afterEach(async () => {
  await app.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

function open(): Promise<App> {
  const options: AppOptions = {
    storage: { folder: join(folder, 'data') },
    databases: [{ url: `sqlite:${join(folder, DEMO_FREIGHT_NAME)}`, name: 'freight' }],
    cwd: folder,
    models: { providers: [{ kind: 'compatible', baseUrl: server.url, defaultModel: 'scripted' }] },
  }
  return createApp(options)
}

async function built(
  context: Readonly<Record<string, unknown>> = {},
): Promise<RunResponse & { readonly reason: string }> {
  const names = app.agents.map(({ name }) => name)
  const runId = await app.start(architectRequest(GOAL, names, context))
  const { approvalId, reason } = await pendingApproval(app, runId)
  await app.runs.decide(approvalId, 'approved', 'ann')
  await app.runs.outcome(runId)
  return { ...(await app.response(runId)), reason }
}

it('an approved design is saved unchanged after a restart, and unknown names return the nearest ones', async () => {
  firstDesign = { ...DESIGN, agents: [{ ...reader('invoices'), tools: ['mcp_db_quer'], call: undefined }] }
  const names = app.agents.map(({ name }) => name)
  const runId = await app.start(architectRequest(GOAL, names))
  const { approvalId, payload } = await pendingApproval(app, runId)
  expect(asked[1]!.text).toContain('The nearest name is "mcp_db_query"')
  await app.close()
  // The prompt would be different now.
  const db = new Database(join(folder, DEMO_FREIGHT_NAME))
  db.exec('CREATE TABLE carriers (name text)')
  db.close()
  design = { ...DESIGN, purpose: 'Something else.' }
  app = await open()
  await app.runs.decide(approvalId, 'approved', 'ann')
  await app.runs.outcome(runId)
  expect(asked).toHaveLength(2)
  expect((await app.teams.teams('local')).map(({ team }) => team)).toEqual([(payload as { team: unknown }).team])
})

const use = () => app.ask({ question: 'Audit freight invoices', strategy: 'pipeline' })

it('a design that failed its trial returns to the architect once, with the missing parts', async () => {
  firstDesign = { ...DESIGN, checks: [{ question: 'Which invoices deviate?', contains: ['4711'] }] }
  const names = app.agents.map(({ name }) => name)
  const runId = await app.start(architectRequest(GOAL, names))
  const first = await pendingApproval(app, runId)
  await app.runs.decide(first.approvalId, 'approved', 'ann')
  const second = await pendingApproval(app, runId)
  expect(second.reason).toContain('This is version 2')
  expect(asked.at(-1)!.text).toContain('failed: the answer does not hold “4711”')
  expect(asked.at(-1)!.text).toMatch(/<last_design>\n[^<]*Which invoices deviate\?/)
  // Columns with their stored values, and the date.
  expect(asked.at(-1)!.text).toMatch(/currency \w+.*'EUR'/)
  expect(asked.at(-1)!.text).toContain('today: ')
  expect(asked.at(-1)!.text).toContain(`The answer was: ${TOLD.slice(0, 20)}`)
  await app.runs.decide(second.approvalId, 'approved', 'ann')
  await app.runs.outcome(runId)
  expect((await app.teams.versions('local', DESIGN.name)).map(({ status }) => status)).toEqual(['ready', 'failed'])
  expect((await app.response(runId)).metadata.isAnswered).toBe(true)
})

it('a fixed query that fails returns the design before the approval', async () => {
  const wrong = { ...reader('invoices'), call: query('SELECT amount_due FROM invoices') }
  firstDesign = { ...DESIGN, agents: [wrong, ...DESIGN.agents.slice(1)] }
  const { status } = await built()
  expect(status).toBe('answered')
  expect(asked).toHaveLength(2)
  expect(asked[1]!.text).toContain('The call of “invoices” fails: ')
  expect(asked[1]!.text).toContain('amount_due')
})

it('figures without a source return a design, and the answer of the trial is shown with the team', async () => {
  const INVENTED = 'The invoices are too high by 231.52.'
  let told = INVENTED
  server.script([
    NOTHING_TO_REMEMBER,
    {
      when: 'architect of teams',
      reply: (request: ModelRequest) => {
        asked.push(request)
        if (asked.length > 1) told = 'All is paid.'
        return { json: { team: { ...(design as object), purpose: `Design ${asked.length}.` }, reason: 'Fits.' } }
      },
    },
    { when: ASKED.compose, reply: () => ({ text: told }) },
  ])
  design = { ...DESIGN, agents: [reader('invoices'), reader('contracts')] }
  const runId = await app.start(
    architectRequest(
      GOAL,
      app.agents.map(({ name }) => name),
    ),
  )
  for (const _design of [1, 2]) {
    const { approvalId } = await pendingApproval(app, runId)
    await app.runs.decide(approvalId, 'approved', 'ann')
  }
  await app.runs.outcome(runId)
  expect(asked[0]!.text).toContain('"database"')
  expect(asked[1]!.text).toContain('figures of the answer are in no source: 231.52')
  expect(asked[1]!.text).toContain(`The answer was: ${INVENTED}`)
  expect((await app.response(runId)).answer).toContain('passed.\n\n> All is paid.')
})

it('a removed team takes no question, and a new team with its name continues the numbering', async () => {
  await built()
  expect(await app.teams.remove('local', DESIGN.name)).toBe(true)
  expect((await use()).planner?.chosenAgents).not.toContain(DESIGN.name)
  await built()
  expect((await app.teams.versions('local', DESIGN.name)).map(({ version, status }) => [version, status])).toEqual([
    [2, 'ready'],
    [1, 'removed'],
  ])
})
