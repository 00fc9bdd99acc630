import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
  type CompiledQuery,
  type Generated,
} from 'kysely'
import type { ConversationMessage } from '../core/conversation.ts'
import type { Execution } from '../core/execution.ts'
import type { MemorySource, ProfileField } from '../core/memory.ts'
import type { ApprovalRecord, RunStatus } from '../core/store.ts'

/** Times are milliseconds since the epoch, except `events.at`, which is the event's own ISO string. */
export interface Tables {
  runs: {
    run_id: string
    owner: string
    question: string
    strategy: string
    status: RunStatus
    parent_id: string | null
    /** PostgreSQL only, as `updated_at`: on SQLite, where a write is a whole page, the view `run_records` finds both. */
    last_seq: number
    epoch: number
    worker: string | null
    lease_until: number | null
    created_at: number
    updated_at: number
  }
  events: {
    run_id: string
    seq: number
    type: string
    at: string
    v: number
    /**
     * The rest of the event as JSON text, also on PostgreSQL: `jsonb` refuses what JSON may hold (a NUL character, half
     * a surrogate pair), and a log must take everything and give it back unchanged.
     */
    data: string
  }
  /** Large parts of a run's events, kept once; an event names them in `$values`, by place and SHA-256. */
  run_values: {
    run_id: string
    hash: string
    /** JSON text. */
    data: string
  }
  approvals: {
    run_id: string
    owner: string
    approval_id: string
    key: string
    path: string
    tool: string
    payload: string
    reason: string
    /** JSON. */
    provenance: string | null
    status: ApprovalRecord['status']
    requested_at: number
    expires_at: number
    decided_by: string | null
    decided_at: number | null
    instructions: string | null
  }
  conversations: {
    owner: string
    conversation_id: string
    title: string
    turns: number
    created_at: number
    updated_at: number
  }
  messages: {
    owner: string
    conversation_id: string
    turn: number
    role: ConversationMessage['role']
    content: string
    run_id: string
    /** JSON text; null means trusted. */
    provenance: string | null
    created_at: number
  }
  conversation_summaries: {
    owner: string
    conversation_id: string
    turns_covered: number
    summary_text: string
    run_id: string
    provenance: string | null
    created_at: number
  }
  user_memory: {
    owner: string
    field: ProfileField
    /** JSON text. */
    value: string
    source: MemorySource['by']
    run_id: string | null
    updated_at: number
  }
  user_memory_history: {
    id: Generated<number>
    owner: string
    field: ProfileField
    change_key: string
    before: string | null
    after: string
    source: MemorySource['by']
    run_id: string | null
    changed_at: number
  }
  /** A view over the events of all jobs. */
  agent_executions: {
    owner: string
    run_id: string
    seq: number
    key: string
    actor: string
    status: Execution['status']
    input: string | null
    output: string | null
    error: string | null
    started_at: string
    ended_at: string | null
  }
  /** SQLite only; on PostgreSQL the queue keeps them. */
  wakes: {
    id: Generated<number>
    run_id: string
    at: number
  }
}

export type Dialect = 'sqlite' | 'postgres'

/** Anything Kysely can turn into SQL. */
export interface Compilable {
  compile(): CompiledQuery
}

/** A Kysely that only compiles SQL; the drivers are called directly, which keeps the hot path short. */
export function compiler(dialect: Dialect): Kysely<Tables> {
  const sqlite = dialect === 'sqlite'
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => (sqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createQueryCompiler: () => (sqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
      createIntrospector: () => {
        throw new Error('This Kysely only compiles; it has no connection to look through.')
      },
    },
  })
}
