/**
 * Matches EXPLAIN with options that run nothing, before a query. Only whitespace may be between: with nested comments,
 * this pattern and the server could find different statements.
 */
const EXPLAIN =
  /^\s*explain\s+(?:verbose\s+|\(\s*(?:costs|format|summary|verbose)(?:\s+\w+)?(?:\s*,\s*(?:costs|format|summary|verbose)(?:\s+\w+)?)*\s*\)\s*)?(?=(?:select|with|values|table)\b)/i

/** The query that a plain EXPLAIN is about; undefined for any other text, so also for EXPLAIN ANALYZE, which runs the query. */
export function explainedQuery(sql: string): string | undefined {
  const found = EXPLAIN.exec(sql)
  return found === null ? undefined : sql.slice(found[0].length)
}
