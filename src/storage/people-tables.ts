import { LOCAL_OWNER } from '../domain/owner.ts'
import type { Dialect } from './sql/query.ts'

/**
 * Users with their sessions, keys and groups, their grants and limits, and changes by admins. Tokens and keys are
 * stored as SHA-256, passwords as argon2id hashes.
 */
export function peopleTables(dialect: Dialect): readonly string[] {
  const counted = dialect === 'sqlite' ? 'integer PRIMARY KEY AUTOINCREMENT' : 'bigserial PRIMARY KEY'
  return [
    // `known_as` is the name in lower case; `subject` identifies the user at the single sign-on provider.
    `CREATE TABLE users (user_id text NOT NULL PRIMARY KEY, username text NOT NULL, known_as text NOT NULL UNIQUE,
      display_name text NOT NULL, email text, password text, role text NOT NULL, is_disabled integer NOT NULL,
      subject text UNIQUE, failures integer NOT NULL, locked_until bigint NOT NULL, second_factor text,
      second_factor_step bigint, created_at bigint NOT NULL)`,
    `CREATE TABLE sessions (session_id text NOT NULL PRIMARY KEY, user_id text NOT NULL, hash text NOT NULL UNIQUE,
      is_active integer NOT NULL, from_where text NOT NULL, started_at bigint NOT NULL, last_used_at bigint NOT NULL)`,
    'CREATE INDEX sessions_of_user ON sessions (user_id)',
    // Invitations and links for a new password.
    `CREATE TABLE tickets (hash text NOT NULL PRIMARY KEY, kind text NOT NULL, user_id text, role text,
      expires_at bigint NOT NULL)`,
    `CREATE TABLE api_keys (key_id text NOT NULL PRIMARY KEY, user_id text NOT NULL, name text NOT NULL,
      begins_with text NOT NULL, hash text NOT NULL UNIQUE, scopes text NOT NULL, created_at bigint NOT NULL,
      expires_at bigint, last_used_at bigint)`,
    'CREATE INDEX api_keys_of_user ON api_keys (user_id)',
    `CREATE TABLE user_groups (group_id text NOT NULL PRIMARY KEY, name text NOT NULL UNIQUE, created_at bigint NOT NULL)`,
    // `added_by` is `oidc` if the provider manages the membership.
    `CREATE TABLE group_members (group_id text NOT NULL, user_id text NOT NULL, added_by text NOT NULL,
      CONSTRAINT group_members_pkey PRIMARY KEY (group_id, user_id))`,
    'CREATE INDEX groups_of_user ON group_members (user_id)',
    // `grantee` is `everyone`, `group:<id>` or `user:<id>`.
    `CREATE TABLE source_grants (source text NOT NULL, grantee text NOT NULL, level text NOT NULL,
      CONSTRAINT source_grants_pkey PRIMARY KEY (source, grantee))`,
    `CREATE TABLE quotas (grantee text NOT NULL, measure text NOT NULL, period text NOT NULL, most bigint NOT NULL,
      CONSTRAINT quotas_pkey PRIMARY KEY (grantee, measure, period))`,
    // Used and reserved amounts per period, which is a day, a month or `ever`.
    `CREATE TABLE quota_use (grantee text NOT NULL, measure text NOT NULL, period text NOT NULL, used bigint NOT NULL,
      CONSTRAINT quota_use_pkey PRIMARY KEY (grantee, measure, period))`,
    `CREATE TABLE quota_reservations (reservation_id text NOT NULL, grantee text NOT NULL, measure text NOT NULL,
      period text NOT NULL, amount bigint NOT NULL,
      CONSTRAINT quota_reservations_pkey PRIMARY KEY (reservation_id, grantee, measure, period))`,
    `CREATE TABLE audit (id ${counted}, at bigint NOT NULL, changed_by text NOT NULL, action text NOT NULL,
      target text NOT NULL, detail text NOT NULL)`,
  ]
}

/** Links to conversations, with the SHA-256 of their tokens; and usage of runs, which is kept after their deletion. */
export function addSharesAndUsage(): readonly string[] {
  return [
    `CREATE TABLE conversation_shares (share_id text NOT NULL PRIMARY KEY, owner text NOT NULL,
      conversation_id text NOT NULL, hash text NOT NULL UNIQUE, turns integer NOT NULL, with_queries integer NOT NULL,
      created_at bigint NOT NULL, expires_at bigint)`,
    'CREATE INDEX shares_of_conversation ON conversation_shares (owner, conversation_id)',
    // Cost is in millionths of a US dollar.
    `CREATE TABLE run_usage (run_id text NOT NULL, model text NOT NULL, owner text NOT NULL, day text NOT NULL,
      is_first integer NOT NULL, calls integer NOT NULL, input_tokens bigint NOT NULL, output_tokens bigint NOT NULL,
      cost bigint NOT NULL, CONSTRAINT run_usage_pkey PRIMARY KEY (run_id, model))`,
    'CREATE INDEX run_usage_by_day ON run_usage (day)',
  ]
}

/**
 * Collections of documents that are shared as one; grants are in `source_grants`. Those without an owner belong to the
 * installation, and its admins share them. On PostgreSQL a user's transaction only sees collections the user may read.
 */
