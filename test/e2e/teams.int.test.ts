import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import type { AppOptions } from '../../src/app/config/options.ts'
import { createDemoFreight, DEMO_FREIGHT_NAME } from '../../src/app/demo-data.ts'
import { runDetailView } from '../../src/domain/run-view.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import type { RequestInput } from '../../src/domain/request.ts'
import type { TeamInput } from '../../src/domain/team.ts'
import { defineTool, type Tool } from '../../src/domain/tool.ts'
import { openForAll } from '../support/opened.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { decideNext } from './support.ts'

/** Teams without a model, from the file to the answer: in the demo, one invoice is in another currency. */

const folder = temporaryFolder()
beforeAll(() => createDemoFreight(folder))

function open(data: string, options: AppOptions = {}): Promise<App> {
  const databases = [{ url: `sqlite:${join(folder, DEMO_FREIGHT_NAME)}`, name: 'freight' }]
  return createApp({ storage: { folder: join(folder, data) }, databases, cwd: folder, ...options })
}

/** Asks, and decides the only approval. */
async function decided(app: App, request: RequestInput, choice: 'approved' | 'denied' = 'approved') {
  const runId = await app.start(request)
  const { tool, reason } = await decideNext(app, runId, choice)
  expect(tool).toBe('save_team')
  await app.runs.outcome(runId)
  return { response: await app.response(runId), reason }
}

const given = (team: unknown): RequestInput => ({
  question: 'Take the team from a file',
  preferAgents: ['architect'],
  disableAgents: ['sql', 'rag', 'computation'],
  context: { team_given: team, architect_alone: true },
  strategy: 'pipeline',
})

const tasksOf = ({ agentResults }: RunResponse): string[] => agentResults.map(({ agent }) => agent)

const OTHER = "invoices WHERE currency <> 'EUR'"
const queryCall = (sql: string) => ({ tool: 'mcp_db_query', input: { database: 'freight', sql } })
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
      call: queryCall(`SELECT invoice_id, currency FROM ${OTHER}`),
    },
  ],
  checks: [{ question: 'Do the currency audit.', contains: ['FI-106'] }],
}

describe('without a model', () => {
  const app = openForAll(() => open('shared'))

  it('a fixed call gets the date of the question', async () => {
    const [reader] = AUDIT.agents
    const call = queryCall(`SELECT invoice_id, '{current_date}' AS day FROM ${OTHER}`)
    const question = 'Do the dated review'
    const dated = { ...AUDIT, name: 'dated_team', keywords: ['dated review'], checks: [{ question }] }
    await decided(app, given({ ...dated, agents: [{ ...reader!, call }] }))
    const { answer } = await app.ask({ question, context: { current_date: '2031-02-03' } })
    expect(answer).toContain('2031-02-03')
  })

  it('a team from a file is approved, tried in shadow, and an agent for the next question in every strategy', async () => {
    const { response, reason } = await decided(app, given(AUDIT))
    expect(reason).toContain('comes in part from outside: a file with a team')
    expect(response.answer).toContain('“audit_team” (version 1) is ready')
    const [trial] = await app.store.runs({ parentId: response.metadata.runId })
    expect((await app.runs.state(trial!.runId)).request).toMatchObject({ shadow: true, interactive: false })
    for (const strategy of ['pipeline', 'graph', 'supervisor', 'review', 'auto']) {
      const used = await app.ask({ question: 'Do the currency audit', strategy })
      expect(tasksOf(used), strategy).toEqual(['audit_team'])
      expect([...new Set(used.answer.match(/FI-\d+/g))], strategy).toEqual(['FI-106'])
      expect(used.metadata.isAnswered, strategy).toBe(true)
    }
    expect(tasksOf(await app.ask('How many invoices are there?'))).toEqual(['sql'])
  })

  it('a denied team does not exist', async () => {
    const { response } = await decided(app, given({ ...AUDIT, name: 'denied_team' }), 'denied')
    expect(response.metadata.isAnswered).toBe(false)
    expect(await app.teams.versions('local', 'denied_team')).toEqual([])
    expect(await app.store.runs({ parentId: response.metadata.runId })).toEqual([])
  })

  it('is not used when its checks fail, with the reason', async () => {
    const checks = [{ question: 'Do it.', contains: ['FI-107'] }]
    const { response } = await decided(app, given({ ...AUDIT, name: 'failing_team', checks }))
    expect(response.answer).toContain('did not pass its checks')
    expect(response.answer).toContain('the answer does not hold “FI-107”')
    const { runId } = response.metadata
    const { jobs } = runDetailView((await app.runs.run(runId))!, await app.runs.events(runId), false)
    const failed = jobs.flatMap(({ error }) => error?.message ?? [])
    expect(failed).toHaveLength(1)
    expect(await app.teams.use('local', 'failing_team', 1)).toBe(false)
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
    const app = await open('refused')
    onTestFinished(() => app.close())
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
      [{ tools: ['run_python'], effect: 'read' }, 'unknown field'],
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
    const app = await open('sent', { tools: [notify], config: { approvals: { allow: ['notify', 'save_team'] } } })
    onTestFinished(() => app.close())
    const { response } = await decided(app, given(SENDER))
    expect(response.answer).toContain('Held back in the trial: notify.')
    expect(sent).toEqual([])
    // The team comes from a file, so the settings do not replace the approval.
    const runId = await app.start('Send the notice')
    // The call is made in the team's own run.
    await expect.poll(async () => app.runs.approvals({ status: 'pending' })).toHaveLength(1)
    const [asked] = await app.runs.approvals({ status: 'pending' })
    await app.runs.decide(asked!.approvalId, 'approved', 'ann')
    await app.runs.outcome(runId)
    expect(sent).toEqual(['late'])
  })
})
