import { randomUUID } from 'node:crypto'
import type { Caller } from '../domain/caller.ts'
import { TuttiError } from '../domain/errors.ts'
import { isSourceName, SOURCE_KINDS, type SourceName } from '../shared/source-name.ts'
import { insert, sql, type Query, queryRows, type Script } from '../storage/sql/query.ts'
import { SqlStore } from '../storage/sql/sql-store.ts'
import { isPermitted, type Grant, type Grantee, type Level } from './permissions.ts'
import { isName, validName } from './new-accounts.ts'
import {
  ACCOUNTS,
  assertGrantee,
  assertGroup,
  assertStillMay,
  recordAudit,
  changeAccounts,
  GRANTS,
  groupGrants,
  replaceGrant,
  type Change,
  type GrantRow,
  userOf,
} from './account-changes.ts'
import type { Group } from './types.ts'

/** Groups, their members, and the sources granted to users and groups. */
export class Groups extends SqlStore {
  async list(): Promise<readonly Group[]> {
    return this.records<Group>(
      sql`SELECT g.group_id, g.name, count(m.user_id) AS members FROM user_groups g
        LEFT JOIN group_members m ON m.group_id = g.group_id GROUP BY g.group_id, g.name ORDER BY g.name`,
    )
  }

  /** Finds a group by ID or name. @throws TuttiError `NotFound` */
  async find(idOrName: string): Promise<Group> {
    const all = await this.list()
    // The name of one group may be the ID of another. The ID takes precedence.
    const found = all.find(({ groupId }) => groupId === idOrName) ?? all.find(({ name }) => name === idOrName)
    if (found === undefined) throw new TuttiError('NotFound', `There is no group "${idOrName}".`)
    return found
  }

  /** IDs of the user's groups. */
  async groupIdsOf(userId: string): Promise<readonly string[]> {
    return (await this.memberships(sql`WHERE user_id = ${userId}`)).map(({ groupId }) => groupId)
  }

  /** IDs of the groups of every user. */
  async groupIdsByUser(): Promise<ReadonlyMap<string, readonly string[]>> {
    const groups = new Map<string, string[]>()
    for (const { userId, groupId } of await this.memberships(sql``))
      groups.set(userId, [...(groups.get(userId) ?? []), groupId])
    return groups
  }

  /** IDs of the group's members. */
  async members(groupId: string): Promise<readonly string[]> {
    return (await this.memberships(sql`WHERE group_id = ${groupId}`)).map(({ userId }) => userId)
  }

  private memberships(condition: Query): Promise<readonly { readonly userId: string; readonly groupId: string }[]> {
    return this.records(sql`SELECT user_id, group_id FROM group_members ${condition} ORDER BY group_id, user_id`)
  }

  /** @throws TuttiError `InvalidRequest` if the name is taken or empty */
  async create(by: string, name: string): Promise<string> {
    const trimmed = validName('group', name)
    const groupId = randomUUID()
    const createdAt = this.clock.now()
    const change = { by, action: 'create group', target: groupId, detail: { name: trimmed } } as const
    await this.sql.write(ACCOUNTS, function* (): Script<void> {
      yield* assertStillMay(by)
      const [taken] = yield* queryRows<{ group_id: string }>(
        sql`SELECT group_id FROM user_groups WHERE name = ${trimmed}`,
      )
      if (taken?.group_id === groupId) return
      if (taken !== undefined) throw new TuttiError('InvalidRequest', `A group "${trimmed}" already exists.`)
      yield insert('user_groups', { groupId, name: trimmed, createdAt })
      yield recordAudit(change, createdAt)
    })
    return groupId
  }

  /** Removes a group and its grants. @throws TuttiError `NotFound` */
  async remove(by: string, groupId: string): Promise<void> {
    // The audit log keeps the name, which is deleted everywhere else.
    const detail = { name: '' }
    await this.change({ by, action: 'remove group', target: groupId, detail }, function* () {
      detail.name = yield* assertGroup(groupId)
      const grantee = `group:${groupId}`
      yield sql`DELETE FROM group_members WHERE group_id = ${groupId}`
      yield sql`DELETE FROM source_grants WHERE grantee = ${grantee}`
      yield sql`DELETE FROM quotas WHERE grantee = ${grantee}`
      yield sql`DELETE FROM user_groups WHERE group_id = ${groupId}`
    })
  }

