import type { Dialect } from './sql/query.ts'

/**
 * Users with their sessions, keys and groups, their grants and limits, and changes by admins. Tokens and keys are
 * stored as SHA-256, passwords as argon2id hashes.
 */
export function accountTables(dialect: Dialect): readonly string[] {
  const serial = dialect === 'sqlite' ? 'integer PRIMARY KEY AUTOINCREMENT' : 'bigserial PRIMARY KEY'
  return [
    // `known_as` is the name in lower case; `subject` identifies the user at the single sign-on provider.
    `CREATE TABLE users (user_id text NOT NULL PRIMARY KEY, username text NOT NULL, known_as text NOT NULL UNIQUE,
      display_name text NOT NULL, password text, role text NOT NULL, is_disabled integer NOT NULL,
      subject text UNIQUE, failures integer NOT NULL, locked_until bigint NOT NULL,
      created_at bigint NOT NULL)`,
    `CREATE TABLE sessions (session_id text NOT NULL PRIMARY KEY, user_id text NOT NULL, hash text NOT NULL UNIQUE,
      is_active integer NOT NULL, from_where text NOT NULL, started_at bigint NOT NULL, last_used_at bigint NOT NULL)`,
    'CREATE INDEX sessions_of_user ON sessions (user_id)',
    // Links for a new password. They become invalid when the admin who made them loses the role.
    `CREATE TABLE tickets (hash text NOT NULL PRIMARY KEY, kind text NOT NULL, user_id text,
      expires_at bigint NOT NULL, made_by text)`,
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
    // Used and reserved amounts per period, which is a day or a month.
    `CREATE TABLE quota_use (grantee text NOT NULL, measure text NOT NULL, period text NOT NULL, used bigint NOT NULL,
      CONSTRAINT quota_use_pkey PRIMARY KEY (grantee, measure, period))`,
    `CREATE TABLE quota_reservations (reservation_id text NOT NULL, grantee text NOT NULL, measure text NOT NULL,
      period text NOT NULL, amount bigint NOT NULL,
      CONSTRAINT quota_reservations_pkey PRIMARY KEY (reservation_id, grantee, measure, period))`,
    `CREATE TABLE audit (id ${serial}, at bigint NOT NULL, changed_by text NOT NULL, action text NOT NULL,
      target text NOT NULL, detail text NOT NULL)`,
    // Attempts to guess credentials per minute, by the hash of the credential and the client.
    'CREATE TABLE tries (what text PRIMARY KEY, minute bigint NOT NULL, counted integer NOT NULL)',
    // The id of an erased user alone identifies nobody; the database uses it to reject late writes.
    'CREATE TABLE erased_people (person text NOT NULL PRIMARY KEY, at bigint NOT NULL)',
    // Collections of documents that are shared as one. Those without an owner belong to the installation.
    `CREATE TABLE collections (collection_id text NOT NULL PRIMARY KEY, name text NOT NULL, owner text,
      created_at bigint NOT NULL)`,
    'CREATE INDEX collections_of_owner ON collections (owner)',
  ]
}
