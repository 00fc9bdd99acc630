import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import type { RunEvent } from '../../src/domain/events.ts'
import { eventually } from '../support/engine-world.ts'
import { sqlLoop, startModelServer, TOOL_AGENT, toolCall, type Reply, type Rule } from '../support/model-server.ts'
import {
  ASKED,
  callThen,
  createDemo,
  NOTHING_TO_REMEMBER,
  pendingApproval,
  planReply,
  takeInDocuments,
  task,
  writtenMails,
  searchThenSay,
} from './support.ts'
import { openForAll } from '../support/opened.ts'

/** A chain of tasks with the real agents: documents, code after approval, mail after approval, and a parallel query. */

const QUESTION =
  'Find sales data in my docs, write Python code to analyze the trend, then email the report to my manager'
const MANAGER = 'saoirse.quill@brindlemoor-coffee.example'
const CODE = 'prices = [24.0, 27.0, 30.0]\nresult = prices[-1] - prices[0]\nprint(f"The trend is +{result:.0f} EUR")'

const demo = openForAll(createDemo)
const server = openForAll(() => startModelServer())
let app: App

beforeAll(async () => {
  await takeInDocuments(demo, 'price-list-2026.xlsx', 'roasting-notes.md')
  await demo.configure({ mail: { contacts: { manager: MANAGER } } })
})
afterEach(() => app.close())

const SIDE_SQL = 'SELECT count(*) AS customers FROM customers'

function isMail({ text }: { readonly text: string }): boolean {
  return text.includes(TOOL_AGENT) && text.includes('## Mail')
}

const SCRIPT: Rule[] = [
  NOTHING_TO_REMEMBER,
  {
    when: ASKED.plan,
    reply: planReply([
      task('rag', 'rag', 'Find the list prices of coffee'),
      task('sql', 'sql', 'Count the customers'),
      task('code', 'code', 'Analyze the trend of the prices', ['rag']),
      task('mail', 'mail', 'Send the report to my manager', ['code']),
    ]),
  },
  ...searchThenSay('list price of coffee', 'Prices went from 24 to 30 EUR [s1].'),
  { when: ASKED.code, reply: callThen('execute_code', { code: CODE }, 'Prices rose by 6 EUR.') },
  // Slower than the steps to the first approval, so that it still runs when that is requested.
  ...sqlLoop(SIDE_SQL, 'Done.').map((rule) => ({ ...rule, reply: { ...(rule.reply as Reply), latencyMs: 1_000 } })),
  {
    when: isMail,
    times: 1,
    reply: toolCall('send_email', {
      to: [`manager <${MANAGER}>`],
      subject: 'Trend of prices',
      body: 'Prices rose by 6 EUR.',
    }),
  },
  { when: isMail, reply: { text: 'Sent.' } },
  { when: ASKED.compose, reply: ({ text }) => ({ text: [...text.matchAll(/Agent: [^<]*/g)].join('\n') }) },
]

async function start() {
  server.script(SCRIPT)
  app = await demo.open({
    env: { TUTTI_MODEL_URL: server.url, TUTTI_MODEL: 'compatible:scripted' },
    databases: [{ url: `sqlite:${demo.database}` }],
  })
  return app.start({ question: QUESTION, strategy: 'graph', trace: true })
}

const placeOf = (events: readonly RunEvent[], type: RunEvent['type'], key: string): number =>
  events.findIndex((event) => event.type === type && 'key' in event && event.key === key)

describe('documents, then code, then a mail', () => {
  it('waits for two approvals, each with the exact call, while the parallel query continues', async () => {
    const runId = await start()
    const code = await pendingApproval(app, runId)
    expect(code).toMatchObject({ tool: 'execute_code', payload: { code: CODE }, provenance: { author: 'outside' } })
    expect(code.provenance!.sources.join()).toMatch(/document /)
    await eventually(async () => (await app.runs.state(runId)).jobs.get('sql')?.status === 'succeeded')
    await app.runs.decide(code.approvalId, 'approved', 'ada')

    const mail = await pendingApproval(app, runId)
    expect(mail).toMatchObject({
      tool: 'send_email',
      payload: { to: [`manager <${MANAGER}>`], subject: 'Trend of prices', body: 'Prices rose by 6 EUR.' },
      provenance: { author: 'outside' },
    })
    expect(await writtenMails(demo.mailbox, '.Outbox')).toEqual([])
    await app.runs.decide(mail.approvalId, 'approved', 'ada')
    const state = await app.engine.outcome(runId)

    expect([...state.effects.values()].map((effect) => effect.state)).toEqual(['done', 'done'])
    const [sent, ...others] = await writtenMails(demo.mailbox, '.Outbox')
    expect(others).toEqual([])
    expect(sent).toMatchObject({ subject: 'Trend of prices' })
    expect(sent!.to).toContain(MANAGER)
    expect(sent!.text).toContain('Prices rose by 6 EUR.')
    const response = await app.response(runId)
    expect(response.agentResults.map(({ agent, status }) => `${agent} ${status}`)).toEqual(
      ['rag', 'sql', 'code', 'mail'].map((agent) => `${agent} succeeded`),
    )
    expect(JSON.stringify(response.agentResults[2]!.data)).toContain('The trend is +6 EUR')
    expect(response.answer).toContain('Prices rose by 6 EUR.')

    const events = await app.engine.events(runId)
    const asked = placeOf(events, 'approval.requested', 'code')
    const decided = events.findIndex(({ type }) => type === 'approval.decided')
    const settled = placeOf(events, 'job.settled', 'sql')
    expect(placeOf(events, 'job.started', 'sql')).toBeLessThan(placeOf(events, 'job.settled', 'rag'))
    expect([asked, settled, decided]).toEqual([asked, settled, decided].toSorted((a, b) => a - b))
    expect(placeOf(events, 'job.started', 'mail')).toBeGreaterThan(placeOf(events, 'job.settled', 'code'))
  })
})
