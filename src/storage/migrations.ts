import { TuttiError } from '../domain/errors.ts'
import { LOCAL_OWNER } from '../domain/owner.ts'
import {
  collectionTables,
  addStoredResponses,
  addMailboxes,
  addTokenCreators,
  peopleTables,
  addSharedTitles,
  addSharesAndUsage,
  addLoginAttempts,
  addUploads,
  guardOthers,
  guardOwners,
  ownRows,
  hideCollectionsOfDisabled,
} from './people-tables.ts'
import { PLACES, type Place } from './owned-rows.ts'
import {
  addAnswerIndex,
  addApprovalDetails,
  addArtifacts,
  addRunParts,
  addScopesAndLabels,
  addSharedValues,
  addValues,
  createRuns,
  executionsView,
} from './run-tables.ts'
import { addErasedPeople, REFUSE_ERASED, refuseErased } from './sql/erased.ts'
import type { Dialect } from './sql/query.ts'

/** In order; the position in the list is the version. Do not change a released migration; add a new one. */
const MIGRATIONS: readonly ((dialect: Dialect) => readonly string[])[] = [
  createRuns,
  addOwnersAndMemory,
  addApprovalDetails,
  addAnswerIndex,
  addValues,
  addUnderstood,
  addShelf,
  peopleTables,
  guardOwners,
  addTeams,
  addSkills,
  addArtifacts,
  addSharesAndUsage,
  addSchedules,
  collectionTables,
  addStoredResponses,
  addConversationIndexes,
  hideCollectionsOfDisabled,
  addMailboxes,
  addSharedTitles,
  addEvaluations,
  addUploads,
  addErasedPeople,
  guardOthers,
  addTokenCreators,
  () => ['ALTER TABLE schedule_runs ADD COLUMN failure text'],
  addLatestBranches,
  addLoginAttempts,
  addSweeps,
  addRunParts,
  addScopesAndLabels,
  addSharedValues,
]

/** A connection that is inside a transaction, alone with the schema. */
export interface MigrationConnection {
  readonly dialect: Dialect
  query(sql: string): Promise<readonly Record<string, unknown>[]>
}

/**
 * Migrates the schema. The caller holds the lock and the transaction: if several processes start at once, one migrates
 * and the others find the schema up to date. After an error the old schema is unchanged.
 * @throws TuttiError `StorageError` if a newer version of Tutti wrote the database
 */
export async function migrate({ dialect, query }: MigrationConnection): Promise<void> {
  await query('CREATE TABLE IF NOT EXISTS tutti_schema (version integer PRIMARY KEY)')
  const [row] = await query('SELECT max(version) AS version FROM tutti_schema')
  const version = Number(row?.['version'] ?? 0)
  if (version > MIGRATIONS.length) {
    throw new TuttiError(
      'StorageError',
      `The database has schema version ${version}, and this Tutti knows versions up to ${MIGRATIONS.length}. ` +
        'Run the newer Tutti that wrote it, or restore a backup.',
    )
  }
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue
    for (const statement of migration(dialect)) await query(statement)
    await query(`INSERT INTO tutti_schema (version) VALUES (${index + 1})`)
  }
  if (version < MIGRATIONS.length) await guardErased({ dialect, query })
}

/** Makes all existing tables reject rows of erased users. */
async function guardErased({ dialect, query }: MigrationConnection): Promise<void> {
  if (dialect === 'postgres') await query(REFUSE_ERASED)
  for (const place of (await query(PLACES[dialect].sql)) as unknown as readonly Place[]) {
    for (const statement of refuseErased(dialect, place.name, place.column)) await query(statement)
  }
}

