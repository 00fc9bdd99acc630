import { FUNCTIONS } from '../functions.ts'
import { isTree, list, text, tree, type Tree } from '../json.ts'
import { checkValueSize, type Bulk, type LiteralArgument } from '../size.ts'
import { foldAscii, type TableCatalog } from '../tables.ts'
import { printableName, rejectQuery } from '../verdict.ts'
import { POSITION_FIELDS, TYPES, type Shape } from './grammar.ts'
import type { LexedDialect } from './lexer.ts'

const MAX_DEPTH = 1500

export interface Walk extends Bulk {
  readonly dialect: LexedDialect
  readonly catalog: TableCatalog
  readonly tables: Set<string>
  readonly functions: Set<string>
  /**
   * Stored functions of the database, in lower case: the server calls one where it has no built-in function of that
   * name.
   */
  readonly own: ReadonlySet<string>
  /** How many SELECT, FROM and JOIN the tree accounts for. */
  readonly seen: { select: number; from: number; join: number }
  depth: number
}

/** Names of the CTEs that may be read here. */
type Ctes = ReadonlySet<string>

/** Walks a query and everything in it. Refuses by throwing. */
export function walkQuery(walk: Walk, query: Tree, outer: Ctes): void {
  if (list(query['locks']).length > 0) {
    rejectQuery('lock', 'FOR UPDATE and FOR SHARE lock rows; only reading is allowed. Leave the clause out.')
  }
  const ctes = new Set(outer)
  const clause = tree(query['with'])
  for (const item of list(clause['cte_tables'])) {
    const cte = tree(item)
    const name = cteName(walk, tree(tree(cte['alias'])['name']))
    // SQLite needs no RECURSIVE for a CTE to mean itself. In MySQL `WITH x AS (SELECT * FROM x)` reads the real table x, and even
    // a recursive CTE does not see those after it.
    const readsItself = clause['recursive'] === true || walk.dialect === 'sqlite'
    walkStruct(walk, 'Cte', cte, readsItself ? new Set([...ctes, name]) : ctes)
    ctes.add(name)
  }
  walkStruct(walk, 'With', clause, ctes, ['cte_tables'])
  walkStruct(walk, 'Query', query, ctes, ['with'])
}

/** MySQL on Linux tells the CTE `Secret` from the table `secret`, so only the exact name counts there. */
function cteName(walk: Walk, ident: Tree): string {
  const name = text(ident['value']) ?? ''
  return walk.dialect === 'sqlite' ? foldAscii(name) : name
}

function walkShape(walk: Walk, value: unknown, shape: Shape, ctes: Ctes): void {
  if (value === null || value === undefined || shape === 'skip') return
  walk.depth += 1
  if (walk.depth > MAX_DEPTH) rejectQuery('length', 'The query is nested too deeply; write it with fewer nested parts.')
  const type = TYPES.get(shape)
  if (type?.kind === 'tuple') walkTuple(walk, value, type.places, ctes)
  else if (Array.isArray(value)) for (const item of value) walkShape(walk, item, shape.replace(/\[\]$/, ''), ctes)
  else walkType(walk, value, shape, ctes)
  walk.depth -= 1
}

function walkTuple(walk: Walk, value: unknown, places: readonly Shape[], ctes: Ctes): void {
  const items = list(value)
  if (items.length !== places.length)
    rejectQuery('node', 'The parser gave a tree of an unknown form; write the query simpler.')
  for (const [index, shape] of places.entries()) walkShape(walk, items[index], shape, ctes)
}

function walkType(walk: Walk, value: unknown, name: string, ctes: Ctes): void {
  if (name === 'Query') {
    walkQuery(walk, tree(value), ctes)
    return
  }
  const type = TYPES.get(name)
  if (type?.kind === 'struct') {
    walkStruct(walk, name, tree(value), ctes)
    return
  }
  const entries = typeof value === 'string' ? [[value, undefined] as const] : Object.entries(tree(value))
  const [variant = '', content] = entries[0] ?? []
  const shape = type?.kind === 'enum' && Object.hasOwn(type.variants, variant) ? type.variants[variant] : undefined
  if (shape === undefined || entries.length !== 1) return refuseVariant(name, variant)
  CHECKS[`${name}.${variant}`]?.(walk, tree(content), ctes)
  if (shape !== 'unit') walkShape(walk, content, shape, ctes)
}

function refuseVariant(name: string, variant: string): never {
  const variantName = printableName(variant)
  switch (name) {
    case 'DataType':
      return rejectQuery('type', `Type ${variantName} is not among the types a value may be cast to.`, {
        name: variant,
      })
    case 'BinaryOperator':
    case 'UnaryOperator':
      return rejectQuery('operator', `Operator ${variantName} is not on the allow-list.`, { name: variant })
    case 'SetExpr':
      return rejectQuery('statement-kind', `Only SELECT is allowed; a part of the query is ${variant.toUpperCase()}.`, {
        name: variant,
      })
    case 'Value':
      return rejectQuery(
        'literal',
        `A literal of the kind ${variantName} is not allowed; write a plain number or text.`,
      )
    default:
      return rejectQuery('node', `${variantName} (${name}) is not among the parts of a query that are allowed.`, {
        name: variant,
      })
  }
}

