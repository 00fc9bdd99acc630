import type { Owner } from '../domain/events.ts'
import { omitUndefined } from '../shared/json.ts'
import { randomUUID } from 'node:crypto'
import type { Caller } from '../domain/caller.ts'
import { TuttiError } from '../domain/errors.ts'
import { fixed, insert, sql, type Query, type Script } from '../storage/sql/query.ts'
import { SqlStore } from '../storage/sql/sql-store.ts'
import { ACTIONS, isPermitted, canGrant, type Action, type Grant, type Grantee, type Level } from './permissions.ts'
import { validName } from './new-accounts.ts'
import {
  assertGrantee,
  assertStillMay,
  GRANTS,
  groupGrants,
  recordAudit,
  replaceGrant,
  type GrantRow,
} from './account-changes.ts'
import type { Audited } from './types.ts'

/** A set of documents that is shared as a whole with everyone, groups or users. */
export interface Collection {
  readonly collectionId: string
  readonly name: string
  /** Absent for a collection of the installation. */
  readonly owner?: Owner
  readonly createdAt: number
}

/** A collection with the permissions of one user. */
export interface MyCollection extends Collection {
  readonly may: readonly Action[]
  /** The grants; only for users who may share it. */
  readonly grants?: readonly Grant[]
  /** Username of the owner. */
  readonly ownerName?: string
}

/** Maximum of collections that one user may own. Collections of the installation do not count. */
const MAX_OWN_COLLECTIONS = 100

/** Collections with their owner. Grants of a disabled owner are not in force. */
const WITH_OWNERS = fixed(`SELECT c.*, u.username AS owner_name, u.is_disabled AS is_resting FROM collections c
  LEFT JOIN users u ON u.user_id = c.owner`)

interface Row extends Collection {
  readonly ownerName?: string
  readonly isResting?: number
}

/** The lock for all changes of collections. It names no owner, so no row-level policy applies to the transaction. */
const LOCK = ''

/** The collections and their grants. Their documents are stored with all others. */
export class Collections extends SqlStore {
  /** Collections with which the caller may do anything, by name, then by ID. */
  async listFor(caller: Caller): Promise<readonly MyCollection[]> {
    const [rows, grants] = await Promise.all([
      this.recordsOf<Row>(caller.userId, WITH_OWNERS),
      this.grantsByCollection(),
    ])
    const mine = rows.flatMap(({ isResting, ...collection }) => {
      const inForce = isResting === 1 ? [] : (grants.get(collection.collectionId) ?? [])
      const shared = { grants: inForce, ...omitUndefined({ owner: collection.owner }) }
      const can = ACTIONS.filter((action) => isPermitted(caller, action, shared))
      if (can.length === 0) return []
      return [{ ...collection, may: can, ...(can.includes('share') ? { grants: inForce } : {}) }]
    })
    return mine.toSorted(compareByName)
  }

  /**
   * Finds a collection by ID or name. Among several of the same name, prefers one of the installation, then one of the
   * caller. Collections that the caller has no permission for do not exist for them.
   * @throws TuttiError `NotFound`; `NotAllowed` if the caller has other permissions for it, but not this one;
   * `InvalidRequest` if the name is ambiguous
   */
  async find(caller: Caller, idOrName: string, action: Action = 'use'): Promise<MyCollection> {
    const all = await this.listFor(caller)
    const byId = all.filter(({ collectionId }) => collectionId === idOrName)
    const found = onlyOne(byId.length > 0 ? byId : preferOwn(all, idOrName, caller.userId), idOrName)
    if (found.may.includes(action)) return found
    throw new TuttiError(
      'NotAllowed',
      `Your permissions for the collection "${found.name}" are only: ${found.may.join(', ')}.`,
    )
  }

  async exists(collectionId: string): Promise<boolean> {
    return this.hasRows(sql`SELECT 1 FROM collections WHERE collection_id = ${collectionId}`)
  }

  /** IDs of the collections that a user owns. */
  async ownedBy(owner: Owner): Promise<readonly string[]> {
    const own = sql`SELECT collection_id FROM collections WHERE owner = ${owner} ORDER BY collection_id`
    return (await this.recordsOf<Collection>(owner, own)).map(({ collectionId }) => collectionId)
  }

  /**
   * @throws TuttiError `InvalidRequest` if the name is taken or empty; `LimitReached` if the owner has too many
   * collections
   */
  async create(by: string, name: string, owner?: Owner): Promise<Collection> {
    const createdAt = this.clock.now()
    const named = { collectionId: randomUUID(), name: validName('collection', name), createdAt }
    const collection = { ...named, ...omitUndefined({ owner }) }
    await this.change(by, 'create collection', collection, function* () {
      const [repeated] = yield sql`SELECT 1 FROM collections WHERE collection_id = ${collection.collectionId}`
      if (repeated !== undefined) return
      yield* assertFree(collection)
      if (owner !== undefined) yield* assertRoom(owner)
      yield insert('collections', collection)
    })
    return collection
  }

  /** @throws TuttiError `InvalidRequest` if the name is taken or empty */
  async rename(by: string, collection: Collection, name: string): Promise<void> {
    const renamed = { ...collection, name: validName('collection', name) }
    await this.change(by, 'rename collection', renamed, function* () {
      yield* assertFree(renamed)
      yield sql`UPDATE collections SET name = ${renamed.name} WHERE collection_id = ${renamed.collectionId}`
    })
  }

