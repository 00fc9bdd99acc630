import type { Dialect } from './sql/query.ts'

/**
 * Users' data across runs. Where ids are not unique across users, the owner comes first in the key. Columns named
 * `sealed`, `asked` and `body` are encrypted.
 */
export function userTables(dialect: Dialect): readonly string[] {
  const serial = dialect === 'sqlite' ? 'integer PRIMARY KEY AUTOINCREMENT' : 'bigserial PRIMARY KEY'
  return [...conversationTables(), ...memoryTables(serial), ...scheduleTables(), ...evaluationTables(), ...OTHERS]
}

function conversationTables(): readonly string[] {
  /** One index per sorted list of conversations, so that a page reads little more than its own rows. */
  const index = (name: string, columns: string, condition = ''): string =>
    `CREATE INDEX conversations_${name} ON conversations (${columns}, updated_at, conversation_id) ${condition}`
  return [
    // `latest_id` is the most recently used branch, at any depth; lists are sorted by its time.
    `CREATE TABLE conversations (owner text NOT NULL, conversation_id text NOT NULL, title text NOT NULL,
      turns integer NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL, pinned_at bigint,
      branch_of text, branch_turn integer, new_at bigint, latest_id text,
      CONSTRAINT conversations_pkey PRIMARY KEY (owner, conversation_id))`,
    index('latest', 'owner'),
    index('open', 'owner', 'WHERE branch_of IS NULL'),
    index('pinned', 'owner', 'WHERE pinned_at IS NOT NULL'),
    index('branches', 'owner, branch_of', 'WHERE branch_of IS NOT NULL'),
    `CREATE TABLE messages (owner text NOT NULL, conversation_id text NOT NULL, turn integer NOT NULL,
      role text NOT NULL, content text NOT NULL, run_id text NOT NULL, provenance text, created_at bigint NOT NULL,
      understood text, CONSTRAINT messages_pkey PRIMARY KEY (owner, conversation_id, turn, role),
      CONSTRAINT messages_of_run UNIQUE (owner, conversation_id, run_id, role))`,
    `CREATE TABLE conversation_summaries (owner text NOT NULL, conversation_id text NOT NULL,
      turns_covered integer NOT NULL, summary_text text NOT NULL, run_id text NOT NULL, provenance text,
      created_at bigint NOT NULL, CONSTRAINT summaries_pkey PRIMARY KEY (owner, conversation_id, turns_covered))`,
    // Links to conversations, with the SHA-256 of their tokens.
    `CREATE TABLE conversation_shares (share_id text NOT NULL PRIMARY KEY, owner text NOT NULL,
      conversation_id text NOT NULL, hash text NOT NULL UNIQUE, turns integer NOT NULL, created_at bigint NOT NULL,
      expires_at bigint, title text)`,
    'CREATE INDEX shares_of_conversation ON conversation_shares (owner, conversation_id)',
  ]
}

/** What was remembered of a user; skills, with the runs that they were learnt from; teams in their versions. */
function memoryTables(counted: string): readonly string[] {
  return [
    `CREATE TABLE user_memory (owner text NOT NULL, field text NOT NULL, value text NOT NULL, source text NOT NULL,
      run_id text, updated_at bigint NOT NULL, CONSTRAINT user_memory_pkey PRIMARY KEY (owner, field))`,
    `CREATE TABLE user_memory_history (id ${counted}, owner text NOT NULL, field text NOT NULL,
      change_key text NOT NULL, before text, after text NOT NULL, source text NOT NULL, run_id text,
      changed_at bigint NOT NULL, CONSTRAINT user_memory_change UNIQUE (owner, change_key, field))`,
    `CREATE TABLE skills (owner text NOT NULL, skill_id text NOT NULL, agent text NOT NULL, task text NOT NULL,
      steps text NOT NULL, outcome text NOT NULL, provenance text NOT NULL, vector text, run_id text NOT NULL,
      created_at bigint NOT NULL, used_at bigint NOT NULL, CONSTRAINT skills_pkey PRIMARY KEY (owner, skill_id))`,
    `CREATE TABLE skill_lessons (owner text NOT NULL, run_id text NOT NULL,
      CONSTRAINT skill_lessons_pkey PRIMARY KEY (owner, run_id))`,
    // Teams. `current` grows with each version that is made the current one: the highest is used. A key is saved once.
    `CREATE TABLE workflows (owner text NOT NULL, name text NOT NULL, version integer NOT NULL, team text NOT NULL,
      status text NOT NULL, remark text, is_shared integer NOT NULL, current integer NOT NULL, key text NOT NULL,
      created_at bigint NOT NULL, provenance text, CONSTRAINT workflows_pkey PRIMARY KEY (owner, name, version),
      CONSTRAINT workflows_once UNIQUE (owner, key))`,
  ]
}

function scheduleTables(): readonly string[] {
  return [
    `CREATE TABLE schedules (schedule_id text NOT NULL PRIMARY KEY, owner text NOT NULL, timing text NOT NULL,
      asked text NOT NULL, secret_hash text, next_at bigint, is_paused integer NOT NULL, created_at bigint NOT NULL)`,
    'CREATE INDEX schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL',
    'CREATE INDEX schedules_of_owner ON schedules (owner, created_at)',
    `CREATE TABLE schedule_runs (run_id text NOT NULL PRIMARY KEY, schedule_id text NOT NULL, owner text NOT NULL,
      due_at bigint NOT NULL, status text NOT NULL, tries integer NOT NULL, try_at bigint NOT NULL, body text, note text,
      failure text)`,
    'CREATE INDEX schedule_runs_of ON schedule_runs (schedule_id, due_at)',
    "CREATE INDEX schedule_runs_open ON schedule_runs (try_at) WHERE status IN ('due', 'running', 'sending')",
  ]
}

function evaluationTables(): readonly string[] {
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
  ]
}

const OTHERS = [
  `CREATE TABLE feedback (owner text NOT NULL, run_id text NOT NULL, thumb text NOT NULL, reason text,
    given_at bigint NOT NULL, CONSTRAINT feedback_pkey PRIMARY KEY (owner, run_id))`,
  // Usage of runs, which is kept after their deletion. Cost is in millionths of a US dollar.
  `CREATE TABLE run_usage (run_id text NOT NULL, model text NOT NULL, owner text NOT NULL, day text NOT NULL,
    is_first integer NOT NULL, calls integer NOT NULL, input_tokens bigint NOT NULL, output_tokens bigint NOT NULL,
    cost bigint NOT NULL, CONSTRAINT run_usage_pkey PRIMARY KEY (run_id, model))`,
  'CREATE INDEX run_usage_by_day ON run_usage (day)',
  'CREATE TABLE mailboxes (owner text PRIMARY KEY, sealed text NOT NULL, changed_at bigint NOT NULL)',
]