function walkStruct(walk: Walk, name: string, value: Tree, ctes: Ctes, done: readonly string[] = []): void {
  const type = TYPES.get(name)
  if (type?.kind !== 'struct')
    return rejectQuery('node', `${name} is not among the parts of a query that are allowed.`, { name })
  CHECKS[name]?.(walk, value, ctes)
  for (const [field, content] of Object.entries(value)) {
    if (done.includes(field) || POSITION_FIELDS.has(field)) continue
    const shape = Object.hasOwn(type.fields, field) ? type.fields[field] : undefined
    if (shape !== undefined) walkShape(walk, content, shape, ctes)
    else if (!isEmpty(content))
      rejectQuery('node', `The part ${printableName(`${name}.${field}`)} of a query is not allowed.`, { name: field })
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0)
}

type Check = (walk: Walk, value: Tree, ctes: Ctes) => void

const CHECKS: Readonly<Record<string, Check>> = {
  Select: (walk, select) => {
    if (!isEmpty(select['into'])) rejectQuery('into', 'SELECT … INTO writes; only reading is allowed. Leave INTO out.')
    walk.seen.select += 1
    if (list(select['from']).length > 0) walk.seen.from += 1
  },
  Join: (walk, join) => {
    if (!('StraightJoin' in tree(join['join_operator']))) walk.seen.join += 1
  },
  'Expr.IsDistinctFrom': (walk) => void (walk.seen.from += 1),
  'Expr.IsNotDistinctFrom': (walk) => void (walk.seen.from += 1),
  Extract: (walk) => void (walk.seen.from += 1),
  Substring: (walk, call) => {
    if (call['special'] !== true && !isEmpty(call['substring_from'])) walk.seen.from += 1
    walk.functions.add(call['shorthand'] === true ? 'substr' : 'substring')
  },
  Trim: (walk, call) => {
    if (!isEmpty(call['trim_what'])) walk.seen.from += 1
    walk.functions.add('trim')
  },
  'Expr.Ceil': (walk) => void walk.functions.add('ceil'),
  'Expr.Floor': (walk) => void walk.functions.add('floor'),
  Ident: (_, ident) => {
    if (text(ident['value'])?.startsWith('@'))
      rejectQuery('variable', 'Variables are not allowed; write the value itself.')
  },
  'Expr.Identifier': (walk, ident) => {
    const name = foldAscii(text(ident['value']) ?? '')
    if (walk.dialect === 'mysql' && isEmpty(ident['quote_style']) && SERVER_WORDS.has(name)) refuseFunction(name)
  },
  Table: checkTable,
  Function: (walk, call) => checkFunction(walk, call['name'], list(tree(tree(call['args'])['List'])['args'])),
}

/** Words that MySQL reads as calls although no parenthesis follows, and that tell about the server. */
const SERVER_WORDS: ReadonlySet<string> = new Set(['current_user', 'current_role', 'session_user', 'system_user'])

function nameParts(value: unknown): readonly Tree[] {
  return list(value).map((part) => tree(tree(part)['Identifier']))
}

function checkTable(walk: Walk, table: Tree, ctes: Ctes): void {
  const parts = nameParts(table['name'])
  if (!isEmpty(table['args'])) {
    checkFunction(walk, table['name'], list(tree(table['args'])['args']), TABLE_FUNCTIONS[walk.dialect])
    return
  }
  const [last = {}, schema] = [parts.at(-1), parts.at(-2)]
  const name = text(last['value']) ?? ''
  if (walk.dialect === 'mysql' && parts.some((part) => part['quote_style'] === '"')) {
    rejectQuery(
      'table',
      `Table ${printableName(name)} is in double quotes, which MySQL reads as text; use backticks.`,
      { name },
    )
  }
  if (parts.length > 2)
    rejectQuery('table', `Table ${printableName(name)} has too many name parts; write table or schema.table.`, { name })
  if (schema === undefined && ctes.has(cteName(walk, last))) return
  const isDual = walk.dialect === 'mysql' && schema === undefined && foldAscii(name) === 'dual'
  if (isDual && isEmpty(last['quote_style'])) return
  const found = walk.catalog.resolve(name, schema === undefined ? undefined : (text(schema['value']) ?? ''))
  walk.tables.add(walk.catalog.label(found))
}

const TABLE_FUNCTIONS: Readonly<Record<LexedDialect, ReadonlySet<string>>> = {
  sqlite: new Set(['json_each', 'json_tree']),
  mysql: new Set(),
}

function refuseFunction(name: string): never {
  return rejectQuery('function', `Function ${printableName(name)} is not on the allow-list of read-only functions.`, {
    name,
  })
}

function checkFunction(walk: Walk, path: unknown, args: readonly unknown[], allowed?: ReadonlySet<string>): void {
  const parts = nameParts(path)
  const name = foldAscii(parts.map((part) => text(part['value']) ?? '').join('.'))
  // A quoted or qualified name means a stored function to MySQL, even where a built-in one has that name.
  const isPlain = parts.length === 1 && isEmpty(parts[0]?.['quote_style'])
  if (!isPlain || !(allowed ?? FUNCTIONS[walk.dialect]).has(name)) refuseFunction(name)
  if (walk.own.has(name)) {
    const reason = `The database has a function ${printableName(name)} of its own, which would be called; do without it.`
    rejectQuery('function', reason, { name })
  }
  walk.functions.add(name)
  checkValueSize(walk, walk.dialect, name, args.map(literal))
}

function literal(arg: unknown): LiteralArgument {
  const value = tree(tree(tree(tree(arg)['Unnamed'])['Expr'])['Value'])['value']
  if (!isTree(value)) return undefined
  if ('Number' in value) return Number(list(value['Number'])[0])
  return text(value['SingleQuotedString']) ?? text(value['DoubleQuotedString'])
}
