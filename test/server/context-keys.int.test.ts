import { describe, expect, it } from 'vitest'
import { OPERATOR_CONTEXT_KEYS } from '../../src/domain/context.ts'
import { startHttpWorld, type Asking } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

/** Context keys with credentials or addresses: over HTTP the operator must allow them. */

const question = 'Say hello'

/** Every way to send a context, with the body of the endpoint. */
type Way = readonly [path: string, body: (context: object) => object, method?: 'PATCH']
const WAYS: readonly Way[] = [
  ['/query', (context) => ({ question, context })],
  ['/query/stream', (context) => ({ question, context })],
  [
    '/query/stream?format=ui',
    (context) => ({ id: 'c1', messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }], context }),
  ],
  [
    '/query/stream?format=ag-ui',
    (context) => ({
      threadId: 'c2',
      runId: 'r1',
      messages: [{ role: 'user', content: question }],
      forwardedProps: { context },
    }),
  ],
  ['/runs', (context) => ({ question, context })],
  ['/runs/r1/fork', (context) => ({ from: 'plan:1', context })],
  ['/conversations/c1/branches', (context) => ({ turn: 1, context })],
  ['/schedules', (context) => ({ cron: '0 9 * * *', request: { question, context } })],
  ['/schedules/s1', (context) => ({ request: { question, context } }), 'PATCH'],
  [
    '/evaluations/cases',
    (context) => ({ cases: JSON.stringify({ question, expect: { contains: ['hello'] }, context }) }),
  ],
  ['/v1/chat/completions', (context) => ({ model: 'tutti', messages: [{ role: 'user', content: question }], context })],
]

describe('context keys of the operator', () => {
  const world = openForAll(() => startHttpWorld())
  const allowing = openForAll(() => startHttpWorld({ config: { server: { allowContextKeys: ['api_bearer_token'] } } }))
  const send = ([path, body, method]: Way, context: object): [string, Asking] => [
    path,
    { json: body(context), ...(method === undefined ? {} : { method }) },
  ]

  it.each(WAYS.map((way) => [way[0], way] as const))(
    'are refused by %s, which names key and setting',
    async (path, way) => {
      // A key needs a further scope for schedules.
      const callers = path.startsWith('/schedules') ? ['ada', 'root'] : ['ada', 'root', 'key-ask']
      for (const as of callers) {
        for (const key of as === 'ada' ? OPERATOR_CONTEXT_KEYS : (['api_token_file'] as const)) {
          const [address, asking] = send(way, { [key]: 'x' })
          const response = await world.fetch(address, { ...asking, as })
          expect([as, key, response.status]).toEqual([as, key, 403])
          const text = await response.text()
          expect(text).toContain(key)
          expect(text).toContain('allowContextKeys')
        }
      }
    },
  )

  it('are accepted one by one where the configuration allows them', async () => {
    const runs = WAYS.find(([path]) => path === '/runs')!
    const status = async (context: object) => (await allowing.fetch(...send(runs, context))).status
    expect(await status({ api_bearer_token: 'x', region: 'north' })).toBe(202)
    expect(await status({ api_bearer_token: 'x', base_url: 'https://example.com' })).toBe(403)
  })

  it('are accepted from the library', async () => {
    const context = { api_base_url: 'https://example.com', api_token_file: 'token' }
    await expect(world.app.as('ada').start({ question, context })).resolves.toEqual(expect.any(String))
  })
})
