import { list, tree, type Tree } from './json.ts'

/** Where the figures of a query come from, as its select lists say it. */
export interface Figures {
  /** A column of the outermost SELECT depends on no column and counts no rows. */
  readonly isMadeUp: boolean
  /** Numbers of the select lists that are part of what is computed. */
  readonly numbers: readonly string[]
}

/** Functions whose arguments may be numbers without these becoming figures. */
const SETTINGS =
  /^(round|coalesce|ifnull|nullif|substr|substring|left|right|lpad|rpad|mod|power|strftime|date|datetime|julianday|unixepoch|time|date_trunc|date_part|date_add|date_sub|adddate|subdate|date_format|extract|make_date|make_interval|to_char|to_date|str_to_date|timestampdiff|ntile|lag|lead|nth_value|percentile_cont|percentile_disc|instr|replace|trim|split_part|concat|concat_ws|format|group_concat|string_agg)$/i
const COMPARISONS = /^(Eq|NotEq|Lt|LtEq|Gt|GtEq|=|<>|!=|<|<=|>|>=)$/
/** Parts of a tree whose numbers are no figures: branches, times, which rows are meant, and queries that only test. */
const APART = new Set(
  'substring_from substring_for Case CaseExpr Interval TypeCast typeName data_type selection having filter agg_filter over within_group agg_order InList InSubquery Exists Between SubLinkTest whereClause havingClause sortClause groupClause group_by order_by limit_clause limitCount limitOffset span token select_token location'.split(
    ' ',
  ),
)
const UNITS = /^(?:0|1|100|1000|1024|60|3600|24|7|12)(?:\.0*)?$/
const DIGITS = /^\s*[-+]?[\d.,]+\s*$/

/** Reads sqlparser's tree of a query, or libpg-query's. */
export function figuresOf(query: Tree): Figures {
  const outer = selectsOf(query)
  const numbers = new Set<string>()
  for (const select of everySelect(query)) for (const item of itemsOf(select)) collect(item, numbers)
  const items = outer.map(itemsOf)
  const isLabel = (item: unknown): boolean => !hasNumber(item) && isText(item)
  return {
    isMadeUp: items.some((own) => own.some((item) => !depends(item) && !(isLabel(item) && own.some(depends)))),
    numbers: [...numbers],
  }
}

/** The SELECTs that give the rows of a query: one, or those of a UNION. */
function selectsOf(query: Tree): readonly Tree[] {
  if ('larg' in query) return [...selectsOf(tree(query['larg'])), ...selectsOf(tree(query['rarg']))]
  if ('targetList' in query) return [query]
  const { body = query, Select, SetOperation, Query } = query
  if (Select !== undefined) return [tree(Select)]
  if (Query !== undefined) return selectsOf(tree(Query))
  const { left, right } = tree(SetOperation)
  if (left !== undefined) return [...selectsOf(tree(left)), ...selectsOf(tree(right))]
  return body === query ? [] : selectsOf(tree(body))
}

export function itemsOf(select: Tree): readonly unknown[] {
  return list(select['projection'] ?? select['targetList'])
}

/** All SELECTs whose columns can become figures: those of FROM and WITH, too. */
export function everySelect(query: unknown): readonly Tree[] {
  if (typeof query !== 'object' || query === null) return []
  const own = 'projection' in query || 'targetList' in query ? [query as Tree] : []
  const within = Object.entries(query).filter(([key]) => !APART.has(key))
  return [...own, ...within.flatMap(([, value]) => everySelect(value))]
}

/** Does it read a column, or count rows? */
function depends(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return node === 'Wildcard'
  if (Array.isArray(node)) return node.some(depends)
  const own = node as Tree
  if ('ColumnRef' in own || 'CompoundIdentifier' in own || 'QualifiedWildcard' in own || 'Wildcard' in own) return true
  if ('agg_star' in own || 'A_Star' in own || /^count$/i.test(calledIn(own) ?? '')) return true
  return Object.entries(own).some(([key, value]) => {
    if (key === 'Identifier') return true
    return !['name', 'funcname', 'alias', 'span', 'data_type', 'typeName'].includes(key) && depends(value)
  })
}

/** The name of the function that a part calls. */
function calledIn(own: Tree): string | undefined {
  const { name, funcname } = tree(own['Function'] ?? own['FuncCall'])
  return /"(?:value|sval)":"(\w+)"/.exec(JSON.stringify(list(name ?? funcname).at(-1) ?? ''))?.[1]
}

function numberOf(own: Tree): string | undefined {
  const { Number: digits, A_Const, SingleQuotedString: quoted } = own
  if (digits !== undefined) return String(list(digits)[0])
  if (typeof quoted === 'string' && DIGITS.test(quoted)) return quoted.trim()
  const { ival, fval, sval } = tree(A_Const)
  if (ival !== undefined) return String(tree(ival)['ival'] ?? 0)
  if (fval !== undefined) return String(tree(fval)['fval'])
  const text = tree(sval)['sval']
  return typeof text === 'string' && DIGITS.test(text) ? text.trim() : undefined
}

function hasNumber(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  return numberOf(node as Tree) !== undefined || Object.values(node).some(hasNumber)
}

function isText(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  return (
    'SingleQuotedString' in node ||
    'sval' in node ||
    'isnull' in node ||
    Object.values(node).some((inner) => inner === 'Null' || isText(inner))
  )
}

function collect(node: unknown, numbers: Set<string>): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) return node.forEach((inner) => collect(inner, numbers))
  const own = node as Tree
  const number = numberOf(own)
  if (number !== undefined) return void numbers.add(number)
  const name = calledIn(own)
  if (name !== undefined && SETTINGS.test(name)) {
    const { args } = tree(own['Function'] ?? own['FuncCall'])
    // What is rounded or cut is the figure; the rest says how.
    return collect(Array.isArray(args) ? args[0] : list(tree(tree(args)['List'])['args'])[0], numbers)
  }
  const { op, left, right } = tree(own['BinaryOp'])
  const { name: sign, lexpr, rexpr } = tree(own['A_Expr'])
  const operator = String(op ?? tree(tree(list(sign)[0])['String'])['sval'] ?? '')
  if (COMPARISONS.test(operator)) return
  if (/^(Multiply|Divide|Modulo|\*|\/|%)$/.test(operator)) {
    for (const side of [left ?? lexpr, right ?? rexpr]) {
      const inner = new Set<string>()
      collect(side, inner)
      for (const one of inner) if (depends(side) || !UNITS.test(one)) numbers.add(one)
    }
    return
  }
  for (const [key, value] of Object.entries(own)) if (!APART.has(key)) collect(value, numbers)
}