/** Owners of runs and approvals, conversations with their summaries, long-term memory, the audit view. */
function addOwnersAndMemory(dialect: Dialect): readonly string[] {
  return [
    // Runs and approvals from before owners existed belong to the local user of the machine.
    `ALTER TABLE runs ADD COLUMN owner text DEFAULT '${LOCAL_OWNER}' NOT NULL`,
    `ALTER TABLE approvals ADD COLUMN owner text DEFAULT '${LOCAL_OWNER}' NOT NULL`,
    'CREATE INDEX runs_by_owner ON runs (owner, created_at, run_id)',
    'CREATE INDEX approvals_by_owner ON approvals (owner, status, requested_at)',
    // The owner comes first in every key, so that one user's id reveals nothing about other users.
    `CREATE TABLE conversations (owner text NOT NULL, conversation_id text NOT NULL, title text NOT NULL,
      turns integer NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL,
      CONSTRAINT conversations_pkey PRIMARY KEY (owner, conversation_id))`,
    'CREATE INDEX conversations_latest ON conversations (owner, updated_at)',
    `CREATE TABLE messages (owner text NOT NULL, conversation_id text NOT NULL, turn integer NOT NULL,
      role text NOT NULL, content text NOT NULL, run_id text NOT NULL, provenance text, created_at bigint NOT NULL,
      CONSTRAINT messages_pkey PRIMARY KEY (owner, conversation_id, turn, role),
      CONSTRAINT messages_of_run UNIQUE (owner, conversation_id, run_id, role))`,
    `CREATE TABLE conversation_summaries (owner text NOT NULL, conversation_id text NOT NULL,
      turns_covered integer NOT NULL, summary_text text NOT NULL, run_id text NOT NULL, provenance text,
      created_at bigint NOT NULL, CONSTRAINT summaries_pkey PRIMARY KEY (owner, conversation_id, turns_covered))`,
    `CREATE TABLE user_memory (owner text NOT NULL, field text NOT NULL, value text NOT NULL, source text NOT NULL,
      run_id text, updated_at bigint NOT NULL, CONSTRAINT user_memory_pkey PRIMARY KEY (owner, field))`,
    `CREATE TABLE user_memory_history (
      id ${dialect === 'sqlite' ? 'integer PRIMARY KEY AUTOINCREMENT' : 'bigserial PRIMARY KEY'}, owner text NOT NULL,
      field text NOT NULL, change_key text NOT NULL, before text, after text NOT NULL, source text NOT NULL, run_id text,
      changed_at bigint NOT NULL, CONSTRAINT user_memory_change UNIQUE (owner, change_key, field))`,
    executionsView(dialect),
  ]
}

/** The rewritten form of a follow-up question, for the next question to continue from. */
function addUnderstood(): readonly string[] {
  return ['ALTER TABLE messages ADD COLUMN understood text']
}

/** Users' changes to conversations: pin, archive, branch from an earlier turn. */
function addShelf(): readonly string[] {
  return ['pinned_at bigint', 'archived_at bigint', 'branch_of text', 'branch_turn integer'].map(
    (column) => `ALTER TABLE conversations ADD COLUMN ${column}`,
  )
}

/** Teams in their versions. `current` grows with each that is made the current one: the highest is used. A key is saved once. */
function addTeams(): readonly string[] {
  return [
    `CREATE TABLE workflows (owner text NOT NULL, name text NOT NULL, version integer NOT NULL, team text NOT NULL,
      status text NOT NULL, remark text, is_shared integer NOT NULL, current integer NOT NULL, key text NOT NULL,
      created_at bigint NOT NULL, CONSTRAINT workflows_pkey PRIMARY KEY (owner, name, version),
      CONSTRAINT workflows_once UNIQUE (owner, key))`,
  ]
}

/** How tasks were done before, and the runs that this was learnt from. */
function addSkills(): readonly string[] {
  return [
    `CREATE TABLE skills (owner text NOT NULL, skill_id text NOT NULL, agent text NOT NULL, task text NOT NULL,
      steps text NOT NULL, outcome text NOT NULL, provenance text NOT NULL, vector text, shared integer NOT NULL,
      helped integer NOT NULL, hurt integer NOT NULL, verdict text, run_id text NOT NULL, created_at bigint NOT NULL,
      used_at bigint NOT NULL, CONSTRAINT skills_pkey PRIMARY KEY (owner, skill_id))`,
    'CREATE INDEX skills_shared ON skills (agent) WHERE shared = 1',
    `CREATE TABLE skill_lessons (owner text NOT NULL, run_id text NOT NULL,
      CONSTRAINT skill_lessons_pkey PRIMARY KEY (owner, run_id))`,
  ]
}

/**
 * Schedules, their executions, and users' feedback on answers. `asked` and `body` are sealed; `new_at` marks an answer
 * in the inbox.
 */
