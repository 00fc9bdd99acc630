import { TuttiError } from '../../src/domain/errors.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createFolder } from '../support/folder.ts'
import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/user-app.ts'
import type { Role } from '../../src/domain/caller.ts'
import { ownersOf, sharedOwner } from '../../src/documents/collections.ts'
import { documentOf } from '../documents/support/stored-document.ts'
import type { Grantee, Level } from '../../src/accounts/permissions.ts'
import { openStorage } from '../../src/storage/index.ts'
import { sql } from '../../src/storage/sql/query.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { openForAll } from '../support/opened.ts'
import { createOwnDatabase } from '../support/postgres.ts'

/**
 * Who reads what, compared with plain sets. Users, groups and collections are created, given and taken away at random. Each user
 * is compared with the documents that the product returns, and on PostgreSQL with those that the database alone returns.
 */

const PERSONS = 4
const GROUPS = 2
const COLLECTIONS = 4

const index = (count: number) => fc.integer({ min: 0, max: count - 1 })
const whom = fc.oneof(
  fc.constant('everyone' as const),
  index(GROUPS).map((group) => ({ group })),
  index(PERSONS).map((person) => ({ person })),
)
const step = fc.oneof(
  fc.record({
    does: fc.constant('give' as const),
    collection: index(COLLECTIONS),
    whom,
    level: fc.constantFrom<Level>('reader', 'editor'),
  }),
  fc.record({ does: fc.constant('take' as const), collection: index(COLLECTIONS), whom }),
  fc.record({ does: fc.constant('join' as const), group: index(GROUPS), person: index(PERSONS) }),
  fc.record({ does: fc.constant('leave' as const), group: index(GROUPS), person: index(PERSONS) }),
  fc.record({ does: fc.constant('shut out' as const), person: index(PERSONS), isOut: fc.boolean() }),
  fc.record({
    does: fc.constant('role' as const),
    person: index(PERSONS),
    role: fc.constantFrom<Role>('viewer', 'member', 'admin'),
  }),
)
const owners = fc.array(fc.option(index(PERSONS)), { minLength: COLLECTIONS, maxLength: COLLECTIONS })

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Whom = typeof whom extends fc.Arbitrary<infer T> ? T : never

/** Rare at random: a user who gave away a collection is disabled and enabled again. */
const RESTING: [(number | null)[], Step[][]] = [
  [0, 1, null, null],
  [
    [
      { does: 'give', collection: 0, whom: 'everyone', level: 'reader' },
      { does: 'give', collection: 1, whom: { person: 2 }, level: 'editor' },
      { does: 'shut out', person: 0, isOut: true },
      { does: 'shut out', person: 1, isOut: true },
    ],
    [{ does: 'shut out', person: 0, isOut: false }],
  ],
]

/** The state so far, as sets. */
class World {
  readonly given = new Map<string, Level>()
  readonly members = new Set<string>()
  readonly out = new Set<number>()
  readonly roles: Role[] = Array.from({ length: PERSONS }, () => 'member')
  readonly owners: readonly (number | null)[]

  constructor(ownedBy: readonly (number | null)[]) {
    this.owners = ownedBy
  }

  apply(done: Step): void {
    if (done.does === 'give') this.given.set(`${done.collection} ${JSON.stringify(done.whom)}`, done.level)
    else if (done.does === 'take') this.given.delete(`${done.collection} ${JSON.stringify(done.whom)}`)
    else if (done.does === 'join') this.members.add(`${done.group} ${done.person}`)
    else if (done.does === 'leave') this.members.delete(`${done.group} ${done.person}`)
    else if (done.does === 'role') this.roles[done.person] = done.role
    else if (done.isOut) this.out.add(done.person)
    else this.out.delete(done.person)
  }

  /** For each collection: `u`se, `e`dit, `s`hare. */
  rightsOf(person: number): string[] {
    const role = this.roles[person]!
    return this.owners.map((owner, collection) => {
      if (this.out.has(person)) return ''
      const isTheirs = owner === null ? role === 'admin' : owner === person
      const levels = [...this.given].flatMap(([key, level]) => {
        const [which, ...rest] = key.split(' ')
        const to = JSON.parse(rest.join(' ')) as Whom
        const isMeant =
          to === 'everyone' || ('group' in to ? this.members.has(`${to.group} ${person}`) : to.person === person)
        const isResting = owner !== null && this.out.has(owner)
        return Number(which) === collection && isMeant && !isResting ? [level] : []
      })
      const writes = role !== 'viewer'
      return [
        isTheirs || levels.length > 0 ? 'u' : '',
        writes && (isTheirs || levels.includes('editor')) ? 'e' : '',
        writes && isTheirs ? 's' : '',
      ].join('')
    })
  }
}

const postgresUrl = inject('postgresUrl')
const fail = ({ message }: Error): never => expect.fail(message)

/** Ignores `NotFound`: a missing grant or membership is refused and changes nothing. */
async function ifThere(taking: Promise<void>): Promise<void> {
  await taking.catch((thrown: unknown) => {
    if (!TuttiError.is(thrown, 'NotFound')) throw thrown
  })
}

