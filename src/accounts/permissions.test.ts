import { expect, it } from 'vitest'
import { ROLES, SCOPES, type Caller, type Scope } from '../domain/caller.ts'
import { ACTIONS, isPermitted, type Grant, type Grantee, type Level } from './permissions.ts'

it('gives exactly the granted rights in every small world, whatever is granted to others', () => {
  const levels: readonly (Level | undefined)[] = [undefined, 'reader', 'editor']
  const grantees: readonly Grantee[] = ['everyone', 'group:g', 'user:me', 'group:me', 'user:g']
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
    ['ask', 'decide'],
    [...SCOPES],
  ]
  let count = 0
  const wrong: unknown[] = []
  for (const grants of worlds) {
    for (const owner of [undefined, 'me', 'else']) {
      const shared = { grants, ...(owner === undefined ? {} : { owner }) }
      for (const [rank, role] of ROLES.entries()) {
        for (const groups of [[], ['g'], ['other', 'g']]) {
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
  expect(count).toBe(243 * 3 * 3 * 3 * 8 * 3)
})
