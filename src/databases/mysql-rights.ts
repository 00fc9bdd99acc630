import type { PoolConnection } from 'mysql2'
import { TuttiError } from '../domain/errors.ts'
import { runMysql } from './mysql-rows.ts'
import type { Protections } from './database.ts'

export interface MysqlRights {
  readonly user: string
  /** Rights on the whole server that let a SELECT reach files or get around the server's limits. */
  readonly dangers: readonly string[]
  /** Rights to change something in the database that is asked. */
  readonly changes: readonly string[]
}

const DANGEROUS = new Set(['ALL PRIVILEGES', 'FILE', 'SUPER'])
const CHANGING = new Set('ALL PRIVILEGES,INSERT,UPDATE,DELETE,CREATE,DROP,ALTER,EXECUTE,TRIGGER,EVENT'.split(','))
const GRANT = /^GRANT (.+?) ON (.+?) TO /

/** What SHOW GRANTS says about the account that is logged in. */
export async function readMysqlRights(connection: PoolConnection): Promise<MysqlRights> {
  const rows = await runMysql<Record<string, string>>(connection, 'SHOW GRANTS')
  const [who] = await runMysql<{ user: string; base: string | null }>(
    connection,
    'SELECT CURRENT_USER() AS user, DATABASE() AS base',
  )
  const grants = rows.flatMap((row) => Object.values(row))
  return { user: who?.user ?? '', ...rightsOf(grants, who?.base ?? '') }
}

/** Grants on other databases do not matter; MariaDB gives everybody some on `test`. */
function rightsOf(grants: readonly string[], base: string): Pick<MysqlRights, 'dangers' | 'changes'> {
  const dangers = new Set<string>()
  const changes = new Set<string>()
  for (const grant of grants) {
    const [, names = '', place = ''] = GRANT.exec(grant) ?? []
    // Columns in brackets behind a right do not matter here.
    for (const right of names.replace(/\([^)]*\)/g, '').split(',')) {
      const name = right.trim()
      if (place === '*.*' && DANGEROUS.has(name)) dangers.add(name)
      if (CHANGING.has(name) && covers(place, base)) changes.add(name)
    }
  }
  return { dangers: [...dangers], changes: [...changes] }
}

/** Whether a grant on this place counts in the database: its name is a pattern of LIKE. */
function covers(place: string, base: string): boolean {
  const [, name] = /^`((?:[^`]|``)*)`/.exec(place) ?? []
  if (name === undefined) return true // all databases, or a place in another spelling
  const pattern = name.replaceAll('``', '`').replace(/\\?[^]/g, (part) => {
    if (part === '%') return '.*'
    return part === '_' ? '.' : part.slice(-1).replace(/[^\w]/, '\\$&')
  })
  return new RegExp(`^${pattern}$`, 'is').test(base)
}

/** The statements that create an account which can only read. */
export function readerAccountStatements(database: string): string[] {
  return [`CREATE USER tutti_reader@'%' IDENTIFIED BY '…';`, `GRANT SELECT ON \`${database}\`.* TO tutti_reader@'%';`]
}

/** @throws TuttiError `ConfigurationError` for an account with rights that reading never needs */
export function assertPlainAccount({ user, dangers }: MysqlRights, name: string, statements: readonly string[]): void {
  if (dangers.length === 0) return
  throw new TuttiError(
    'ConfigurationError',
    `The account ${user} of the database "${name}" has the right ${dangers.join(' and ')} on the whole server, so a query that ` +
      `got past the other protections could reach files of the server. Log in with an account that can only read: ` +
      `${statements.join(' ')} Or write "allowSuperuser: true" for this database under "databases" in the configuration file.`,
  )
}

/** What `tutti doctor` says about a MySQL or MariaDB database. */
export function mysqlProtections({ user, dangers, changes }: MysqlRights, statements: readonly string[]): Protections {
  const isPlain = changes.length === 0 && dangers.length === 0
  return {
    standing: ['SQL guard', ...(isPlain ? [`rights of ${user}`] : []), 'read-only transaction', 'limits'],
    weak: [
      ...dangers.map(
        (right) => `the account ${user} has ${right} on the whole server, so its rights are no protection`,
      ),
      ...(changes.length > 0 && dangers.length === 0
        ? [
            `the account ${user} has ${changes.join(', ')}, so only the read-only transaction keeps it from changing data`,
          ]
        : []),
    ],
    advice: isPlain ? [] : statements,
  }
}
