import { LOCAL_OWNER } from '../domain/events.ts'

const OWNED_TABLES =
  'runs approvals conversations messages conversation_summaries user_memory user_memory_history artifacts artifact_pieces erasures ' +
  'skills skill_lessons workflows conversation_shares run_usage schedules schedule_runs feedback mailboxes ' +
  'eval_cases evaluations eval_results'

/**
 * Row-level security of PostgreSQL, in addition to the owner in each query: a transaction that names an owner sees no
 * other rows. Workers work for all owners and name none.
 */
export function ownRows(): readonly string[] {
  return OWNED_TABLES.split(' ').flatMap((table) => [
    ...enforce(table),
    `CREATE POLICY own_rows ON ${table} USING (${READER} IN ('', owner))`,
  ])
}

/** Rows of other owners that a user may read: shared teams, and collections that were shared with the user. */
export function shareRows(): readonly string[] {
  const isAdmin = `EXISTS (SELECT 1 FROM users u WHERE u.user_id = ${READER} AND u.is_disabled = 0 AND u.role = 'admin')`
  const hasAccount = `EXISTS (SELECT 1 FROM users u WHERE u.user_id = ${READER} AND u.is_disabled = 0)`
  // While no accounts exist, requests come from the machine's local user. An account with that name is an ordinary
  // account.
  const isMachine = `(NOT EXISTS (SELECT 1 FROM users u WHERE u.user_id = ${READER})
      AND (${READER} = '${LOCAL_OWNER}' OR NOT EXISTS (SELECT 1 FROM users)))`
  const isGiven = `EXISTS (SELECT 1 FROM source_grants g WHERE g.source = 'collection:' || collection_id
      AND (g.grantee IN ('everyone', 'user:' || ${READER}) OR EXISTS (SELECT 1 FROM group_members m
        WHERE m.user_id = ${READER} AND g.grantee = 'group:' || m.group_id)))`
  return [
    'CREATE POLICY shared_rows ON workflows FOR SELECT USING (is_shared = 1)',
    ...enforce('collections'),
    `CREATE POLICY readable ON collections USING (${READER} IN ('', owner)
      OR (owner IS NULL AND (${isAdmin} OR ${isMachine})) OR (${isGiven} AND (${hasAccount} OR ${isMachine})))`,
    // Collections shared by a disabled user are hidden from others; workers and the owner still see them.
    `CREATE POLICY resting ON collections AS RESTRICTIVE USING (${READER} IN ('', owner)
      OR NOT EXISTS (SELECT 1 FROM users o WHERE o.user_id = collections.owner AND o.is_disabled = 1))`,
  ]
}

const READER = "coalesce(current_setting('tutti.owner', true), '')"

/** For the owner of the table as well, which is the database user of Tutti. */
function enforce(table: string): readonly string[] {
  return [`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`, `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`]
}
