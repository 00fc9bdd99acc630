// Soak test: counts the approvals of forty tasks.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { approvalView } from '../../src/domain/run-view.ts'
import { createDemo, NOTHING_TO_REMEMBER, takeInDocuments, type Demo } from '../e2e/support.ts'
import { SEARCH_URL, startOutside, type Outside } from '../e2e/outward/outside.ts'
import { startModelServer, type ModelRequest, type ModelServer, type Reply } from '../support/model-server.ts'
import { EVERYDAY, type Exchange, type Kind } from './everyday-tasks.ts'

/** How often `direct` asks for approval in everyday tasks, with everything connected and a model that makes the natural calls. */

const ANSWER = 'That is how it is.'

let demo: Demo
let outside: Outside
let models: ModelServer
let app: App
beforeAll(async () => {
  ;[demo, outside, models] = await Promise.all([createDemo(), startOutside(), startModelServer()])
  await takeInDocuments(demo, 'returns-policy.pdf', 'minutes-2026-09.txt', 'roasting-notes.md')
  const files = { name: 'files', command: process.execPath, args: [join(import.meta.dirname, 'files-server.mjs')] }
  const reads = ['list_files', 'list_directory', 'search_files', 'read_file']
  await demo.configure({
    databases: [{ name: 'shop', url: `sqlite:${demo.database}` }],
    http: { proxyFromEnv: true },
    mcp: [{ ...files, reads }],
  })
  const model = { TUTTI_MODEL_URL: models.url, TUTTI_MODEL: 'compatible:scripted' }
  const web = { HTTP_PROXY: outside.proxy, TUTTI_SEARXNG_URL: SEARCH_URL }
  app = await demo.open({ allowHosts: [], env: { ...model, ...web } })
}, 120_000)
afterAll(async () => {
  await app.close()
  await Promise.all([demo.close(), outside.close(), models.close()])
})

/** The reply to a request of the assistant, by the number of finished turns. */
function replyTo({ turns }: Exchange, { messages }: ModelRequest): Reply {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const since = messages.slice(asked + 1)
  const calls = turns[since.filter(({ role }) => role === 'assistant').length]
  if (calls === undefined) return { text: ANSWER }
  const given = typeof calls === 'function' ? calls(since.at(-1)?.text ?? '') : calls
  return { toolCalls: given.map(([name, input]) => ({ name, arguments: input })) }
}

/** Asks, and approves with the first scope that each card offers. */
async function askOne(one: Exchange, conversationId: string | undefined) {
  models.script([NOTHING_TO_REMEMBER, { reply: (request) => replyTo(one, request) }])
  const runId = await app.start({ question: one.question, ...(conversationId && { conversationId }) })
  const cards = new Set<string>()
  for await (const event of app.engine.stream(runId)) {
    if (event.type !== 'approval.requested') continue
    const [approval] = await app.runs.approvals({ approvalId: event.approvalId })
    const { approvalId, step = approvalId, scopes = ['once'] } = approvalView(approval!)
    cards.add(step)
    // Another approval of the step may already cover it.
    await app.runs.decide(approvalId, 'approved', 'ada', undefined, { scope: scopes[0]! }).catch(() => undefined)
  }
  const { transcripts } = await app.engine.state(runId)
  const answers = [...transcripts.values()].flatMap(({ turns }) => turns.flatMap((turn) => [...turn.answers.values()]))
  const { metadata, answer } = await app.response(runId)
  const failures = answers.flatMap(({ error }) => error?.message ?? [])
  return { cards: cards.size, answer, failures, conversationId: metadata.conversationId }
}

const MAX_CARDS: Readonly<Record<Kind, number>> = {
  database: 0,
  documents: 0,
  mailbox: 0,
  'MCP server': 0,
  web: 1,
  'irreversible action': 1,
}

test('everyday tasks need one approval for an irreversible action, at most one per conversation for the web, and otherwise none', async () => {
  const conversations: { readonly kind: Kind; readonly first: string; readonly cards: number }[] = []
  for (const { kind, exchanges } of EVERYDAY) {
    let conversationId: string | undefined
    let cards = 0
    for (const one of exchanges) {
      const done = await askOne(one, conversationId)
      expect([done.answer, ...done.failures], one.question).toEqual([ANSWER])
      conversationId = done.conversationId
      cards += done.cards
    }
    conversations.push({ kind, first: exchanges[0]!.question, cards })
  }
  const rows = Object.keys(MAX_CARDS).map((kind) => {
    const cards = conversations.filter((one) => one.kind === kind).map((one) => one.cards)
    return [kind, { conversations: cards.length, exchanges: 3 * cards.length, 'most cards': Math.max(...cards) }]
  })
  console.table(Object.fromEntries(rows))
  expect(conversations).toHaveLength(40)
  expect(conversations.filter(({ kind, cards }) => cards > MAX_CARDS[kind])).toEqual([])
  expect(conversations.filter(({ kind, cards }) => kind === 'irreversible action' && cards !== 1)).toEqual([])
}, 180_000)
