import { TuttiError } from '../../domain/errors.ts'
import type { DatabaseSchema, Dialect } from '../schema.ts'
import { createParser, type Parser } from './parser.ts'
import { checkSqlparser } from './sqlparser/check.ts'
import { lex } from './sqlparser/lexer.ts'
import { createTableCatalog, type TableCatalog } from './tables.ts'
import { Refusal, rejectQuery, type Verdict } from './verdict.ts'

export type { JoinedSelect, NamedColumn } from './joins.ts'
export type { GuardRule, Verdict } from './verdict.ts'

export interface CheckOptions {
  /** Tables and views a query may read, as `x` or `schema.x`; absent, all of the schema. */
  readonly allowedTables?: readonly string[]
}

export interface SqlGuard {
  /**
   * Judges one query by its syntax tree: exactly one SELECT that reads allowed tables and calls allowed functions. Run the very
   * text that was checked, never a re-printed one. Throws only when the SQL guard itself is broken.
   */
  check(sql: string, schema: DatabaseSchema, options?: CheckOptions): Promise<Verdict>
}

const LANGUAGE: Readonly<Record<Dialect, string>> = { postgres: 'PostgreSQL', mysql: 'MySQL', sqlite: 'SQLite' }

/**
 * Shared parsers for the whole process: they have no state of callers, and starting one takes longer than most queries.
 * They do not keep the process running.
 */
const PARSERS: Parsers = {
  postgres: createParser({ package: 'libpg-query' }),
  other: createParser({ package: '@guanmingchiu/sqlparser-ts' }),
}

/**
 * Protects a database against SQL injection and harmful queries of a model. The first of four protections (grammar, role,
 * limits, reset): one SQL guard serves all dialects; a parser is loaded by the first query that needs it. The rule (read-only, allow-listed tables) is judged on the tree, so a column
 * named "update" or a text 'delete' is no violation.
 */
export function createSqlGuard(): SqlGuard {
  return {
    async check(sql, schema, options = {}) {
      try {
        const found = await judge(sql, schema, createTableCatalog(schema, options.allowedTables))
        return { allowed: true, ...found }
      } catch (thrown) {
        if (thrown instanceof Refusal) {
          const { message: reason, rule, place } = thrown
          return { allowed: false, reason, rule, ...place }
        }
        throw thrown
      }
    },
  }
}

interface Parsers {
  readonly postgres: Parser
  readonly other: Parser
}

async function judge(sql: string, schema: DatabaseSchema, catalog: TableCatalog) {
  const { dialect } = schema
  checkText(sql, dialect)
  switch (dialect) {
    case 'postgres': {
      const { checkPostgres } = await import('./postgres/check.ts')
      return checkPostgres(await parse(PARSERS.postgres, sql, dialect), catalog, schema.callable)
    }
    case 'mysql':
    case 'sqlite': {
      const { readable, words, positionOf } = lex(sql, dialect)
      const own = schema.callable?.own ?? []
      return checkSqlparser(await parse(PARSERS.other, readable, dialect, positionOf), dialect, words, catalog, own)
    }
    default:
      throw new TuttiError('ConfigurationError', `The SQL guard does not support the dialect "${String(dialect)}".`)
  }
}

async function parse(
  parser: Parser,
  sql: string,
  dialect: Dialect,
  positionOf: (at: number) => number = (at) => at,
): Promise<unknown> {
  const outcome = await parser.parse(sql, dialect)
  if (outcome.kind === 'tree') return outcome.tree
  if (outcome.kind === 'crash') {
    return rejectQuery(
      'length',
      `The query could not be checked (${outcome.message}); run it once more, or write it shorter and simpler.`,
    )
  }
  return rejectQuery(
    'parse',
    `The query does not parse as ${LANGUAGE[dialect]}: ${outcome.message.replace('sql parser error: ', '')}.`,
    outcome.at === undefined ? {} : { at: positionOf(outcome.at) },
  )
}

/**
 * Maximum length of a query in characters. PostgreSQL's own parser handles far more. About 1,000 chained operators
 * corrupt sqlparser's memory; they have a separate limit (see `sqlparser/lexer.ts`).
 */
const MAX_LENGTH: Readonly<Record<Dialect, number>> = { postgres: 32_000, mysql: 20_000, sqlite: 20_000 }

const LONE_SURROGATE = /\p{Surrogate}/u

/** What must hold of the text before any parser sees it. */
function checkText(sql: string, dialect: Dialect): void {
  const limit = MAX_LENGTH[dialect]
  if (sql.length > limit) {
    rejectQuery(
      'length',
      `The query has ${sql.length} characters; at most ${limit} are allowed. Write a shorter query.`,
    )
  }
  if (sql.trim() === '') rejectQuery('statement-count', 'The query is empty; write exactly one SELECT statement.')
  if (sql.includes('\0')) rejectQuery('nul', 'The query contains a NUL character; remove it.')
  // libpg-query swallows the character after half a pair, a closing quote for instance, while the database never sees it so.
  if (LONE_SURROGATE.test(sql)) {
    rejectQuery('encoding', 'The query contains half of a surrogate pair, which is not valid Unicode; remove it.')
  }
}
