import { fail, isNode, type ParseNode, type ParseValue } from './tree.ts'

/** Parts of the query as the planner sees it. Planning has no time limit, and no other bound to its memory. */
const MAX_WEIGHT = 100_000
/** Bytes of a constant that weigh as much as one part. */
const BYTES = 16

/** A query with those around it, the nearest first. */
type Levels = readonly ParseNode[]

/**
 * Refuses a query whose columns of subqueries are used in each other too often: the planner puts the expression in the place
 * of the column, so that 28 levels of `s || s` come to 2 ** 28 parts.
 * @throws UnreadableTree
 */
export function checkWeight(tree: ParseNode): void {
  weightIn(tree, [], openSeen())
}

/** What is known already; without it the count would take as long as what it guards against. */
interface Seen {
  readonly columns: Map<ParseNode, Map<string, number>>
  readonly queries: Map<ParseNode, number>
  readonly readings: Map<ParseNode, number>
}

function openSeen(): Seen {
  return { columns: new Map(), queries: new Map(), readings: new Map() }
}

function bounded(weight: number): number {
  if (weight <= MAX_WEIGHT) return weight
  return fail('columns of subqueries are used in each other so often that the query grows too large')
}

function sum(values: readonly ParseValue[], weigh: (value: ParseValue) => number): number {
  return values.reduce<number>((all, value) => bounded(all + weigh(value)), 0)
}

/** The weight of a part, with everything that it means. */
function weightIn(value: ParseValue, levels: Levels, seen: Seen): number {
  if (typeof value === 'string') return 0
  if (!isNode(value)) return sum(value, (item) => weightIn(item, levels, seen))
  const { tag, fields } = value
  switch (tag) {
    case 'QUERY':
      return queryWeight(value, [value, ...levels], seen)
    case 'VAR':
      return varWeight(fields, levels, seen)
    case 'CONST':
      return 1 + Math.floor(items(fields.get('constvalue')).length / BYTES)
    case 'RTE':
    case 'RANGETBLENTRY':
      return entryWeight(value, levels, seen)
    default:
      return 1 + sum([...fields.values()], (field) => weightIn(field, levels, seen))
  }
}

function queryWeight(query: ParseNode, levels: Levels, seen: Seen): number {
  const known = seen.queries.get(query)
  if (known !== undefined) return known
  const weight = 1 + sum([...query.fields.values()], (field) => weightIn(field, levels, seen))
  seen.queries.set(query, bounded(weight))
  return weight
}

/** Of an entry of FROM: its own parts. What a join or GROUP BY gives is counted where it is used. */
function entryWeight({ fields }: ParseNode, levels: Levels, seen: Seen): number {
  const parts = ['subquery', 'functions', 'values_lists', 'tablesample'].map((name) => fields.get(name) ?? '')
  const cte = cteOf(fields, levels)
  return 1 + sum(parts, (part) => weightIn(part, levels, seen)) + (cte === undefined ? 0 : readingWeight(cte, seen))
}

interface Cte {
  readonly node: ParseNode
  readonly query: ParseNode
  readonly levels: Levels
}

/** The CTE that an entry reads; none where it reads itself. */
function cteOf(fields: ParseNode['fields'], levels: Levels): Cte | undefined {
  if (fields.get('rtekind') !== '6' || fields.get('self_reference') === 'true') return undefined
  const around = levels.slice(Number(fields.get('ctelevelsup')))
  const node = items(around[0]?.fields.get('cteList')).find(
    (item) => isNode(item) && String(item.fields.get('ctename')) === String(fields.get('ctename')),
  )
  const query = isNode(node) ? node.fields.get('ctequery') : undefined
  if (!isNode(node) || !isNode(query)) return fail('a CTE cannot be found')
  return { node, query, levels: [query, ...around] }
}

/** A CTE that is read once, or is NOT MATERIALIZED (2), is put in the place where it is read. */
function readingWeight({ node, query, levels }: Cte, seen: Seen): number {
  const readings = (seen.readings.get(node) ?? 0) + 1
  seen.readings.set(node, readings)
  return readings === 1 || node.fields.get('ctematerialized') === '2' ? queryWeight(query, levels, seen) : 1
}

function varWeight(fields: ParseNode['fields'], levels: Levels, seen: Seen): number {
  const around = levels.slice(Number(fields.get('varlevelsup')))
  const entry = items(around[0]?.fields.get('rtable'))[Number(fields.get('varno')) - 1]
  if (!isNode(entry)) return fail('a column cannot be found')
  return bounded(1 + columnWeight(entry, String(fields.get('varattno')), around, seen))
}

/** What a column of an entry of FROM means; 0 is the whole row. */
function columnWeight(entry: ParseNode, column: string, levels: Levels, seen: Seen): number {
  const known = seen.columns.get(entry) ?? new Map<string, number>()
  seen.columns.set(entry, known)
  const weight = known.get(column) ?? countColumn(entry, column, levels, seen)
  known.set(column, weight)
  return weight
}

function countColumn({ fields }: ParseNode, column: string, levels: Levels, seen: Seen): number {
  const one = (name: string): number => {
    const all = items(fields.get(name))
    return sum(column === '0' ? all : all.slice(Number(column) - 1, Number(column)), (item) =>
      weightIn(item, levels, seen),
    )
  }
  const subquery = fields.get('subquery')
  const cte = cteOf(fields, levels)
  switch (fields.get('rtekind')) {
    case '1':
      return isNode(subquery) ? outputWeight(subquery, column, [subquery, ...levels], seen) : 0
    case '2':
      return one('joinaliasvars')
    case '3':
      return weightIn(fields.get('functions') ?? '', levels, seen)
    case '5':
      // A list of one row is put in the place of its columns.
      return items(fields.get('values_lists')).length === 1
        ? weightIn(fields.get('values_lists') ?? '', levels, seen)
        : 0
    case '6':
      return cte === undefined ? 0 : outputWeight(cte.query, column, cte.levels, seen)
    case '9':
      return one('groupexprs')
    default:
      return 0
  }
}

/** What a column that a query gives means: of UNION, all that its branches give. */
function outputWeight(query: ParseNode, column: string, levels: Levels, seen: Seen): number {
  if (isNode(query.fields.get('setOperations'))) {
    return sum(items(query.fields.get('rtable')), (entry) =>
      isNode(entry) ? columnWeight(entry, column, levels, seen) : 0,
    )
  }
  const targets = items(query.fields.get('targetList')).filter(
    (item) => isNode(item) && (column === '0' || item.fields.get('resno') === column),
  )
  return sum(targets, (target) => (isNode(target) ? weightIn(target.fields.get('expr') ?? '', levels, seen) : 0))
}

function items(value: ParseValue | undefined): readonly ParseValue[] {
  return Array.isArray(value) ? (value as readonly ParseValue[]) : []
}
