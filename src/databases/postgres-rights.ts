import type { PoolClient } from 'pg'
import { TuttiError } from '../domain/errors.ts'
import type { Protections } from './database.ts'

/** Roles with which a plain SELECT can read or write server files or start programs. */
const SERVER_ROLES = ['pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program']

export interface PostgresRights {
  readonly user: string
  /**
   * Rights that make the user dangerous even in a read-only transaction: `a superuser`, `a member of
   * pg_read_server_files`.
   */
  readonly dangers: readonly string[]
  /** Number of tables in the shown schemas that the reader may change. */
  readonly writable: number
}

/** `session_user`, since `SET ROLE` can be undone. Membership counts whether or not it is inherited. */
const DANGERS = `
  SELECT session_user::text AS user, r.rolname::text AS role, r.rolsuper AS super, r.rolreplication AS replication
  FROM pg_roles r WHERE pg_has_role(session_user, r.oid, 'MEMBER')
    AND (r.rolsuper OR r.rolreplication OR r.rolname = ANY ($1) OR r.rolname = session_user)`

const WRITABLE_TABLES = `
  SELECT count(*)::int AS writable FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p', 'v', 'f')
    AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')`

interface RoleRow {
  readonly user: string
  readonly role: string
  readonly super: boolean
  readonly replication: boolean
}

export async function readPostgresRights(client: PoolClient, schemas: readonly string[]): Promise<PostgresRights> {
  const { rows: roles } = await client.query<RoleRow>(DANGERS, [SERVER_ROLES])
  const { rows } = await client.query<{ writable: number }>(WRITABLE_TABLES, [schemas])
  const user = roles[0]?.user ?? ''
  const self = roles.find(({ role }) => role === user)
  return {
    user,
    // A superuser counts as a member of every role.
    dangers: self?.super === true ? ['a superuser'] : roles.flatMap(dangerOf),
    writable: rows[0]!.writable,
  }
}

function dangerOf({ user, role, super: isSuper, replication }: RoleRow): string[] {
  if (isSuper) return [`a member of the superuser "${role}"`]
  if (replication) return [role === user ? 'a replication role' : `a member of the replication role "${role}"`]
  return SERVER_ROLES.includes(role) ? [`a member of ${role}`] : []
}

/** The three statements that create a role which can only read. */
export function readerStatements(schemas: readonly string[]): string[] {
  const quoted = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)
  const places = schemas.map(quoted).join(', ')
  return [
    `CREATE ROLE tutti_reader LOGIN PASSWORD '…';`,
    `GRANT USAGE ON SCHEMA ${places} TO tutti_reader;`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${places} TO tutti_reader;`,
  ]
}

/** @throws TuttiError `ConfigurationError` for a user with rights that reading does not need */
export function assertPlainRole(
  { user, dangers }: PostgresRights,
  database: string,
  statements: readonly string[],
): void {
  if (dangers.length === 0) return
  throw new TuttiError(
    'ConfigurationError',
    `The user "${user}" of the database "${database}" is ${dangers.join(' and ')}, so a query that got past the other protections ` +
      `could reach files and programs of the server. Log in as a role that can only read: ${statements.join(' ')} Or write ` +
      `"allowSuperuser: true" for this database under "databases" in the configuration file.`,
  )
}

/** Report of `tutti doctor` on a PostgreSQL database. */
export function postgresProtections(
  rights: PostgresRights,
  schemas: readonly string[],
  hasServerCheck: boolean,
): Protections {
  const { user, dangers, writable } = rights
  const weak = [
    ...dangers.map((danger) => `the user "${user}" is ${danger}, so its rights are no protection`),
    ...(writable > 0 && dangers.length === 0
      ? [
          `the user "${user}" may change ${writable} of the tables, so only the read-only transaction keeps it from that`,
        ]
      : []),
    ...(hasServerCheck ? [] : ["the server's analysis is off (serverCheck: false)"]),
  ]
  const isPlain = dangers.length === 0 && writable === 0
  return {
    standing: [
      'SQL guard',
      ...(hasServerCheck ? ["server's analysis"] : []),
      ...(isPlain ? [`rights of "${user}"`] : []),
      'read-only transaction',
      'limits',
    ],
    weak,
    advice: isPlain ? [] : readerStatements(schemas),
  }
}
