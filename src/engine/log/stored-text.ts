import { bareUrls } from '../../shared/links/urls.ts'

const NAME = String.raw`(?:[\p{L}_][\p{L}\p{N}_]*|"[\p{L}\p{N}_ -]+"|\x60[\p{L}\p{N}_ -]+\x60|\[[\p{L}\p{N}_ -]+\])`
const COLUMN = String.raw`${NAME}(?:\s*\.\s*${NAME})*`
const STAR = String.raw`(?:${NAME}\s*\.\s*){0,3}\*`
const AGGREGATE = String.raw`(?:count|sum|avg|min|max)\s*\(\s*(?:(?:distinct|all)\s+)?(?:${COLUMN}|\*)\s*\)`
const ITEM = String.raw`\s*(?:${AGGREGATE}|${STAR}|${COLUMN}|\d+)(?:\s+(?:as\s+)?${NAME})?\s*`
const LIST = new RegExp(String.raw`^\s(?:\s*(?:distinct|all)\s)?${ITEM}(?:,${ITEM})*$`, 'iu')

/** Words that may precede a parenthesis and are no function that returns texts. */
const NO_FUNCTION =
  /^(?:count|sum|avg|min|max|in|exists|not|and|or|where|from|join|on|as|union|all|any|some|except|intersect|having|by|when|then|else|between|like)$/i

/**
 * Whether all texts that a query returns are stored in the database as they are: each of its SELECTs, nested ones
 * included, lists only columns, `*`, and their counts, sums, averages, minima and maxima. Other expressions may build
 * texts in too many ways to check.
 */
export function selectsAsStored(sql: string): boolean {
  if (!/^\s*(?:select|with)\b/i.test(sql) || bareUrls(sql).length > 0) return false
  // Comments, quotes of another kind, and statements that bring texts of their own.
  if (/--|\/\*|#|\$|;\s*\S|\b(?:values|returning|insert|update|delete|merge|replace|into)\b/i.test(sql)) return false
  const calls = [...sql.matchAll(/([\p{L}\p{N}_$]+["\x60\]]?)\s*\(/gu)]
  if (calls.some(([, name]) => !NO_FUNCTION.test(name!))) return false
  return sql
    .split(/\bselect\b/i)
    .slice(1)
    .every((rest) => LIST.test(rest.split(/\bfrom\b/i, 1)[0]!))
}
