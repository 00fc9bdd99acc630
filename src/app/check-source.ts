import { basename } from 'node:path'
import type { SqlSource } from '../agents/sql/source.ts'
import { isSchema } from '../databases/glossary/tables.ts'
import { pluralize } from '../shared/pluralize.ts'
import { omitUndefined } from '../shared/json.ts'
import { toTuttiError } from '../domain/errors.ts'
import type { DatabaseSchema } from '../databases/schema.ts'
import type { Protections } from '../databases/database.ts'
import type { MailAccount } from '../mail/types.ts'
import type { McpServer } from '../mcp/tool-list.ts'

const TIMEOUT_MS = 15_000
const MAX_NAMED = 8

/** A database, or an MCP server. */
export interface DatabaseReport {
  readonly name: string
  readonly ok: boolean
  readonly message: string
  /** A problem that does not prevent its use. */
  readonly note?: string
  /** Absent for external MCP servers, and if the database cannot be reached. */
  readonly walls?: Protections
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
    const walls = await source.walls?.(AbortSignal.timeout(TIMEOUT_MS))
    if (isSchema(schema) && schema.tables.length === 0)
      return { name: source.name, ok: false, message: noTable(schema, walls) }
    const message = isSchema(schema) ? `${schema.dialect}, ${pluralize(schema.tables.length, 'table')}` : 'answers'
    const { leftOut = [], path = '' } = (await source.terms?.()) ?? {}
    const note = leftOut.length === 0 ? undefined : ignoredTerms(path, leftOut)
    return { name: source.name, ok: true, message, ...omitUndefined({ walls, note }) }
  } catch (thrown) {
    return { name: source.name, ok: false, message: toTuttiError(thrown).message }
  }
}

function ignoredTerms(path: string, entries: readonly string[]): string {
  const more = entries.length > MAX_NAMED ? `, and ${entries.length - MAX_NAMED} more` : ''
  const named = entries.slice(0, MAX_NAMED).join('; ')
  return `terms of tables that are not under "tables" are ignored (${basename(path)}): ${named}${more}`
}

/** The message for a database without readable tables: what to do. */
function noTable({ dialect }: DatabaseSchema, { grants, elsewhere }: Partial<Protections> = {}): string {
  if (elsewhere !== undefined)
    return (
      'It has no table that may be read in the schema that is read ("public" unless another is named), and there are some in ' +
      `${elsewhere.map((name) => `"${name}"`).join(', ')}. Name those to read: in the field “Schemas” of the page /setup, or ` +
      `in the configuration file, under "databases", as "schema": ${JSON.stringify(elsewhere)}.`
    )
  if (grants !== undefined) return `Its user may read none of its tables. Let it read: ${grants.join(' ')}`
  const where =
    dialect === 'postgres' ? ' in the schema that is read ("public" unless the configuration says otherwise)' : ''
  return `It has no table that may be read${where}. Make one there, or use another database.`
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
