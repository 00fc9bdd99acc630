import { sql, type Kysely } from 'kysely'
import { LOCAL_OWNER } from '../../core/owner.ts'
import type { Compilable, Dialect, Tables } from '../schema.ts'

/** Owners of runs and approvals, conversations with their summaries, long-term memory, the audit view (SPEC R12). */
export function addOwnersAndMemory(db: Kysely<Tables>, dialect: Dialect): readonly Compilable[] {
  const view = dialect === 'sqlite' ? EXECUTIONS_SQLITE : EXECUTIONS_POSTGRES
  return [...owners(db), ...conversations(db), ...memory(db, dialect), { compile: () => view.compile(db) }]
}

/** Runs and approvals from before there were owners belong to the one user of the machine. */
function owners({ schema }: Kysely<Tables>): Compilable[] {
  const addOwner = (table: 'runs' | 'approvals'): Compilable =>
    schema.alterTable(table).addColumn('owner', 'text', (column) => column.notNull().defaultTo(LOCAL_OWNER))
  return [
    addOwner('runs'),
    addOwner('approvals'),
    schema.createIndex('runs_by_owner').on('runs').columns(['owner', 'created_at', 'run_id']),
    schema.createIndex('approvals_by_owner').on('approvals').columns(['owner', 'status', 'requested_at']),
  ]
}

/** The owner comes first in every key: one user's id says nothing about another's. */
function conversations({ schema }: Kysely<Tables>): Compilable[] {
  return [
    schema
      .createTable('conversations')
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('conversation_id', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('turns', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('conversations_pkey', ['owner', 'conversation_id']),
    schema.createIndex('conversations_latest').on('conversations').columns(['owner', 'updated_at']),
    schema
      .createTable('messages')
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('conversation_id', 'text', (column) => column.notNull())
      .addColumn('turn', 'integer', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addColumn('provenance', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('messages_pkey', ['owner', 'conversation_id', 'turn', 'role'])
      .addUniqueConstraint('messages_of_run', ['owner', 'conversation_id', 'run_id', 'role']),
    schema
      .createTable('conversation_summaries')
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('conversation_id', 'text', (column) => column.notNull())
      .addColumn('turns_covered', 'integer', (column) => column.notNull())
      .addColumn('summary_text', 'text', (column) => column.notNull())
      .addColumn('run_id', 'text', (column) => column.notNull())
      .addColumn('provenance', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('summaries_pkey', ['owner', 'conversation_id', 'turns_covered']),
  ]
}

function memory({ schema }: Kysely<Tables>, dialect: Dialect): Compilable[] {
  const history = schema.createTable('user_memory_history')
  return [
    schema
      .createTable('user_memory')
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('field', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('run_id', 'text')
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('user_memory_pkey', ['owner', 'field']),
    (dialect === 'sqlite'
      ? history.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      : history.addColumn('id', 'bigserial', (column) => column.primaryKey())
    )
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('field', 'text', (column) => column.notNull())
      .addColumn('change_key', 'text', (column) => column.notNull())
      .addColumn('before', 'text')
      .addColumn('after', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('run_id', 'text')
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('user_memory_change', ['owner', 'change_key', 'field']),
  ]
}

/** Each job of each run with what went in and came out, in the words of the log; `input` and `output` are JSON text. */
const EXECUTIONS_SQLITE = sql`CREATE VIEW agent_executions AS
  SELECT r.owner, s.run_id, s.seq, s.data ->> '$.key' AS key, s.data ->> '$.actor' AS actor,
    coalesce(e.data ->> '$.result.status', 'running') AS status, s.data -> '$.task' AS input,
    e.data -> '$.result' AS output, e.data ->> '$.result.error.message' AS error, s.at AS started_at, e.at AS ended_at
  FROM runs r JOIN events s ON s.run_id = r.run_id AND s.type = 'job.started'
  LEFT JOIN events e ON e.run_id = s.run_id AND e.seq > s.seq AND e.type = 'job.settled'
    AND e.data ->> '$.key' = s.data ->> '$.key'`

/** PostgreSQL reads no JSON with a NUL or half a surrogate pair in it, which the log may hold as escapes. */
const readable = (column: string) =>
  sql.raw(`regexp_replace(${column}, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'g')::json`)

const EXECUTIONS_POSTGRES = sql`CREATE VIEW agent_executions AS
  SELECT r.owner, s.run_id, s.seq, s.event ->> 'key' AS key, s.event ->> 'actor' AS actor,
    coalesce(e.event #>> '{result,status}', 'running') AS status, (s.event -> 'task')::text AS input,
    (e.event -> 'result')::text AS output, e.event #>> '{result,error,message}' AS error,
    s.at AS started_at, e.at AS ended_at
  FROM runs r
  JOIN LATERAL (
    SELECT run_id, seq, at, ${readable('data')} AS event FROM events WHERE run_id = r.run_id AND type = 'job.started'
  ) s ON true
  LEFT JOIN LATERAL (
    SELECT at, ${readable('data')} AS event FROM events x
    WHERE x.run_id = s.run_id AND x.seq > s.seq AND x.type = 'job.settled'
  ) e ON e.event ->> 'key' = s.event ->> 'key'`
