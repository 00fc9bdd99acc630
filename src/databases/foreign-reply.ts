import { isDeepStrictEqual } from 'node:util'
import { tryParseExactJson, tryParseJson } from '../shared/json.ts'
import { z } from 'zod'
import { ERROR_CODES, TuttiError, type ErrorCode } from '../domain/errors.ts'
import type { McpToolResult } from '../mcp/spec.ts'
import { failureReply, queryReply, type QueryReply } from './query-reply.ts'
import type { DatabaseSchema } from './schema.ts'
import type { SourceSchema } from './sources.ts'

/** What can be understood of an external server's rows: positional, or objects by column name. */
const foreignReply = z.object({
  success: z.boolean().optional(),
  columns: z.array(z.string()).nullish(),
  data: z.union([z.array(z.array(z.unknown())), z.array(z.record(z.string(), z.unknown()))]).nullish(),
  row_count: z.number().nullish(),
  error: z.string().nullish(),
  truncated: z.boolean().nullish(),
})

const failure = z.object({ error: z.string(), error_code: z.string().optional() })

/** Enough to tell a schema in our form from one in the server's own form. */
const schemaShape = z.object({
  name: z.string(),
  dialect: z.enum(['postgres', 'mysql', 'sqlite']),
  tables: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['table', 'view']),
      columns: z.array(z.object({ name: z.string(), type: z.string(), kind: z.string() })),
      foreignKeys: z.array(z.unknown()),
    }),
  ),
})

/** @throws TuttiError with the server's own error code where it names one of ours, else `ToolError` */
export function readSchemaReply(server: string, result: McpToolResult): SourceSchema {
  const value = payload(result)
  const failed = failure.safeParse(value)
  if (result.isError || (failed.success && value !== null && !('tables' in (value as object)))) {
    const code = failed.data?.error_code
    throw new TuttiError(isErrorCode(code) ? code : 'ToolError', failed.data?.error ?? `${server}: ${result.text}`)
  }
  if (schemaShape.safeParse(value).success) return value as DatabaseSchema
  return { text: result.text !== '' ? result.text : JSON.stringify(result.structured) }
}

/** @throws TuttiError `ToolError` when the answer is in no form that can be understood */
export function readQueryReply(server: string, result: McpToolResult): QueryReply {
  const value = payload(result)
  const own = queryReply.safeParse(value)
  if (own.success) return own.data
  const foreign = foreignReply.safeParse(value)
  if (!foreign.success) {
    // A tool that fails the way MCP describes says why in its text.
    if (result.isError) return failureReply(new TuttiError('QueryError', result.text))
    throw new TuttiError(
      'ToolError',
      `MCP server "${server}" answered mcp_db_query in a form that is not understood; expected {success, columns, data, row_count, error}.`,
    )
  }
  const { success, error, truncated } = foreign.data
  if (result.isError || success === false || (success === undefined && typeof error === 'string')) {
    return failureReply(new TuttiError('QueryError', error ?? result.text))
  }
  const rows = foreign.data.data ?? []
  const columns = foreign.data.columns ?? namesOf(rows)
  const data = rows.map((row) => (Array.isArray(row) ? row : columns.map((name) => row[name] ?? null)))
  return { success: true, columns, data, row_count: data.length, error: null, truncated: truncated ?? false }
}

function namesOf(rows: readonly (unknown[] | Record<string, unknown>)[]): string[] {
  return [...new Set(rows.flatMap((row) => (Array.isArray(row) ? [] : Object.keys(row))))]
}

/**
 * The structured content, else the text read as JSON, else undefined. The SDK rounds the numbers of structured content;
 * where the text says the same, as MCP wants it to, its digits are taken.
 */
function payload({ structured, text }: McpToolResult): unknown {
  const isSame = structured === undefined || isDeepStrictEqual(structured, tryParseJson(text))
  return isSame ? tryParseExactJson(text) : structured
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return (ERROR_CODES as readonly (string | undefined)[]).includes(code)
}
