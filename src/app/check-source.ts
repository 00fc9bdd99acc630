import { isSchema, type SqlSource } from '../agents/sql/source.ts'
import { toTuttiError } from '../core/errors.ts'
import type { Walls } from '../databases/walls.ts'
import type { MailAccount } from '../mail/types.ts'
import type { McpServer } from '../mcp/offered.ts'

const PATIENCE_MS = 15_000

/** A database, or an MCP server. */
export interface DatabaseReport {
  readonly name: string
  readonly ok: boolean
  readonly message: string
  /** Absent for MCP servers of others, and where the database cannot be reached. */
  readonly walls?: Walls
}

/** Whether an MCP server can be asked, and what it offers. Never thrown. */
export async function checkServer(server: McpServer): Promise<DatabaseReport> {
  try {
    const { accepted, changed, added } = await server.states()
    const aside = changed.length + added.length
    const more = aside === 0 ? '' : `; ${aside} more are put aside, "tutti mcp list" shows them`
    return { name: server.name, ok: true, message: `answers, ${accepted.length} tools${more}` }
  } catch (thrown) {
    return { name: server.name, ok: false, message: toTuttiError(thrown).message }
  }
}

/** Whether a database can be asked, and which walls stand around it. Never thrown. */
export async function checkDatabase(source: SqlSource): Promise<DatabaseReport> {
  try {
    const schema = await source.schema(AbortSignal.timeout(PATIENCE_MS))
    const message = isSchema(schema) ? `${schema.dialect}, ${schema.tables.length} tables` : 'answers'
    const walls = await source.walls?.(AbortSignal.timeout(PATIENCE_MS))
    return { name: source.name, ok: true, message, ...(walls === undefined ? {} : { walls }) }
  } catch (thrown) {
    return { name: source.name, ok: false, message: toTuttiError(thrown).message }
  }
}

/** Why a mailbox cannot be read; undefined where it can. Never thrown. */
export async function mailProblem(mail: MailAccount): Promise<string | undefined> {
  try {
    await mail.search('inbox', '', 1, AbortSignal.timeout(PATIENCE_MS))
    return undefined
  } catch (thrown) {
    return toTuttiError(thrown).message
  }
}
