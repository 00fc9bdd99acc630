/** Who knows no table makes the figures up: `SELECT 4217 AS customers`. */
const CONSTANTS =
  /^\s*SELECT\s+(?:DISTINCT\s+)?(?:(?:-?[\d.]+|'[^']*')(?:\s+(?:AS\s+)?(?:\w+|"[^"]*"|`[^`]*`))?\s*,?\s*)+(?:FROM|LIMIT|$)/i

/** Whether the words of a query say that its figures come from a table. */
export function readsTable(sql: string): boolean {
  return /\bFROM\b/i.test(sql) && !isConstant(sql)
}

/** Whether a query selects only constants, from any table. */
export function isConstant(sql: string): boolean {
  return CONSTANTS.test(sql)
}

/** Words in an expression that are not column names. */
const KEYWORDS = new Set(
  `and or not null is in like ilike glob regexp between case when then else end distinct true false collate nocase binary
  rtrim as interval date time timestamp datetime day week month quarter year hour minute second epoch integer int bigint
  smallint real text numeric decimal float double precision varchar char character boolean current_date current_time
  current_timestamp from escape over partition by order asc desc filter where within group rows range preceding following
  unbounded current row similar to any all exists unknown at zone using on div mod xor signed unsigned both leading trailing
  isnull notnull localtime localtimestamp dow doy isodow first last nulls separator`.split(/\s+/),
)

/** Texts, quoted names, and names that are no functions, with those before a dot. */
const NAME = /'(?:[^']|'')*'|("[^"]*"|`[^`]*`|(?:[A-Za-z_][\w$]*\.)*[A-Za-z_][\w$]*)(?![\w$]|\s*\()/g

/** The columns that an expression names, as it names them. */
export function columnNamesIn(sql: string): readonly string[] {
  return [...sql.matchAll(NAME)].flatMap(([, name]) =>
    name === undefined || KEYWORDS.has(name.toLowerCase()) ? [] : [name.replace(/["`]/g, '')],
  )
}

/** Whether every bracket and quote of an expression closes within it, so that nothing of it can reach beyond brackets around it. */
export function hasBalancedBrackets(sql: string): boolean {
  const bare = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`/g, '')
  let depth = 0
  for (const char of bare) {
    depth += char === '(' ? 1 : char === ')' ? -1 : 0
    if (depth < 0) return false
  }
  return depth === 0 && !/['"`]/.test(bare)
}