  /** @throws TuttiError `NotFound` */
  async addMember(by: string, groupId: string, userId: string): Promise<void> {
    await this.change({ by, action: 'add to group', target: groupId, detail: { userId } }, function* () {
      yield* assertGroup(groupId)
      yield* userOf(userId)
      // A member who was added by the provider becomes a manual member, and stays when the provider drops the group.
      yield sql`${insert('group_members', { groupId, userId, addedBy: by })}
        ON CONFLICT (group_id, user_id) DO UPDATE SET added_by = excluded.added_by`
    })
  }

  /** @throws TuttiError `NotFound` if the group does not exist or the user is not a member */
  async removeMember(by: string, groupId: string, userId: string): Promise<void> {
    await this.change({ by, action: 'remove from group', target: groupId, detail: { userId } }, function* () {
      yield* assertGroup(groupId)
      const { username } = yield* userOf(userId)
      const removed = yield sql`DELETE FROM group_members WHERE group_id = ${groupId} AND user_id = ${userId}
        RETURNING user_id`
      if (removed.length === 0) throw new TuttiError('NotFound', `${username} is not in this group.`)
    })
  }

  /**
   * Replaces the groups that the provider assigned to a user. Names without a group are ignored; no groups are created.
   */
  async follow(userId: string, names: readonly string[]): Promise<void> {
    // A name that is not valid cannot be the name of a group.
    const validNames = [...new Set(names)].filter((name) => isName(name))
    await this.sql.write(ACCOUNTS, function* (): Script<void> {
      yield sql`DELETE FROM group_members WHERE user_id = ${userId} AND added_by = 'oidc'`
      yield sql`INSERT INTO group_members (group_id, user_id, added_by)
          SELECT group_id, ${userId}, 'oidc' FROM user_groups WHERE name IN ${validNames}
          ON CONFLICT (group_id, user_id) DO NOTHING`
    })
  }

  /**
   * Grants a source to everyone, a group or a user; `undefined` removes the grant.
   * @param there the existing sources; others are rejected. Absent if the caller has checked
   * @throws TuttiError `InvalidRequest`; `NotFound` if the grantee, the source or the grant does not exist
   */
  async setGrant(
    by: string,
    source: string,
    to: Grantee,
    level: Level | undefined,
    there: readonly string[] = [source],
  ): Promise<void> {
    if (!isSourceName(source)) {
      const kinds = SOURCE_KINDS.map((kind) => `${kind}:NAME`).join(', ')
      throw new TuttiError('InvalidRequest', `"${source}" is not a source. Use ${kinds}.`)
    }
    if (source.startsWith('collection:')) {
      throw new TuttiError('InvalidRequest', 'Grant a collection with PUT /collections/{collectionId}/grants.')
    }
    if (level !== undefined && !there.includes(source)) {
      throw new TuttiError('NotFound', `Source "${source}" not found. Available: ${there.join(', ') || 'none'}.`)
    }
    const action = level === undefined ? 'take source' : 'give source'
    await this.change({ by, action, target: source, detail: { to, level } }, function* () {
      yield* assertGrantee(to)
      yield* replaceGrant(source, to, level)
    })
  }

  /** All grants of the installation's sources, by source. For collections see `Collections`. */
  async grants(): Promise<ReadonlyMap<SourceName, readonly Grant[]>> {
    const rows = sql`${GRANTS} WHERE source NOT LIKE 'collection:%' ORDER BY source, grantee`
    return groupGrants(await this.records<GrantRow>(rows), ({ source }) => source) as Map<SourceName, Grant[]>
  }

  private change(change: Change, script: () => Script<void>): Promise<void> {
    return changeAccounts({ sql: this.sql, clock: this.clock }, change, script)
  }

  /** The installation's sources that the caller may use. */
  async sourcesOf(caller: Caller, all: readonly SourceName[]): Promise<readonly SourceName[]> {
    const grants = await this.grants()
    return all.filter((source) => isPermitted(caller, 'use', { grants: grants.get(source) ?? [] }))
  }
}
