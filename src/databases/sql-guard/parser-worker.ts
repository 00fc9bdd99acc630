import { serveCalls } from '../../processes/serve.ts'
import type { Dialect } from '../schema.ts'

/** The program of a parser's thread; its order is which one. */
export type ParserName = 'libpg-query' | '@guanmingchiu/sqlparser-ts'

export interface ParseJob {
  readonly sql: string
  readonly dialect: Dialect
}

export type ParseOutcome =
  | { readonly kind: 'tree'; readonly tree: unknown }
  | { readonly kind: 'syntax'; readonly message: string; /** The character where it stopped. */ readonly at?: number }
  /** The parser broke or took too long; it has been thrown away and the next query gets a new one. */
  | { readonly kind: 'crash'; readonly message: string }

serveCalls(async (name: ParserName) => {
  const { parse, isSyntaxError } = await (name === 'libpg-query' ? loadPgQuery() : loadSqlParser())
  return (job: ParseJob): ParseOutcome => {
    try {
      return { kind: 'tree', tree: parse(job) }
    } catch (thrown) {
      const error = thrown as Error
      const message = String(error.message)
      if (!isSyntaxError(error)) return { kind: 'crash', message }
      const at = errorPosition(job.sql, error)
      return { kind: 'syntax', message, ...(at === undefined ? {} : { at }) }
    }
  }
})

/** sqlparser counts lines and columns in its message, libpg-query characters from nought. */
function errorPosition(sql: string, error: Error): number | undefined {
  const { sqlDetails } = error as { readonly sqlDetails?: { readonly cursorPosition?: number } }
  if (sqlDetails !== undefined) return sqlDetails.cursorPosition
  if (error.message.includes('found: EOF')) return sql.length
  const [, line, column] = /at Line: (\d+), Column: (\d+)/.exec(error.message) ?? []
  if (line === undefined) return undefined
  const before = sql.split('\n').slice(0, Number(line) - 1)
  return before.join('\n').length + (before.length > 0 ? 1 : 0) + Number(column) - 1
}

interface Parser {
  parse(job: ParseJob): unknown
  /** Whether an error is the query's. A fault in WebAssembly (a trap, a full stack) leaves its memory in an unknown state. */
  isSyntaxError(error: Error): boolean
}

async function loadPgQuery(): Promise<Parser> {
  const { loadModule, parseSync } = await import('libpg-query')
  await loadModule()
  return {
    parse: ({ sql }) => parseSync(sql),
    isSyntaxError: (error) =>
      'sqlDetails' in error && error.sqlDetails !== undefined && !/memory exhausted/.test(error.message),
  }
}

async function loadSqlParser(): Promise<Parser> {
  const { init, parse } = await import('@guanmingchiu/sqlparser-ts')
  await init()
  return {
    parse: ({ sql, dialect }) => parse(sql, dialect === 'postgres' ? 'postgresql' : dialect),
    isSyntaxError: ({ name, message }) => name === 'ParserError' && message.startsWith('sql parser error:'),
  }
}
