import { randomUUID } from 'node:crypto'
import type { Caller } from '../domain/caller.ts'
import type { Clock } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import { isSourceName, SOURCE_KINDS, type SourceName } from '../shared/source-name.ts'
import { insert, rowRecord, sql, queryRows, type Script, type SqlRunner } from '../storage/sql/query.ts'
import { isPermitted, type Grant, type Grantee, type Level } from './permissions.ts'
import { isName, validName } from './names.ts'
import {
  ACCOUNTS,
  assertGrantee,
  assertGroup,
  assertStillMay,
  recordAudit,
  changeAccounts,
  notGrantedError,
  userOf,
} from './account-changes.ts'
import type { Group } from './types.ts'

/** Groups, their members, and the sources granted to users and groups. */
export class Groups {
  private readonly parts: { readonly sql: SqlRunner; readonly clock: Clock }

  constructor(runner: SqlRunner, clock: Clock) {
    this.parts = { sql: runner, clock }
  }

  async list(): Promise<readonly Group[]> {
    const rows = await this.parts.sql.all(
      sql`SELECT g.group_id, g.name, count(m.user_id) AS members FROM user_groups g
        LEFT JOIN group_members m ON m.group_id = g.group_id GROUP BY g.group_id, g.name ORDER BY g.name`,
    )
    return rows.map((row) => rowRecord<Group>(row))
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
  async of(userId: string): Promise<readonly string[]> {
    const rows = await this.parts.sql.all<{ group_id: string }>(
      sql`SELECT group_id FROM group_members WHERE user_id = ${userId} ORDER BY group_id`,
    )
    return rows.map((row) => row.group_id)
  }

  /** IDs of the groups of every user. */
  async ofEach(): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.parts.sql.all<{ user_id: string; group_id: string }>(
      sql`SELECT user_id, group_id FROM group_members ORDER BY group_id`,
    )
    const found = new Map<string, string[]>()
    for (const { user_id: one, group_id: group } of rows) found.set(one, [...(found.get(one) ?? []), group])
    return found
  }

  /** IDs of the group's members. */
  async members(groupId: string): Promise<readonly string[]> {
    const rows = await this.parts.sql.all<{ user_id: string }>(
      sql`SELECT user_id FROM group_members WHERE group_id = ${groupId} ORDER BY user_id`,
    )
    return rows.map((row) => row.user_id)
  }

  /** @throws TuttiError `InvalidRequest` if the name is taken or empty */
  async create(by: string, name: string): Promise<string> {
    const trimmed = validName('group', name)
    const groupId = randomUUID()
    const { clock, sql: runner } = this.parts
    await runner.write(ACCOUNTS, function* (): Script<void> {
      yield* assertStillMay(by)
      const [taken] = yield* queryRows<{ group_id: string }>(
        sql`SELECT group_id FROM user_groups WHERE name = ${trimmed}`,
      )
      if (taken?.group_id === groupId) return
      if (taken !== undefined) throw new TuttiError('InvalidRequest', `There is a group "${trimmed}" already.`)
      yield insert('user_groups', { groupId, name: trimmed, createdAt: clock.now() })
      yield recordAudit({ by, action: 'create group', target: groupId, detail: { name: trimmed } }, clock.now())
    })
    return groupId
  }

  /** Removes a group and its grants. @throws TuttiError `NotFound` */
  async remove(by: string, groupId: string): Promise<void> {
    // The audit log keeps the name, which is deleted everywhere else.
    const detail = { name: '' }
    await changeAccounts(this.parts, { by, action: 'remove group', target: groupId, detail }, function* () {
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
    await changeAccounts(this.parts, { by, action: 'add to group', target: groupId, detail: { userId } }, function* () {
      yield* assertGroup(groupId)
      yield* userOf(userId)
      // A member who was added by the provider becomes a manual member, and stays when the provider drops the group.
      yield sql`${insert('group_members', { groupId, userId, addedBy: by })}
        ON CONFLICT (group_id, user_id) DO UPDATE SET added_by = excluded.added_by`
    })
  }

  /** @throws TuttiError `NotFound` if the group does not exist or the user is not a member */
  async removeMember(by: string, groupId: string, userId: string): Promise<void> {
    await changeAccounts(
      this.parts,
      { by, action: 'remove from group', target: groupId, detail: { userId } },
      function* () {
        yield* assertGroup(groupId)
        const { username } = yield* userOf(userId)
        const removed = yield sql`DELETE FROM group_members WHERE group_id = ${groupId} AND user_id = ${userId}
        RETURNING user_id`
        if (removed.length === 0) throw new TuttiError('NotFound', `${username} is not in this group.`)
      },
    )
  }

  /**
   * Replaces the groups that the provider assigned to a user. Names without a group are ignored; no groups are created.
   */
  async follow(userId: string, names: readonly string[]): Promise<void> {
    // A name that is not valid cannot be the name of a group.
    const validNames = [...new Set(names)].filter((name) => isName(name))
    await this.parts.sql.write(ACCOUNTS, function* (): Script<void> {
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
  async give(
    by: string,
    source: string,
    to: Grantee,
    level: Level | undefined,
    there: readonly string[] = [source],
  ): Promise<void> {
    if (!isSourceName(source)) {
      const kinds = SOURCE_KINDS.map((kind) => `${kind}:NAME`).join(', ')
      throw new TuttiError('InvalidRequest', `"${source}" names no source; write ${kinds}.`)
    }
    if (source.startsWith('collection:')) {
      throw new TuttiError('InvalidRequest', 'To give a collection use "collections give".')
    }
    if (level !== undefined && !there.includes(source)) {
      throw new TuttiError('NotFound', `There is no source "${source}" here. There are: ${there.join(', ') || 'none'}.`)
    }
    const action = level === undefined ? 'take source' : 'give source'
    await changeAccounts(this.parts, { by, action, target: source, detail: { to, level } }, function* () {
      yield* assertGrantee(to)
      const before = yield sql`DELETE FROM source_grants WHERE source = ${source} AND grantee = ${to} RETURNING level`
      if (level !== undefined) yield insert('source_grants', { source, grantee: to, level })
      else if (before.length === 0) throw notGrantedError(source)
    })
  }

  /** All grants of the installation's sources, by source. For collections see `Collections`. */
  async grants(): Promise<ReadonlyMap<SourceName, readonly Grant[]>> {
    const rows = await this.parts.sql.all<{ source: SourceName; grantee: Grantee; level: Level }>(
      sql`SELECT source, grantee, level FROM source_grants WHERE source NOT LIKE 'collection:%'
        ORDER BY source, grantee`,
    )
    const bySource = new Map<SourceName, Grant[]>()
    for (const { source, grantee, level } of rows) {
      bySource.set(source, [...(bySource.get(source) ?? []), { to: grantee, level }])
    }
    return bySource
  }

  /** The installation's sources that the caller may use. */
  async sourcesOf(caller: Caller, all: readonly SourceName[]): Promise<readonly SourceName[]> {
    const grants = await this.grants()
    return all.filter((source) => isPermitted(caller, 'use', { grants: grants.get(source) ?? [] }))
  }
}
