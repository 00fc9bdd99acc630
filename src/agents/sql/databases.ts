import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { ownData, type Provenance } from '../../domain/provenance.ts'
import type { Database } from './open.ts'
import { nearestNames } from './similar-names.ts'
import type { SqlSource, QueryPayload } from './source.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import type { Source } from '../../domain/result.ts'
import { defineTool, type Tool } from '../../domain/tool.ts'

type ToolInput<S extends z.ZodRawShape> = z.output<z.ZodObject<S>> & { readonly database?: string }

/** The databases of a toolkit, as the input of its tools names them. */
export interface Databases {
  readonly names: readonly string[]
  /** The general title of results. */
  readonly title: string
  /** The input of a tool: its fields, and the database if there are several. */
  input<S extends z.ZodRawShape>(shape: S): z.ZodType<ToolInput<S>, ToolInput<S>>
  /** @throws TuttiError `ToolError` for a name that is not known */
  named(name: string | undefined): Database
}

export function databasesOf(databases: readonly Database[]): Databases {
  const names = databases.map(({ source }) => source.name)
  const [only, ...others] = databases
  return {
    names,
    title: others.length === 0 && only !== undefined ? only.source.name : 'databases',
    input<S extends z.ZodRawShape>(shape: S) {
      const input = z.strictObject(others.length === 0 ? shape : { database: z.enum(names), ...shape })
      return input as unknown as z.ZodType<ToolInput<S>, ToolInput<S>>
    },
    named(name) {
      const found =
        name === undefined && others.length === 0 ? only : databases.find(({ source }) => source.name === name)
      if (found !== undefined) return found
      const near = nearestNames(String(name), names)
      throw new TuttiError(
        'ToolError',
        `There is no database "${name}". There are: ${(near.length > 0 ? near : names).join(', ')}.`,
      )
    },
  }
}

/** Labels of a database's data. */
export function databaseLabels({ name }: Pick<SqlSource, 'name'>): Provenance {
  return ownData(`database ${name}`)
}

/** Names that MCP servers for databases also use. */
export const SCHEMA_TOOL = 'mcp_db_schema'
export const QUERY_TOOL = 'mcp_db_query'

interface QueryOutput {
  readonly database: string
  readonly result: QueryPayload
  readonly sources: readonly Source[]
}

export interface SqlTools {
  readonly schema: Tool<{ database: string }, { database: string; schema: DatabaseSchema }>
  readonly query: Tool<{ database: string; sql: string }, QueryOutput>
}

/** The two MCP tools as tools of this agent, over all its sources. */
export function createSqlTools(sources: readonly SqlSource[]): SqlTools {
  const sourceOf = (name: string): SqlSource => {
    const source = sources.find((candidate) => candidate.name === name)
    if (source !== undefined) return source
    const names = sources.map((candidate) => candidate.name).join(', ')
    throw new TuttiError('ToolError', `There is no database "${name}". There is: ${names}.`)
  }
  const provenance = ({ database }: { database: string }): Provenance => ownData(`database ${database}`)
  return {
    schema: defineTool({
      name: SCHEMA_TOOL,
      description: 'Tables, columns and foreign keys of a database.',
      effect: 'read',
      reach: 'inside', // queries pass the SQL guard and are sent to a server that the operator configured for them
      input: z.object({ database: z.string() }),
      provenance,
      run: async ({ database }, { signal }) => ({ database, schema: await sourceOf(database).schema(signal) }),
    }),
    query: defineTool({
      name: QUERY_TOOL,
      description: 'Runs one read-only SELECT over the allowed tables of a database.',
      effect: 'read',
      reach: 'inside', // queries pass the SQL guard and are sent to a server that the operator configured for them
      input: z.object({ database: z.string(), sql: z.string().min(1) }),
      provenance,
      run: async ({ database, sql }, { signal }): Promise<QueryOutput> => ({
        database,
        result: await sourceOf(database).query(sql, signal),
        sources: [{ kind: 'database', name: database, detail: sql }],
      }),
    }),
  }
}
