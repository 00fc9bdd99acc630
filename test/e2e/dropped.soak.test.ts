// Soak test: asks questions of many parts with every strategy.
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/app/user-app.ts'
import { startDemoApi, DEMO_API_KEY, type DemoApi } from '../../src/demo/api/server.ts'
import { createDemoDatabase } from '../../src/demo/copy.ts'
import { createMcpWorld, rawServer, type McpWorld } from '../mcp/support.ts'

/**
 * Every part of a question with a change is called or reported as not answered. Tests pairs of requests, the second
 * of which says “it”, with the operations of the demo API and the tools of a server.
 */

let world: McpWorld
let api: DemoApi
let app: App
beforeAll(async () => {
  world = await createMcpWorld()
  const databasePath = join(world.folder, 'shop.sqlite')
  await createDemoDatabase(databasePath)
  api = await startDemoApi({ databasePath, port: 0 })
  const field = (name: string) => `${name}: { type: 'string' }`
  const takes = (...names: string[]): string =>
    `{ inputSchema: { type: 'object', properties: { ${names.map(field).join(', ')} }, required: ${JSON.stringify(names)} } }`
  const files = rawServer(`(method, { name }) => method !== 'tools/list' ? text('Did ' + name) : { tools: [
    tool('read_file', ${takes('path')}), tool('write_file', ${takes('path', 'content')}), tool('delete_file', ${takes('path')}),
    tool('pay', ${takes('to')}), tool('receipts'),
  ] }`)
  const mcp = await world.servers({ files: { ...files, trustHints: true, reads: ['read_file', 'receipts'] } })
  app = await world.open({ apis: [{ catalogue: `${api.url}/openapi.json` }], apiKey: DEMO_API_KEY, mcpFiles: [mcp] })
})
afterAll(async () => {
  await world.close()
  await api.close()
})

interface Said {
  readonly text: string
  /** With “it” instead of the object. */
  readonly again: string
  readonly tool: RegExp
}
const of = (thing: string, calls: Readonly<Record<string, RegExp>>): readonly Said[] =>
  Object.entries(calls).map(([text, tool]) => ({ text, again: text.replace(thing, 'it'), tool }))

const THINGS: readonly (readonly Said[])[] = [
  of('path=w1.txt', { 'write_file path=w1.txt content=hi': /write_file/, 'read_file path=w1.txt': /read_file/ }),
  of('w1.txt', {
    'read w1.txt': /read_file/,
    'read the file w1.txt': /read_file/,
    'delete the file w1.txt': /delete_file/,
  }),
  of('order 915', { 'show order 915': /^GET/, 'cancel order 915': /^(?:POST|PATCH|PUT|DELETE)/ }),
]

const JOINTS: readonly ((one: string, other: string) => string)[] = [
  (one, other) => `${one} and ${other}`,
  (one, other) => `${one}, then ${other}`,
  (one, other) => `${one} and then ${other}`,
  (one, other) => `${one}. Then ${other}`,
  (one, other) => `${one}, but first ${other}`,
  (one, other) => `Before you ${one}, ${other}`,
  (one, other) => `After you ${one}, ${other}`,
]

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)

const calledAs = (name: string, input: unknown): string =>
  `${(input as { method?: string } | undefined)?.method ?? ''} ${name}`.trim()

/** Returns the tool calls of a run; API calls with their method. */
async function calledBy(question: string, strategy: string) {
  const runId = await app.start({ question, strategy, memory: false })
  const ended = app.runs.outcome(runId).then(() => true)
  while (!(await Promise.race([ended, setTimeout(20, false)]))) {
    for (const { approvalId } of await app.runs.approvals({ runId, status: 'pending' })) {
      await app.runs.decide(approvalId, 'approved', 'ada').catch(() => undefined)
    }
  }
  const calls = (await app.runs.events(runId)).flatMap((event) => {
    if (event.type === 'effect.intended') return [calledAs(event.tool, event.payload)]
    const isCall = event.type === 'call.finished' && event.kind === 'tool' && event.error === undefined
    return isCall ? [calledAs(event.name, event.input)] : []
  })
  return { calls, response: await app.response(runId) }
}

it.each(['graph', 'supervisor', 'pipeline'])('is done or named: %s', async (strategy) => {
  const pair = fc
    .constantFrom(...THINGS)
    .chain((said) => fc.tuple(fc.constantFrom(...said), fc.constantFrom(...said)))
    .filter(([one, other]) => String(one.tool) !== String(other.tool) && !other.text.includes('content='))
  await fc.assert(
    fc.asyncProperty(pair, fc.constantFrom(...JOINTS), async ([one, other], joined) => {
      const question = capital(joined(one.text, other.again))
      const { calls, response } = await calledBy(question, strategy)
      const isDone = ({ tool }: Said): boolean => calls.some((name) => tool.test(name))
      const { isAnswered, unanswered } = response.metadata
      const isNamed = !isAnswered || unanswered.length > 0
      expect((isDone(one) && isDone(other)) || isNamed, `${question}\n${calls.join()}\n${response.answer}`).toBe(true)
    }),
    { numRuns: Number(process.env['TUTTI_TEST_RUNS'] ?? 15) },
  )
})
