import { describe, expect, it } from 'vitest'
import { ROLES, SCOPES, type Caller, type Scope } from '../domain/caller.ts'
import { ACTIONS, isPermitted, type Grant, type Grantee, type Level, type Shared } from './permissions.ts'

const person = (
  userId: string,
  role: Caller['role'],
  groups: string[] = [],
  scopes: readonly Scope[] = SCOPES,
): Caller => ({
  userId,
  role,
  groups,
  scopes,
  kind: scopes === SCOPES ? 'person' : 'key',
})

const CALLERS: Readonly<Record<string, Caller | undefined>> = {
  nobody: undefined,
  viewer: person('v', 'viewer'),
  member: person('m', 'member'),
  admin: person('a', 'admin'),
  owner: person('o', 'member'),
  'owner, now viewer': person('o', 'viewer'),
  'in the group': person('g', 'member', ['other', 'sales']),
  'viewer in it': person('w', 'viewer', ['sales']),
  'key to read': person('m', 'member', ['sales'], ['read']),
  'key to decide': person('a', 'admin', ['sales'], ['decide', 'ask']),
}

const reads = (...to: Grantee[]): Grant[] => to.map((one) => ({ to: one, level: 'reader' }))
const edits = (...to: Grantee[]): Grant[] => to.map((one) => ({ to: one, level: 'editor' }))

const SOURCES: readonly (readonly [string, Shared])[] = [
  ['given to nobody', { grants: [] }],
  ['everyone reads', { grants: reads('everyone') }],
  ['everyone edits', { grants: edits('everyone') }],
  ['sales reads', { grants: reads('group:sales') }],
  ['sales edits', { grants: edits('group:sales') }],
  ['m edits, others read', { grants: [...edits('user:m'), ...reads('everyone')] }],
  ['a group called m', { grants: edits('group:m', 'group:v', 'user:sales') }],
  ['own', { owner: 'o', grants: [] }],
  ['own, sales edits', { owner: 'o', grants: edits('group:sales') }],
  ['own, the admin reads', { owner: 'o', grants: reads('user:a') }],
]

/** For each source, what each caller may: u(se), e(dit), s(hare), or nothing. */
const TABLE = `
nobody             -  -  -   -   -   -   -  -   -   -
viewer             -  u  u   -   -   u   -  -   -   -
member             -  u  ue  -   -   ue  -  -   -   -
admin              ues ues ues ues ues ues ues - - u
owner              -  u  ue  -   -   u   -  ues ues ues
owner, now viewer  -  u  u   -   -   u   -  u   u   u
in the group       -  u  ue  u   ue  u   -  -   ue  -
viewer in it       -  u  u   u   u   u   -  -   u   -
key to read        -  u  u   u   u   u   -  -   u   -
key to decide      -  -  -   -   -   -   -  -   -   -
`

describe('may', () => {
  const rows = TABLE.trim()
    .split('\n')
    .map((line) => /^(.{17}) +(.+)$/.exec(line)!.slice(1))
  const cases = rows.flatMap(([caller, cells]) =>
    cells!
      .split(/ +/)
      .map((cell, i) => [caller!.trim(), SOURCES[i]![0], cell === '-' ? '' : cell, SOURCES[i]![1]] as const),
  )

  it('has a table of 100 cases', () => expect(cases).toHaveLength(100))

  it.each(cases)('%s, %s: “%s”', (caller, _source, expected, shared) => {
    expect(caller in CALLERS).toBe(true)
    const can = ACTIONS.filter((action) => isPermitted(CALLERS[caller], action, shared))
    expect(can.map((action) => action[0]).join('')).toBe(expected)
  })

  it('gives exactly the granted rights in every small world, and more grants never remove rights', () => {
    const levels: readonly (Level | undefined)[] = [undefined, 'reader', 'editor']
    const grantees: readonly Grantee[] = ['everyone', 'group:g', 'user:me', 'group:else', 'user:else']
    const worlds = grantees.reduce<Grant[][]>(
      (found, to) =>
        found.flatMap((grants) => levels.map((level) => (level === undefined ? grants : [...grants, { to, level }]))),
      [[]],
    )
    const scopes: Scope[][] = [
      [],
      ['read'],
      ['documents'],
      ['admin'],
      ['read', 'documents'],
      ['read', 'admin'],
      [...SCOPES],
    ]
    let count = 0
    const wrong: unknown[] = []
    for (const grants of worlds) {
      for (const owner of [undefined, 'me', 'else']) {
        const shared = { grants, ...(owner === undefined ? {} : { owner }) }
        for (const [rank, role] of ROLES.entries()) {
          for (const groups of [[], ['g']]) {
            const mine = grants.filter(
              ({ to }) => to === 'everyone' || to === 'user:me' || (to === 'group:g' && groups.length > 0),
            )
            const isMine = owner === 'me' || (owner === undefined && role === 'admin')
            for (const allowed of scopes) {
              const caller: Caller = { userId: 'me', role, groups, scopes: allowed, kind: 'key' }
              const has = (scope: Scope): boolean => allowed.includes(scope)
              // A second implementation, written from the documentation.
              const expected = {
                use: has('read') && (isMine || mine.length > 0),
                edit: has('documents') && rank > 0 && (isMine || mine.some(({ level }) => level === 'editor')),
                share: has('admin') && rank > 0 && isMine,
              }
              for (const action of ACTIONS) {
                count++
                const can = isPermitted(caller, action, shared)
                if (can !== expected[action]) wrong.push({ caller, action, shared, can })
                // Grants to other users change nothing.
                if (can !== isPermitted(caller, action, { ...shared, grants: mine }))
                  wrong.push({ caller, action, shared, mine })
                if (isPermitted(undefined, action, shared)) wrong.push(shared)
              }
            }
          }
        }
      }
    }
    expect(wrong).toEqual([])
    expect(count).toBe(243 * 3 * 3 * 2 * 7 * 3)
  })
})