function addSchedules(dialect: Dialect): readonly string[] {
  return [
    `CREATE TABLE schedules (schedule_id text NOT NULL PRIMARY KEY, owner text NOT NULL, timing text NOT NULL,
      asked text NOT NULL, secret_hash text, next_at bigint, is_paused integer NOT NULL, created_at bigint NOT NULL)`,
    'CREATE INDEX schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL',
    'CREATE INDEX schedules_of_owner ON schedules (owner, created_at)',
    `CREATE TABLE schedule_runs (run_id text NOT NULL PRIMARY KEY, schedule_id text NOT NULL, owner text NOT NULL,
      due_at bigint NOT NULL, status text NOT NULL, tries integer NOT NULL, try_at bigint NOT NULL, body text, note text)`,
    'CREATE INDEX schedule_runs_of ON schedule_runs (schedule_id, due_at)',
    "CREATE INDEX schedule_runs_open ON schedule_runs (try_at) WHERE status IN ('due', 'running', 'sending')",
    `CREATE TABLE feedback (owner text NOT NULL, run_id text NOT NULL, thumb text NOT NULL, reason text, correction text,
      given_at bigint NOT NULL, CONSTRAINT feedback_pkey PRIMARY KEY (owner, run_id))`,
    'CREATE INDEX feedback_latest ON feedback (given_at, run_id)',
    'ALTER TABLE conversations ADD COLUMN new_at bigint',
    ...ownRows(dialect, ['schedules', 'schedule_runs', 'feedback']),
  ]
}

/** One index per sorted list of conversations, so that a page reads little more than its own rows. */
function addConversationIndexes(): readonly string[] {
  const index = (name: string, columns: string, condition: string): string =>
    `CREATE INDEX conversations_${name} ON conversations (${columns}, updated_at, conversation_id) ${condition}`
  return [
    'DROP INDEX conversations_latest',
    index('latest', 'owner', ''),
    index('open', 'owner', 'WHERE archived_at IS NULL AND branch_of IS NULL'),
    index('pinned', 'owner', 'WHERE pinned_at IS NOT NULL'),
    index('archived', 'owner', 'WHERE archived_at IS NOT NULL'),
    index('branches', 'owner, branch_of', 'WHERE branch_of IS NOT NULL'),
  ]
}

/** The most recently used branch of a conversation, at any depth, with its time; lists are sorted by it. */
function addLatestBranches(): readonly string[] {
  const latest = (what: string): string =>
    `(SELECT f.${what} FROM family f WHERE f.owner = conversations.owner AND f.first_id = conversations.conversation_id
      ORDER BY f.updated_at DESC LIMIT 1)`
  return [
    'ALTER TABLE conversations ADD COLUMN latest_id text',
    `WITH RECURSIVE family AS (
      SELECT owner, conversation_id AS first_id, conversation_id, updated_at FROM conversations WHERE branch_of IS NULL
      UNION ALL SELECT c.owner, f.first_id, c.conversation_id, c.updated_at FROM conversations c
        JOIN family f ON c.owner = f.owner AND c.branch_of = f.conversation_id
    ) UPDATE conversations SET latest_id = ${latest('conversation_id')}, updated_at = ${latest('updated_at')}
      WHERE branch_of IS NULL AND EXISTS (SELECT 1 FROM conversations b WHERE b.owner = conversations.owner
        AND b.branch_of = conversations.conversation_id)`,
  ]
}

/** When old data was deleted, and how much. */
function addSweeps(): readonly string[] {
  return [
    `CREATE TABLE sweeps (at bigint NOT NULL, runs integer NOT NULL, conversations integer NOT NULL,
      uploads integer NOT NULL, waiting integer NOT NULL)`,
  ]
}

/** Evaluation cases and their results. The `sealed` columns hold questions and answers. */
function addEvaluations(dialect: Dialect): readonly string[] {
  return [
    `CREATE TABLE eval_cases (owner text NOT NULL, set_name text NOT NULL, case_id text NOT NULL, place integer NOT NULL,
      sealed text NOT NULL, created_at bigint NOT NULL, CONSTRAINT eval_cases_pkey PRIMARY KEY (owner, set_name, case_id))`,
    `CREATE TABLE evaluations (evaluation_id text NOT NULL PRIMARY KEY, owner text NOT NULL, asked text NOT NULL,
      status text NOT NULL, created_at bigint NOT NULL, ended_at bigint)`,
    'CREATE INDEX evaluations_of_owner ON evaluations (owner, created_at)',
    "CREATE INDEX evaluations_open ON evaluations (evaluation_id) WHERE status = 'running'",
    `CREATE TABLE eval_results (evaluation_id text NOT NULL, place integer NOT NULL, owner text NOT NULL, set_name text NOT NULL,
      case_id text NOT NULL, sealed text NOT NULL, status text NOT NULL, run_id text NOT NULL, held_until bigint NOT NULL,
      verdict text, calls integer, cost_usd double precision, latency_ms bigint,
      CONSTRAINT eval_results_pkey PRIMARY KEY (evaluation_id, place))`,
    ...ownRows(dialect, ['eval_cases', 'evaluations', 'eval_results']),
  ]
}
