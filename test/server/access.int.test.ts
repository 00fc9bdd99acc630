import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PEOPLE, startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

interface Row {
  readonly endpoint: string
  /** The minimum role; `everybody` for public endpoints. */
  readonly role: string
  /** One of these scopes is enough. */
  readonly scopes: readonly string[]
}

const page = await readFile(join(import.meta.dirname, '../../docs/access.md'), 'utf8')

/** The access table of docs/access.md. A new endpoint needs a row there. The tests try each endpoint as each caller. */
const ACCESS: readonly Row[] = [...page.matchAll(/^\| `(\w+ [^`]+)` \| (\w+) \| (.+?) \|$/gm)].map(
  ([, named, role, scopes]) => ({
    endpoint: named!.replaceAll(/\{(\w+)\}/g, ':$1'),
    role: role!,
    scopes: scopes!.replaceAll('`', '').split(' or '),
  }),
)

/** All callers of `PEOPLE`: each role, members of a group, and keys with each scope for each role. */
const CALLERS = [null, ...Object.keys(PEOPLE)]
const ROLES = ['viewer', 'member', 'admin']

const world = openForAll(() => startHttpWorld())

describe('access', () => {
  it('has a row for each endpoint, and no row without one', () => {
    expect(ACCESS.map(({ endpoint }) => endpoint).toSorted()).toEqual(world.routes.toSorted())
  })

  it.each(ACCESS)('$endpoint is for $role with $scopes', async ({ endpoint, role, scopes }) => {
    const [method, pattern] = endpoint.split(' ') as [string, string]
    const path = pattern.replaceAll(/:\w+/g, 'nothing')
    const seen: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const as of CALLERS) {
      const json = method === 'GET' || method === 'DELETE' ? {} : { json: {} }
      const response = await world.fetch(path, { as, ...json, method })
      await response.body?.cancel()
      const { status } = response
      seen[as ?? 'nobody'] = status === 401 ? 'not signed in' : status === 403 ? 'not allowed' : 'let in'
      const caller = as === null ? undefined : PEOPLE[as]!
      const isAllowed =
        caller !== undefined &&
        ROLES.indexOf(caller.role) >= ROLES.indexOf(role) &&
        caller.scopes.some((one) => scopes.includes(one))
      expected[as ?? 'nobody'] =
        role === 'everybody' || isAllowed ? 'let in' : as === null ? 'not signed in' : 'not allowed'
      expect(status, `${endpoint} as ${as}`).toBeLessThan(500)
    }
    expect(seen).toEqual(expected)
  })
})