export function collectionTables(dialect: Dialect): readonly string[] {
  const table = `CREATE TABLE collections (collection_id text NOT NULL PRIMARY KEY, name text NOT NULL, owner text,
      created_at bigint NOT NULL)`
  if (dialect === 'sqlite') return [table, OF_OWNER]
  const reader = "coalesce(current_setting('tutti.owner', true), '')"
  const isAdmin = `EXISTS (SELECT 1 FROM users u WHERE u.user_id = ${reader} AND u.is_disabled = 0 AND u.role = 'admin')`
  const hasAccount = `EXISTS (SELECT 1 FROM users u WHERE u.user_id = ${reader} AND u.is_disabled = 0)`
  // While no accounts exist, requests come from the machine's local user. An account with that name is an ordinary
  // account.
  const isMachine = `(NOT EXISTS (SELECT 1 FROM users u WHERE u.user_id = ${reader})
      AND (${reader} = '${LOCAL_OWNER}' OR NOT EXISTS (SELECT 1 FROM users)))`
  const isGiven = `EXISTS (SELECT 1 FROM source_grants g WHERE g.source = 'collection:' || collection_id
      AND (g.grantee IN ('everyone', 'user:' || ${reader}) OR EXISTS (SELECT 1 FROM group_members m
        WHERE m.user_id = ${reader} AND g.grantee = 'group:' || m.group_id)))`
  return [
    table,
    OF_OWNER,
    `CREATE POLICY readable ON collections USING (${reader} IN ('', owner)
      OR (owner IS NULL AND (${isAdmin} OR ${isMachine})) OR (${isGiven} AND (${hasAccount} OR ${isMachine})))`,
    'ALTER TABLE collections ENABLE ROW LEVEL SECURITY',
    'ALTER TABLE collections FORCE ROW LEVEL SECURITY',
  ]
}

/** Collections shared by a disabled user are hidden from others; workers and the owner still see them. */
export function hideCollectionsOfDisabled(dialect: Dialect): readonly string[] {
  if (dialect === 'sqlite') return []
  return [
    `CREATE POLICY resting ON collections AS RESTRICTIVE USING (coalesce(current_setting('tutti.owner', true), '') IN ('', owner)
      OR NOT EXISTS (SELECT 1 FROM users o WHERE o.user_id = collections.owner AND o.is_disabled = 1))`,
  ]
}

/**
 * Responses to repeatable requests. `asked` and `answer` are sealed; without an answer the request is still being
 * processed.
 */
export function addStoredResponses(dialect: Dialect): readonly string[] {
  return [
    `CREATE TABLE kept_answers (owner text NOT NULL, id text NOT NULL, asked text NOT NULL, holder text NOT NULL,
      held_until bigint NOT NULL, answer text, at bigint NOT NULL, CONSTRAINT kept_answers_pkey PRIMARY KEY (owner, id))`,
    'CREATE INDEX kept_answers_by_age ON kept_answers (at)',
    ...ownRows(dialect, ['kept_answers']),
  ]
}

/** The title of a conversation at the time it was shared; absent for older links. */
export function addSharedTitles(): readonly string[] {
  return ['ALTER TABLE conversation_shares ADD COLUMN title text']
}

/** Users' own mailboxes; `sealed` contains a whole mailbox. */
export function addMailboxes(dialect: Dialect): readonly string[] {
  return [
    'CREATE TABLE mailboxes (owner text PRIMARY KEY, sealed text NOT NULL, changed_at bigint NOT NULL)',
    ...ownRows(dialect, ['mailboxes']),
  ]
}

/**
 * Chunked uploads, stored as artifacts. `charged_to` is the user whose quota they use, which may differ from the
 * sender.
 */
export function addUploads(dialect: Dialect): readonly string[] {
  return [
    `CREATE TABLE uploads (owner text NOT NULL, upload_id text NOT NULL, name text NOT NULL, bytes bigint NOT NULL,
      pieces text NOT NULL, charged_to text, fingerprint text, expires_at bigint NOT NULL,
      CONSTRAINT uploads_pkey PRIMARY KEY (owner, upload_id))`,
    'CREATE INDEX uploads_by_end ON uploads (expires_at)',
    ...ownRows(dialect, ['uploads']),
  ]
}

/** The admin who created a link, which becomes invalid when the admin loses the role; absent for older links. */
export function addTokenCreators(): readonly string[] {
  return ['ALTER TABLE tickets ADD COLUMN made_by text']
}

/** Attempts to guess credentials per minute, by the hash of the credential and the client. */
export function addLoginAttempts(): readonly string[] {
  return ['CREATE TABLE tries (what text PRIMARY KEY, minute bigint NOT NULL, counted integer NOT NULL)']
}

const OF_OWNER = 'CREATE INDEX collections_of_owner ON collections (owner)'

/** Keeps the rows of owners apart in the tables that there were first. */
export function guardOwners(dialect: Dialect): readonly string[] {
  const tables = ['runs', 'approvals', 'conversations', 'messages', 'conversation_summaries', 'user_memory']
  return ownRows(dialect, [...tables, 'user_memory_history'])
}

/** The same for tables that lacked it. Shared skills and teams are readable by others, but not writable. */
export function guardOthers(dialect: Dialect): readonly string[] {
  if (dialect === 'sqlite') return []
  const own = ['skills', 'skill_lessons', 'workflows', 'conversation_shares', 'run_usage', 'erasures']
  return [
    ...ownRows(dialect, own),
    'CREATE POLICY shared_rows ON skills FOR SELECT USING (shared = 1)',
    'CREATE POLICY shared_rows ON workflows FOR SELECT USING (is_shared = 1)',
  ]
}

/**
 * Row-level security in addition to the owner in each query: a transaction that names an owner sees no other rows.
 * Workers work for all owners and name none.
 */
export function ownRows(dialect: Dialect, tables: readonly string[]): readonly string[] {
  if (dialect === 'sqlite') return []
  return tables.flatMap((table) => [
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    // Applies to the table's owner as well, which is the database user of Tutti.
    `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
    `CREATE POLICY own_rows ON ${table} USING (coalesce(current_setting('tutti.owner', true), '') IN ('', owner))`,
  ])
}
