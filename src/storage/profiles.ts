import {
  changesOf,
  PROFILE_FIELDS,
  type MemorySource,
  type ProfileChange,
  type ProfileEntry,
  type ProfileField,
  type ProfileStore,
  type ProfileUpdate,
} from '../domain/profile.ts'
import type { Owner } from '../domain/events.ts'
import {
  fixed,
  insert,
  rowRecord,
  sql,
  where,
  type Query,
  queryRows,
  type Script,
  type SqlRunner,
} from './sql/query.ts'

/** Long-term memory in the tables `user_memory` and `user_memory_history`. */
export class SqlProfiles implements ProfileStore {
  private readonly runner: SqlRunner

  constructor(runner: SqlRunner) {
    this.runner = runner
  }

  async entries(owner: Owner): Promise<readonly ProfileEntry[]> {
    return sortedEntries(await this.runner.of(owner, entriesOf(owner)))
  }

  update(owner: Owner, update: ProfileUpdate): Promise<readonly ProfileChange[]> {
    return this.runner.write(owner, () => updating(owner, update))
  }

  async history(owner: Owner): Promise<readonly ProfileChange[]> {
    return (await this.runner.of(owner, changesWhere({ owner }))).map((row) => recorded<ProfileChange>(row))
  }

  forget(owner: Owner, fields: readonly ProfileField[] = PROFILE_FIELDS): Promise<readonly ProfileField[]> {
    return this.runner.write(owner, () => forgetting(owner, fields))
  }
}

function* updating(owner: Owner, update: ProfileUpdate): Script<readonly ProfileChange[]> {
  const earlier = yield changesWhere({ owner, change_key: update.key })
  if (earlier.length > 0) return earlier.map((row) => recorded<ProfileChange>(row))
  const changes = changesOf(sortedEntries(yield entriesOf(owner)), update)
  for (const { field, before, after, source } of changes) {
    const value = JSON.stringify(after)
    const { by, runId, at } = source
    yield sql`${insert('user_memory', { owner, field, value, source: by, runId, updatedAt: at })}
      ON CONFLICT (owner, field) DO UPDATE
      SET value = excluded.value, source = excluded.source, run_id = excluded.run_id, updated_at = excluded.updated_at`
    const was = before === undefined ? null : JSON.stringify(before)
    const change = { field, changeKey: update.key, before: was, after: value }
    yield insert('user_memory_history', { owner, ...change, source: by, runId, changedAt: at })
  }
  return changes
}

function* forgetting(owner: Owner, fields: readonly ProfileField[]): Script<readonly ProfileField[]> {
  const erased = new Set<ProfileField>()
  for (const table of ['user_memory', 'user_memory_history']) {
    const erase = sql`DELETE FROM ${fixed(table)} ${where({ owner, field: fields })} RETURNING field`
    for (const { field } of yield* queryRows<{ field: ProfileField }>(erase)) erased.add(field)
  }
  return PROFILE_FIELDS.filter((field) => erased.has(field))
}

function entriesOf(owner: Owner): Query {
  return sql`SELECT field, value, source AS by, run_id, updated_at AS at FROM user_memory ${where({ owner })}`
}

function changesWhere(columns: Parameters<typeof where>[0]): Query {
  return sql`SELECT field, before, after, source AS by, run_id, changed_at AS at FROM user_memory_history
    ${where(columns)} ORDER BY id`
}

function sortedEntries(rows: readonly object[]): ProfileEntry[] {
  const entries = rows.map((row) => recorded<ProfileEntry>(row))
  return PROFILE_FIELDS.flatMap((field) => entries.filter((entry) => entry.field === field))
}

/** A row whose last columns name its source. */
function recorded<T extends ProfileEntry | ProfileChange>(row: object): T {
  const { by, runId, at, ...said } = rowRecord<MemorySource & Omit<T, 'source'>>(row, ['value', 'before', 'after'])
  return { ...said, source: { by, ...(runId === undefined ? {} : { runId }), at } } as unknown as T
}
