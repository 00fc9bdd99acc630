import type { SqlSource } from '../agents/sql/source.ts'
import { pluralize } from '../shared/pluralize.ts'
import { toTuttiError } from '../domain/errors.ts'
import type { DatabaseSchema } from '../databases/schema.ts'
import type { Protections } from '../databases/database.ts'
import type { MailAccount } from '../mail/types.ts'
import type { McpServer } from '../mcp/tool-list.ts'

const TIMEOUT_MS = 15_000

/** A database, or an MCP server. */
export interface DatabaseReport {
  readonly name: string
  readonly ok: boolean
  readonly message: string
  /** Absent for MCP servers, and if the database cannot be reached. */
  readonly protections?: Protections
}

/** Tests an MCP server and lists its tools. Does not throw. */
export async function checkServer(server: McpServer): Promise<DatabaseReport> {
  try {
    const { accepted, changed, added } = await server.states()
    const disabledCount = changed.length + added.length
    const more = disabledCount === 0 ? '' : `; ${disabledCount} more disabled, see "tutti mcp list"`
    return { name: server.name, ok: true, message: `answers, ${pluralize(accepted.length, 'tool')}${more}` }
  } catch (thrown) {
    return { name: server.name, ok: false, message: toTuttiError(thrown).message }
  }
}

/** Tests a database and lists the barriers that protect it. Does not throw. */
export async function checkDatabase(source: SqlSource): Promise<DatabaseReport> {
  try {
    const schema = await source.schema(AbortSignal.timeout(TIMEOUT_MS))
    const protections = await source.protections(AbortSignal.timeout(TIMEOUT_MS))
    if (schema.tables.length === 0) return { name: source.name, ok: false, message: noTable(schema) }
    const message = `${schema.dialect}, ${pluralize(schema.tables.length, 'table')}`
    // Reports terms that cannot be read.
    await source.terms?.()
    return { name: source.name, ok: true, message, protections }
  } catch (thrown) {
    return { name: source.name, ok: false, message: toTuttiError(thrown).message }
  }
}

/** The message for a database without readable tables: what to do. */
function noTable({ dialect }: DatabaseSchema): string {
  const where =
    dialect === 'postgres' ? ' in the schema that is read ("public" unless the configuration says otherwise)' : ''
  return `It has no table that may be read${where}. Grant SELECT on its tables, name another schema, or use another database.`
}

/** Why a mailbox cannot be read; undefined if it can. Does not throw. */
export async function mailProblem(mail: MailAccount): Promise<string | undefined> {
  try {
    await mail.search('inbox', '', 1, AbortSignal.timeout(TIMEOUT_MS))
    return undefined
  } catch (thrown) {
    return toTuttiError(thrown).message
  }
}
