import { fail, isNode, type ParseNode, type ParseValue } from './tree.ts'

/** Maximum number of query parts as seen by the planner. Planning has no time limit and no other memory limit. */
const MAX_WEIGHT = 100_000
/** Bytes of a constant that count as one part. */
const BYTES = 16

/** A query and its outer queries, innermost first. */
type Levels = readonly ParseNode[]

/**
 * Rejects a query that nests references to subquery columns too often: the planner replaces each column by its
 * expression, so 28 levels of `s || s` become 2 ** 28 parts.
 * @throws UnreadableTree
 */
export function checkQueryCost(tree: ParseNode): void {
  weightIn(tree, [], openSeen())
}

/** Results cached to keep this check linear; otherwise it would take as long as the planning that it guards against. */
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

/** The weight of a part, including everything that it references. */
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
  const cachedCost = seen.queries.get(query)
  if (cachedCost !== undefined) return cachedCost
  const weight = 1 + sum([...query.fields.values()], (field) => weightIn(field, levels, seen))
  seen.queries.set(query, bounded(weight))
  return weight
}

/** The weight of a FROM entry: its own parts. Columns of a join or GROUP BY are counted where they are used. */
function entryWeight({ fields }: ParseNode, levels: Levels, seen: Seen): number {
  const parts = ['subquery', 'functions', 'values_lists'].map((name) => fields.get(name) ?? '')
  const cte = cteOf(fields, levels)
  return 1 + sum(parts, (part) => weightIn(part, levels, seen)) + (cte === undefined ? 0 : readingWeight(cte, seen))
}

interface Cte {
  readonly node: ParseNode
  readonly query: ParseNode
  readonly levels: Levels
}

/** The CTE that an entry reads; undefined if it reads itself. */
function cteOf(fields: ParseNode['fields'], levels: Levels): Cte | undefined {
  if (fields.get('rtekind') !== '6' || fields.get('self_reference') === 'true') return undefined
  const outerLevels = levels.slice(Number(fields.get('ctelevelsup')))
  const node = items(outerLevels[0]?.fields.get('cteList')).find(
    (item) => isNode(item) && String(item.fields.get('ctename')) === String(fields.get('ctename')),
  )
  const query = isNode(node) ? node.fields.get('ctequery') : undefined
  if (!isNode(node) || !isNode(query)) return fail('a CTE cannot be found')
  return { node, query, levels: [query, ...outerLevels] }
}

/** A CTE that is read once, or is NOT MATERIALIZED (2), is inlined where it is read. */
function readingWeight({ node, query, levels }: Cte, seen: Seen): number {
  const readings = (seen.readings.get(node) ?? 0) + 1
  seen.readings.set(node, readings)
  return readings === 1 || node.fields.get('ctematerialized') === '2' ? queryWeight(query, levels, seen) : 1
}

function varWeight(fields: ParseNode['fields'], levels: Levels, seen: Seen): number {
  const outerLevels = levels.slice(Number(fields.get('varlevelsup')))
  const entry = items(outerLevels[0]?.fields.get('rtable'))[Number(fields.get('varno')) - 1]
  if (!isNode(entry)) return fail('a column cannot be found')
  return bounded(1 + columnWeight(entry, String(fields.get('varattno')), outerLevels, seen))
}

/** The weight of a column of a FROM entry; column 0 is the whole row. */
function columnWeight(entry: ParseNode, column: string, levels: Levels, seen: Seen): number {
  const cachedColumns = seen.columns.get(entry) ?? new Map<string, number>()
  seen.columns.set(entry, cachedColumns)
  const weight = cachedColumns.get(column) ?? countColumn(entry, column, levels, seen)
  cachedColumns.set(column, weight)
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
      // A VALUES list of one row is inlined in place of its columns.
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

/** The weight of an output column of a query; for UNION, the sum of its branches. */
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
