import type { Dialect } from '../schema.ts'
import { refuse } from './verdict.ts'

/**
 * Longest query, in characters. PostgreSQL's own parser copes with far more; sqlparser's memory is corrupted for good
 * by about 1,000 chained operators, which also has its own cap (see `sqlparser/lexer.ts`).
 */
const MAX_LENGTH: Readonly<Record<Dialect, number>> = { postgres: 32_000, mysql: 20_000, sqlite: 20_000 }

const LONE_SURROGATE = /\p{Surrogate}/u

/** What must hold of the text before any parser sees it. */
export function checkText(sql: string, dialect: Dialect): void {
  const limit = MAX_LENGTH[dialect]
  if (sql.length > limit) {
    refuse('length', `The query has ${sql.length} characters; at most ${limit} are allowed. Write a shorter query.`)
  }
  if (sql.trim() === '') refuse('statement-count', 'The query is empty; write exactly one SELECT statement.')
  if (sql.includes('\0')) refuse('nul', 'The query contains a NUL character; remove it.')
  // libpg-query swallows the character after half a pair, a closing quote for instance, while the database never sees it so.
  if (LONE_SURROGATE.test(sql)) {
    refuse('encoding', 'The query contains half of a surrogate pair, which is not valid Unicode; remove it.')
  }
}