  /** Removes a collection and its grants. Remove its documents first. */
  async remove(by: string, collection: Collection): Promise<void> {
    await this.change(by, 'remove collection', collection, function* () {
      yield sql`DELETE FROM source_grants WHERE source = ${sourceOf(collection)}`
      yield sql`DELETE FROM collections WHERE collection_id = ${collection.collectionId}`
    })
  }

  /** @throws TuttiError `NotAllowed` if only an admin may grant this */
  assertCanGrant(caller: Caller, collection: Collection, to: Grantee): void {
    if (canGrant(caller, collection, to)) return
    throw new TuttiError(
      'NotAllowed',
      'You can share your own collections with users and with your groups. Ask an admin to share with others.',
    )
  }

  /**
   * Grants a collection to everyone, a group or a user; `undefined` removes the grant.
   * @throws TuttiError `NotFound` if the grantee does not exist
   */
  async setGrant(by: string, collection: Collection, to: Grantee, level: Level | undefined): Promise<void> {
    const action = level === undefined ? 'take collection' : 'give collection'
    const script = function* (): Script<void> {
      if (level !== undefined) {
        yield* assertGrantee(to)
        yield* assertExists(collection)
      }
      yield* replaceGrant(sourceOf(collection), to, level, `the collection "${collection.name}"`)
    }
    // Also audited for users' own collections: agents may use them in other users' questions.
    const detail = { to, ...omitUndefined({ level, owner: collection.owner }) }
    await this.change(by, action, collection, script, detail, true)
  }

  /** The grants of a collection. */
  async grants({ collectionId }: Collection): Promise<readonly Grant[]> {
    return (await this.grantsByCollection()).get(collectionId) ?? []
  }

  private async grantsByCollection(): Promise<ReadonlyMap<string, readonly Grant[]>> {
    const rows = await this.records<GrantRow>(sql`${GRANTS} WHERE source LIKE 'collection:%' ORDER BY source, grantee`)
    return groupGrants(rows, ({ source }) => source.slice('collection:'.length))
  }

  /** Changes of the installation's collections are audited; of users' own collections, only changes of grants. */
  private async change(
    by: string,
    action: Audited,
    collection: Collection,
    script: () => Script<void>,
    detail: Readonly<Record<string, unknown>> = {},
    concernsOthers = collection.owner === undefined,
  ): Promise<void> {
    const { collectionId: target, name } = collection
    const change = { by, action, target, detail: { name, ...detail } }
    const line: Query[] = concernsOthers ? [recordAudit(change, this.clock.now())] : []
    await this.sql.write(LOCK, function* (): Script<void> {
      yield* assertStillMay(by, by === collection.owner)
      yield* script()
      yield* line
    })
  }
}

function sourceOf({ collectionId }: Collection): string {
  return `collection:${collectionId}`
}

/** @throws TuttiError `NotFound` if none matches, `InvalidRequest` if several do */
function onlyOne(meant: readonly MyCollection[], idOrName: string): MyCollection {
  const [found, ...more] = meant
  if (found === undefined) throw new TuttiError('NotFound', `There is no collection "${idOrName}".`)
  if (more.length === 0) return found
  const ids = meant.map(({ collectionId, ownerName }) => collectionId + (ownerName ? ` (of ${ownerName})` : ''))
  throw new TuttiError('InvalidRequest', `Several collections are called "${idOrName}". Use an ID: ${ids.join(', ')}.`)
}

/** Order of collections in lists. Pagination continues correctly after a collection that was removed. */
export function compareByName(
  one: Pick<Collection, 'name' | 'collectionId'>,
  other: Pick<Collection, 'name' | 'collectionId'>,
): number {
  const [a, b] = one.name === other.name ? [one.collectionId, other.collectionId] : [one.name, other.name]
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Resolves a name that several collections have. A collection shared by another user never takes precedence over the
 * installation's or the caller's own.
 */
function preferOwn(all: readonly MyCollection[], collectionName: string, userId: Owner): readonly MyCollection[] {
  const called = all.filter(({ name }) => name === collectionName)
  const ranks = [undefined, userId].map((candidate) => called.filter(({ owner }) => owner === candidate))
  return ranks.find(({ length }) => length > 0) ?? called
}

function* assertRoom(owner: Owner): Script<void> {
  const own = yield sql`SELECT 1 FROM collections WHERE owner = ${owner}`
  if (own.length < MAX_OWN_COLLECTIONS) return
  throw new TuttiError('LimitReached', `You reached the limit of ${MAX_OWN_COLLECTIONS} collections. Delete one first.`)
}

function* assertFree({ collectionId, name, owner }: Collection): Script<void> {
  const owned = owner === undefined ? sql`owner IS NULL` : sql`owner = ${owner}`
  const existing =
    yield sql`SELECT 1 FROM collections WHERE name = ${name} AND ${owned} AND collection_id <> ${collectionId}`
  if (existing.length > 0) {
    throw new TuttiError('InvalidRequest', `A collection "${name}" already exists.`)
  }
}

function* assertExists({ collectionId, name }: Collection): Script<void> {
  const [row] = yield sql`SELECT 1 FROM collections WHERE collection_id = ${collectionId}`
  if (row === undefined) throw new TuttiError('NotFound', `There is no collection "${name}".`)
}