describe.each(['SQLite', 'PostgreSQL'])('collections on %s', (kind) => {
  const isMissing = kind === 'PostgreSQL' && postgresUrl === ''
  let app: App
  let databaseUrl: string | undefined
  const folder = openForAll(createFolder)
  beforeAll(async () => {
    if (isMissing) return
    databaseUrl = kind === 'PostgreSQL' ? await createOwnDatabase(postgresUrl) : undefined
    const storage = { folder: folder.path, ...(databaseUrl === undefined ? {} : { databaseUrl }) }
    app = await createApp({ storage, onError: fail })
    // The last admin cannot be removed.
    await app.people.accounts.add('test', { username: 'root', role: 'admin' })
  })
  afterAll(() => app?.close())

  it.skipIf(isMissing)('show users exactly what they own or were given, after any grants and revocations', async () => {
    const { people, knowledge } = app
    const storage =
      databaseUrl === undefined ? undefined : await openStorage({ databaseUrl, clock: systemClock, onError: fail })
    let worlds = 0
    let seen = 0
    try {
      await fc.assert(
        fc.asyncProperty(
          owners,
          fc.array(fc.array(step, { maxLength: 8 }), { minLength: 1, maxLength: 2 }),
          async (ownedBy, rounds) => {
            const world = new World(ownedBy)
            const n = ++worlds
            const persons: string[] = []
            for (let i = 0; i < PERSONS; i++) {
              persons.push((await people.accounts.add('test', { username: `p${n}.${i}`, role: 'member' })).userId)
            }
            const groups: string[] = []
            for (let i = 0; i < GROUPS; i++) groups.push(await people.groups.create('test', `g${n}.${i}`))
            const made = []
            for (const [i, owner] of ownedBy.entries()) {
              const whose = owner === null ? undefined : persons[owner]!
              const collection = await people.collections.create('test', `c${n}.${i}`, whose)
              await knowledge.store.put(sharedOwner(collection.collectionId), documentOf(`d${i}`, ['harpsichord']))
              made.push(collection)
            }
            const everything = made.map(({ collectionId }) => sharedOwner(collectionId))
            const to = (one: Whom): Grantee =>
              one === 'everyone' ? one : 'group' in one ? `group:${groups[one.group]!}` : `user:${persons[one.person]!}`
            for (const steps of rounds) {
              for (const done of steps) {
                world.apply(done)
                if (done.does === 'give')
                  await people.collections.setGrant('test', made[done.collection]!, to(done.whom), done.level)
                else if (done.does === 'take')
                  await ifThere(people.collections.setGrant('test', made[done.collection]!, to(done.whom), undefined))
                else if (done.does === 'join')
                  await people.groups.addMember('test', groups[done.group]!, persons[done.person]!)
                else if (done.does === 'leave')
                  await ifThere(people.groups.removeMember('test', groups[done.group]!, persons[done.person]!))
                else if (done.does === 'role') await people.accounts.setRole('test', persons[done.person]!, done.role)
                else await people.accounts.setDisabled('test', persons[done.person]!, done.isOut)
              }
              for (const [i, person] of persons.entries()) {
                const expected = world.rightsOf(i)
                const caller = await people.callerOf(person)
                const mine = caller === undefined ? [] : await people.collections.listFor(caller)
                const rights = made.map(({ collectionId }) => {
                  const found = mine.find((one) => one.collectionId === collectionId)
                  return (found?.may ?? []).map(([letter]) => letter).join('')
                })
                expect(rights).toEqual(expected)
                const readable = expected.flatMap((right, c) => (right === '' ? [] : [`d${c}`]))
                const whose = await knowledge.shared.readableScope(person)
                // Admins also have the collections of earlier worlds.
                const ofThis = { reader: person, owners: ownersOf(whose).filter((one) => everything.includes(one)) }
                const names = async (of: { reader: string; owners: readonly string[] }) =>
                  (await knowledge.store.documents(of)).map(({ name }) => name).toSorted()
                expect(await names(ofThis)).toEqual(readable)
                seen += readable.length
                if (storage === undefined) continue
                // A disabled user has no access. The database still assigns their documents to them, so that they can
                // be erased.
                const walled = world.out.has(i)
                  ? ownedBy.flatMap((owner, c) => (owner === i ? [`d${c}`] : []))
                  : readable
                // Bypasses the check in code: the query asks for everything, and the database returns only the user's
                // documents.
                const all = { reader: person, owners: [person, ...persons, ...everything] }
                expect(await names(all)).toEqual(walled)
                const hits = await knowledge.store.lexical(all, 'harpsichord', 50)
                expect(hits.map(({ document }) => document.name).toSorted()).toEqual(walled)
                const rows = await storage.sql.of<{ collection_id: string }>(
                  person,
                  sql`SELECT collection_id FROM collections`,
                )
                const ids = new Set(rows.map((row) => row.collection_id))
                expect(made.flatMap(({ collectionId }, c) => (ids.has(collectionId) ? [`d${c}`] : []))).toEqual(walled)
              }
            }
            for (const collection of made) {
              await ifThere(people.collections.setGrant('test', collection, 'everyone', undefined))
            }
          },
        ),
        { numRuns: 15, examples: [RESTING] },
      )
      expect(seen, 'something was to be seen').toBeGreaterThan(20)
    } finally {
      await storage?.close()
    }
  })
})
