import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { ownData, outsideData, type Provenance } from '../../domain/provenance.ts'
import type { Source } from '../../domain/result.ts'
import { defineTool, type Tool } from '../../domain/tool.ts'
import type { QueryPayload, SourceSchema, SqlSource } from './source.ts'

/** Names that MCP servers for databases also use. */
export const SCHEMA_TOOL = 'mcp_db_schema'
export const QUERY_TOOL = 'mcp_db_query'

interface QueryOutput {
  readonly database: string
  readonly result: QueryPayload
  readonly sources: readonly Source[]
}

export interface SqlTools {
  readonly schema: Tool<{ database: string }, { database: string; schema: SourceSchema }>
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
  const provenance = ({ database }: { database: string }): Provenance =>
    sourceOf(database).trusted ? ownData(`database ${database}`) : outsideData(`mcp:${database}`)
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
