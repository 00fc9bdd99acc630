import { sql, type Selectable } from 'kysely'
import {
  changesOf,
  PROFILE_FIELDS,
  type MemorySource,
  type ProfileChange,
  type ProfileEntry,
  type ProfileField,
  type ProfileStore,
  type ProfileUpdate,
  type ProfileValue,
} from '../core/memory.ts'
import type { Owner } from '../core/owner.ts'
import { compiler, type Tables } from './schema.ts'
import { rowsOf, type Script, type SqlRunner } from './sql-runner.ts'

type EntryRow = Selectable<Tables['user_memory']>
type ChangeRow = Selectable<Tables['user_memory_history']>

/** Long-term memory in the tables `user_memory` and `user_memory_history`. */
export class SqlProfiles implements ProfileStore {
  private readonly runner: SqlRunner
  private readonly db: ReturnType<typeof compiler>

  constructor(runner: SqlRunner) {
    this.runner = runner
    this.db = compiler(runner.dialect)
  }

  async entries(owner: Owner): Promise<readonly ProfileEntry[]> {
    return inOrder((await this.runner.all<EntryRow>(this.entriesOf(owner))).map(toEntry))
  }

  update(owner: Owner, update: ProfileUpdate): Promise<readonly ProfileChange[]> {
    return this.runner.write(owner, () => this.updating(owner, update))
  }

  private *updating(owner: Owner, update: ProfileUpdate): Script<readonly ProfileChange[]> {
    const earlier = yield* rowsOf<ChangeRow>(this.changes(owner).where('change_key', '=', update.key).compile())
    if (earlier.length > 0) return earlier.map(toChange)
    const entries = (yield* rowsOf<EntryRow>(this.entriesOf(owner))).map(toEntry)
    const changes = changesOf(entries, update)
    for (const change of changes) {
      yield this.setting(owner, change)
      yield this.recording(owner, update.key, change)
    }
    return changes
  }

  private entriesOf(owner: Owner) {
    return this.db.selectFrom('user_memory').selectAll().where('owner', '=', owner).compile()
  }

  private changes(owner: Owner) {
    return this.db.selectFrom('user_memory_history').selectAll().where('owner', '=', owner).orderBy('id')
  }

  private setting(owner: Owner, { field, after, source }: ProfileChange) {
    const row = { value: JSON.stringify(after), source: source.by, run_id: source.runId ?? null, updated_at: source.at }
    return this.db
      .insertInto('user_memory')
      .values({ owner, field, ...row })
      .onConflict((conflict) => conflict.columns(['owner', 'field']).doUpdateSet(row))
      .compile()
  }

  private recording(owner: Owner, key: string, { field, before, after, source }: ProfileChange) {
    return this.db
      .insertInto('user_memory_history')
      .values({
        owner,
        field,
        change_key: key,
        before: before === undefined ? null : JSON.stringify(before),
        after: JSON.stringify(after),
        source: source.by,
        run_id: source.runId ?? null,
        changed_at: source.at,
      })
      .compile()
  }

  async history(owner: Owner): Promise<readonly ProfileChange[]> {
    return (await this.runner.all<ChangeRow>(this.changes(owner).compile())).map(toChange)
  }

  forget(owner: Owner, fields: readonly ProfileField[] = PROFILE_FIELDS): Promise<readonly ProfileField[]> {
    return this.runner.write(owner, () => this.forgetting(owner, fields))
  }

  private *forgetting(owner: Owner, fields: readonly ProfileField[]): Script<readonly ProfileField[]> {
    const isMeant = sql<boolean>`field IN (${sql.join(fields.length === 0 ? [''] : [...fields])})`
    const erased = new Set<ProfileField>()
    for (const table of ['user_memory', 'user_memory_history'] as const) {
      const erase = this.db.deleteFrom(table).where('owner', '=', owner).where(isMeant).returning('field').compile()
      for (const { field } of yield* rowsOf<{ field: ProfileField }>(erase)) erased.add(field)
    }
    return PROFILE_FIELDS.filter((field) => erased.has(field))
  }
}

function inOrder(entries: readonly ProfileEntry[]): ProfileEntry[] {
  return PROFILE_FIELDS.flatMap((field) => entries.filter((entry) => entry.field === field))
}

function toEntry({ field, value, source, run_id: runId, updated_at: at }: EntryRow): ProfileEntry {
  return { field, value: JSON.parse(value) as ProfileValue, source: toSource(source, runId, at) }
}

function toChange({ field, before, after, source, run_id: runId, changed_at: at }: ChangeRow): ProfileChange {
  return {
    field,
    ...(before === null ? {} : { before: JSON.parse(before) as ProfileValue }),
    after: JSON.parse(after) as ProfileValue,
    source: toSource(source, runId, at),
  }
}

function toSource(by: MemorySource['by'], runId: string | null, at: number): MemorySource {
  return { by, ...(runId === null ? {} : { runId }), at: Number(at) }
}
