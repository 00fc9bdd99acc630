import type { Dialect } from './sql/query.ts'

/**
 * Runs, their events and approvals. Times are milliseconds since the epoch, except `events.at`, which is the event's
 * own ISO string.
 *
 * `events.data` is the rest of the event as JSON text, on PostgreSQL as well: `jsonb` rejects some valid JSON (a NUL
 * character, lone surrogates), and a log must return everything unchanged.
 */
export function runTables(dialect: Dialect): readonly string[] {
  const isSqlite = dialect === 'sqlite'
  return [
    `CREATE TABLE runs (run_id text NOT NULL PRIMARY KEY, owner text NOT NULL, question text NOT NULL,
      strategy text NOT NULL, status text NOT NULL, parent_id text, epoch integer NOT NULL, worker text,
      lease_until bigint, created_at bigint NOT NULL${isSqlite ? '' : ', last_seq integer NOT NULL, updated_at bigint NOT NULL'})`,
    'CREATE INDEX runs_newest ON runs (created_at, run_id)',
    'CREATE INDEX runs_by_owner ON runs (owner, created_at, run_id)',
    'CREATE INDEX runs_by_status ON runs (status, created_at, run_id)',
    'CREATE INDEX runs_by_parent ON runs (parent_id) WHERE parent_id IS NOT NULL',
    `CREATE TABLE events (run_id text NOT NULL, seq integer NOT NULL, type text NOT NULL, at text NOT NULL,
      v integer NOT NULL, data text NOT NULL, CONSTRAINT events_pkey PRIMARY KEY (run_id, seq))`,
    // Finds the latest piece of an answer without going through the log, for readers who join in the middle of it.
    "CREATE INDEX events_of_answers ON events (run_id, seq) WHERE type = 'answer.delta'",
    // A fork copies the log, and with it the ids.
    `CREATE TABLE approvals (run_id text NOT NULL, approval_id text NOT NULL, owner text NOT NULL, key text NOT NULL,
      path text NOT NULL, tool text NOT NULL, payload text NOT NULL, reason text NOT NULL, status text NOT NULL,
      requested_at bigint NOT NULL, expires_at bigint NOT NULL, decided_by text, decided_at bigint, provenance text,
      instructions text, destination text, scopes text, conversation_id text, scope text, edited_payload text,
      revoked_by text, revoked_at bigint, CONSTRAINT approvals_pkey PRIMARY KEY (run_id, approval_id))`,
    'CREATE INDEX approvals_by_id ON approvals (approval_id)',
    'CREATE INDEX approvals_by_owner ON approvals (owner, status, requested_at)',
    'CREATE INDEX approvals_by_status ON approvals (status, requested_at)',
    "CREATE INDEX approvals_standing ON approvals (owner, tool) WHERE scope IN ('conversation', 'always')",
    // Large values that several events of a run contain, as JSON text by SHA-256; an event refers to them in `$values`.
    `CREATE TABLE run_values (run_id text NOT NULL, hash text NOT NULL, data text NOT NULL,
      CONSTRAINT run_values_pkey PRIMARY KEY (run_id, hash))`,
    // Values shared by runs, such as the instructions and tools of an agent. A row of `run_values` with empty data
    // refers to one; JSON text is never empty. They are deleted with the last reference.
    'CREATE TABLE shared_values (hash text NOT NULL PRIMARY KEY, data text NOT NULL)',
    "CREATE INDEX run_values_shared ON run_values (hash) WHERE data = ''",
    // Agents and models by run, so that lists can filter runs without reading their logs.
    `CREATE TABLE run_parts (run_id text NOT NULL, kind text NOT NULL, name text NOT NULL,
      CONSTRAINT run_parts_pkey PRIMARY KEY (run_id, kind, name))${isSqlite ? ' WITHOUT ROWID' : ''}`,
    `CREATE TABLE artifacts (owner text NOT NULL, id text NOT NULL, name text NOT NULL, media_type text NOT NULL,
      size bigint NOT NULL, CONSTRAINT artifacts_pkey PRIMARY KEY (owner, id))`,
    `CREATE TABLE artifact_pieces (owner text NOT NULL, id text NOT NULL, place integer NOT NULL, written_at bigint NOT NULL,
      bytes ${isSqlite ? 'blob' : 'bytea'} NOT NULL, CONSTRAINT artifact_pieces_pkey PRIMARY KEY (owner, id, place))`,
    // Unfinished erasures of runs with files.
    `CREATE TABLE erasures (owner text NOT NULL, run_id text NOT NULL, files text NOT NULL,
      CONSTRAINT erasures_pkey PRIMARY KEY (owner, run_id))`,
    ...(isSqlite ? SQLITE_ONLY : [EXECUTIONS_POSTGRES]),
  ]
}

/** Each job of each run with its input and output from the log; `input` and `output` are JSON text. */
const EXECUTIONS_SQLITE = `CREATE VIEW agent_executions AS
  SELECT r.owner, s.run_id, s.seq, s.data ->> '$.key' AS key, s.data ->> '$.actor' AS actor,
    coalesce(e.data ->> '$.result.status', 'running') AS status, s.data -> '$.task' AS input,
    e.data -> '$.result' AS output, e.data ->> '$.result.error.message' AS error, s.at AS started_at, e.at AS ended_at
  FROM runs r JOIN events s ON s.run_id = r.run_id AND s.type = 'job.started'
  LEFT JOIN events e ON e.run_id = s.run_id AND e.seq > s.seq AND e.type = 'job.settled'
    AND e.data ->> '$.key' = s.data ->> '$.key'`

/** PostgreSQL cannot parse JSON with a NUL or lone surrogates, which the log may contain as escapes. */
const READABLE = String.raw`regexp_replace(data, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g')::json`

const EXECUTIONS_POSTGRES = `CREATE VIEW agent_executions AS
  SELECT r.owner, s.run_id, s.seq, s.event ->> 'key' AS key, s.event ->> 'actor' AS actor,
    coalesce(e.event #>> '{result,status}', 'running') AS status, (s.event -> 'task')::text AS input,
    (e.event -> 'result')::text AS output, e.event #>> '{result,error,message}' AS error,
    s.at AS started_at, e.at AS ended_at
  FROM runs r
  JOIN LATERAL (
    SELECT run_id, seq, at, ${READABLE} AS event FROM events WHERE run_id = r.run_id AND type = 'job.started'
  ) s ON true
  LEFT JOIN LATERAL (
    SELECT at, ${READABLE} AS event FROM events x
    WHERE x.run_id = s.run_id AND x.seq > s.seq AND x.type = 'job.settled'
  ) e ON e.event ->> 'key' = s.event ->> 'key'`

/** The queue of wakes, for which PostgreSQL has pg-boss. */
const SQLITE_ONLY = [
  'CREATE TABLE wakes (id integer PRIMARY KEY AUTOINCREMENT, run_id text NOT NULL, at bigint NOT NULL)',
  'CREATE INDEX wakes_by_run ON wakes (run_id)',
  // Computed on read; otherwise each append would have to write to `runs`, one more page per commit.
  `CREATE VIEW run_records AS
    SELECT r.*, e.seq AS last_seq, CAST(round(unixepoch(e.at, 'subsec') * 1000) AS integer) AS updated_at
    FROM runs r JOIN events e ON e.run_id = r.run_id AND e.seq = (SELECT max(seq) FROM events WHERE run_id = r.run_id)`,
  EXECUTIONS_SQLITE,
]
