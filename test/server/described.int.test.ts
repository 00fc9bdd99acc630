import { beforeAll, describe, expect, it } from 'vitest'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly security?: unknown
  readonly responses: { readonly default: { readonly content: object } }
}

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const world = openForAll(() => startHttpWorld())
let description: Described
beforeAll(async () => {
  description = await world.json<Described>('/openapi.json')
})

describe('/openapi.json', () => {
  it('names role and scope of each non-public endpoint', () => {
    const silent = Object.entries(description.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { description: said = '', security }]) => {
        const isPublic = JSON.stringify(security) === '[]'
        const isSaid = /^Needs the role (?:viewer|member|admin) and, of a key, the scope \w+(?: or \w+)?\.$/.test(said)
        return isPublic === isSaid ? [`${method} ${path}`] : []
      }),
    )
    expect(silent).toEqual([])
  })

  it('describes each endpoint, and the media type of its errors', () => {
    const operations = Object.entries(description.paths).filter(([path]) => !path.startsWith('/v1/'))
    for (const [path, methods] of operations) {
      for (const { summary, responses } of Object.values(methods)) {
        expect([path, summary, Object.keys(responses.default.content)]).toEqual([
          path,
          expect.stringMatching(/\w/),
          ['application/problem+json', ...(path === '/mcp' ? ['application/json'] : [])],
        ])
      }
    }
  })

  it('marks no request field as readOnly, because generated clients would omit it', () => {
    expect(JSON.stringify(description)).not.toContain('"readOnly":true')
  })
})

/** Addresses for third-party protocols and public ones, which accept unknown parameters. */
const FREE = /^\w+ (?:\/v1\/|\/mcp$|\/$|\/(?:health|ready|openapi\.json)$|\/(?:session|shared|hooks)\b)/

describe('an unknown parameter', () => {
  it('is refused by every endpoint that is not public, by its name', async () => {
    // Endpoints with a body validate it first, so only those without a body are tried.
    const bodiless = world.routes.filter((route) => /^(?:GET|DELETE) /.test(route))
    const refusals = await Promise.all(
      bodiless.map(async (route) => {
        const [method, path] = route.replaceAll(/:\w+/g, 'nothing').split(' ') as [string, string]
        const answer = await world.fetch(`${path}?stat=failed`, { as: 'root', method })
        return { route, status: answer.status, isNamed: (await answer.text()).includes('stat') }
      }),
    )
    const taken = refusals.filter(({ status, isNamed }) => status !== 400 || !isNamed).map(({ route }) => route)
    expect(taken.filter((route) => !FREE.test(route))).toEqual([])
  })
})
