import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpWorld, type HttpWorld } from '../../test/support/http-server.ts'

let world: HttpWorld
beforeAll(async () => void (world = await startHttpWorld({ documents: [] })))
afterAll(() => world.close())

/** A request whose context lies so deep, of lists and objects. */
function nested(levels: number, isList: (level: number) => boolean): string {
  const marks = Array.from({ length: levels }, (_, level) => (isList(level) ? ['[', ']'] : ['{"a":', '}']))
  const [open, close] = [marks.map(([mark]) => mark), marks.map(([, mark]) => mark).toReversed()]
  return `{"question": "What is 6 times 7?", "context": {"a": ${open.join('')}1${close.join('')}}}`
}

const send = (path: string, body: string) =>
  world.fetch(path, { method: 'POST', body, headers: { 'content-type': 'application/json' } })

it.each(['/query', '/schedules', '/v1/chat/completions', '/query/stream?format=ag-ui', '/teams/check', '/mcp'])(
  'refuses a body that is nested too deeply: %s',
  async (path) => {
    for (const levels of [201, 5_000, 150_000]) {
      for (const isList of [() => true, () => false, (level: number) => level % 2 === 0]) {
        expect([levels, (await send(path, nested(levels, isList))).status]).toEqual([levels, 400])
      }
    }
    expect(world.trouble).toEqual([])
  },
)

it('accepts the maximum depth, and ignores brackets in strings', async () => {
  expect(
    (
      await send(
        '/query',
        nested(198, () => true),
      )
    ).status,
  ).toBe(200)
  const texts = fc.array(fc.constantFrom('[', '{', ']', '}', '"', '\\', 'a', '\u2028'), { maxLength: 900 })
  await fc.assert(
    fc.asyncProperty(texts, async (marks) => {
      const body = JSON.stringify({ team: { name: marks.join('') } })
      expect((await send('/teams/check', body)).status).toBe(200)
    }),
    { numRuns: 50 },
  )
})
