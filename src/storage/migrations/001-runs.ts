import { sql, type Kysely } from 'kysely'
import type { Compilable, Dialect, Tables } from '../schema.ts'

/** Finds what each append would otherwise have to write into `runs`, one more page for every commit. */
const RUN_RECORDS = sql`CREATE VIEW run_records AS
  SELECT r.*, e.seq AS last_seq, CAST(round(unixepoch(e.at, 'subsec') * 1000) AS integer) AS updated_at
  FROM runs r JOIN events e ON e.run_id = r.run_id AND e.seq = (SELECT max(seq) FROM events WHERE run_id = r.run_id)`

/** Runs, their events, the approvals they wait for; on SQLite also the wakes. */
export function createRuns(db: Kysely<Tables>, dialect: Dialect): readonly Compilable[] {
  const { schema } = db
  const runs = schema
    .createTable('runs')
    .addColumn('run_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('question', 'text', (column) => column.notNull())
    .addColumn('strategy', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('parent_id', 'text')
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('worker', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
  const tables: Compilable[] = [
    dialect === 'sqlite'
      ? runs
      : runs
          .addColumn('last_seq', 'integer', (column) => column.notNull())
          .addColumn('updated_at', 'bigint', (column) => column.notNull()),
    schema.createIndex('runs_newest').on('runs').columns(['created_at', 'run_id']),
    schema.createIndex('runs_by_status').on('runs').columns(['status', 'created_at', 'run_id']),
    schema.createIndex('runs_by_parent').on('runs').column('parent_id').where(sql.ref('parent_id'), 'is not', null),
    schema
      .createTable('events')
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addColumn('v', 'integer', (column) => column.notNull())
      .addColumn('data', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('events_pkey', ['run_id', 'seq']),
    schema
      .createTable('approvals')
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addColumn('approval_id', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('tool', 'text', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('requested_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('decided_by', 'text')
      .addColumn('decided_at', 'bigint')
      // A fork copies the log, and with it the ids.
      .addPrimaryKeyConstraint('approvals_pkey', ['run_id', 'approval_id']),
    schema.createIndex('approvals_by_id').on('approvals').column('approval_id'),
    schema.createIndex('approvals_by_status').on('approvals').columns(['status', 'requested_at']),
  ]
  if (dialect === 'postgres') return tables
  return [
    ...tables,
    schema
      .createTable('wakes')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull()),
    schema.createIndex('wakes_by_run').on('wakes').column('run_id'),
    { compile: () => RUN_RECORDS.compile(db) },
  ]
}
