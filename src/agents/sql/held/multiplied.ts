import type { Effects } from '../../../databases/gate/index.ts'
import type { KnownWords } from '../../../question-to-sql/parse/known-words.ts'
import type { Catalogue, Edge, Entity } from '../../../terms/catalogue.ts'

type Joined = Effects['joined'][number]

/**
 * Tables whose rows are added up, averaged or counted once for each row that a join gives them of another table, as sentences.
 * Pairs of a table that only links are met once.
 */
export function multipliedIn(known: KnownWords, { joined }: Effects): string[] {
  const { catalogue } = known
  const counted = new Set(countedIn(known))
  return joined.flatMap((one) => {
    const entities = entitiesOf(one, catalogue)
    return one.aggregates.flatMap(({ name, columns, isDistinct }) => {
      if (isDistinct) return []
      const own = new Set(columns.flatMap((column) => sourceOf(column, one, entities) ?? '?'))
      // What is counted is what was asked for; a row of several tables is of all of them.
      const sources =
        name !== 'count' ? [...own] : [...entities].flatMap(([source, entity]) => (counted.has(entity) ? [source] : []))
      const [source = '', ...more] = sources
      const entity = entities.get(source)
      if (entity === undefined || more.length > 0 || (name === 'count' && own.size > 0 && !own.has(source))) return []
      if (name === 'count' && isGroupedBy(entity, source, one, entities)) return []
      const many = repeatedBy(source, one, entities)
      return many === undefined
        ? []
        : [`each row of “${entity.table.name}” is taken once for each of its rows of “${many.table.name}”`]
    })
  })
}

/** What of the data was to be counted: “how many …”, with so many words between. */
export function countedIn({ text, tokens, names }: KnownWords, between = Infinity): Entity[] {
  return [...text.matchAll(/\b(?:how many|(?:number|count) of)\b/gi)].flatMap(({ 0: said, index }) => {
    const at = tokens.findIndex(
      ({ start }, place) => start > index + said.length - 1 && names.entitiesAt(place).length > 0,
    )
    const first = tokens.findIndex(({ start }) => start >= index + said.length)
    return at < 0 || at - first > between ? [] : names.entitiesAt(at).map(({ entity }) => entity)
  })
}

/** Tables that are joined by columns which tie no rows of theirs together, though others do. */
export function strangeLinksIn({ catalogue }: KnownWords, { joined }: Effects): string[] {
  return joined.flatMap((one) => {
    const entities = entitiesOf(one, catalogue)
    const entityOf = (column: Column): Entity | undefined => entities.get(sourceOf(column, one, entities) ?? '')
    return one.links.flatMap(([a, b]) => {
      const [from, to] = [entityOf(a), entityOf(b)]
      if (from === undefined || to === undefined || a.source === b.source) return []
      const isItself = from === to && a.name === b.name && endsOf(from, a).includes(from)
      const isTied = endsOf(from, a).some((end) => endsOf(to, b).includes(end)) || (from !== to && a.name === b.name)
      const isKnown = from === to || from.edges.some((edge) => edge.to === to)
      if ((isTied && !isItself) || !isKnown) return []
      const tables = [from, to].map(({ table }) => `“${table.name}”`).join(' and ')
      return [`the query joins ${tables} by “${a.name} = ${b.name}”, which does not tie rows that belong together`]
    })
  })
}

/** Whose keys a column holds. */
function endsOf(entity: Entity, { name }: Column): Entity[] {
  const far = entity.edges.filter(
    ({ kind, fromColumns }) => kind === 'one' && fromColumns.some((own) => isCalled(own, name)),
  )
  return [
    ...far.map(({ to }) => to),
    ...(entity.keys.some(({ column }) => isCalled(column.name, name)) ? [entity] : []),
  ]
}

function entitiesOf({ sources }: Joined, { entities }: Catalogue): ReadonlyMap<string, Entity> {
  return new Map(
    [...sources].flatMap(([source, table]) => {
      const found = entities.filter((entity) => entity.table.name.toLowerCase() === table.toLowerCase())
      return found.length === 1 ? [[source, found[0]!] as const] : []
    }),
  )
}

type Column = Joined['groups'][number]

function sourceOf(
  { source, name }: Column,
  { sources }: Joined,
  entities: ReadonlyMap<string, Entity>,
): string | undefined {
  if (source !== '') return sources.has(source) ? source : undefined
  const having = [...entities].filter(([, { attributes }]) => attributes.some((one) => isCalled(one.column.name, name)))
  return having.length === 1 ? having[0]![0] : undefined
}

function isGroupedBy(entity: Entity, source: string, joined: Joined, entities: ReadonlyMap<string, Entity>): boolean {
  return joined.groups.some(
    (column) =>
      sourceOf(column, joined, entities) === source &&
      [...entity.keys, ...entity.label].some((one) => isCalled(one.column.name, column.name)),
  )
}

/** The first table on the way from this one of which several rows belong to one. */
function repeatedBy(source: string, joined: Joined, entities: ReadonlyMap<string, Entity>): Entity | undefined {
  const reached = new Set([source])
  for (const near of reached) {
    for (const [one, other] of joined.links.flatMap(([a, b]) => [[a, b] as const, [b, a] as const])) {
      const far = sourceOf(other, joined, entities)
      if (sourceOf(one, joined, entities) !== near || far === undefined || reached.has(far)) continue
      const [from, to] = [entities.get(near), entities.get(far)]
      if (from === undefined || to === undefined) continue
      const isLink = ({ to: end, fromColumns, toColumns }: Edge): boolean =>
        end === to && isOnly(fromColumns, one) && isOnly(toColumns, other)
      const edge = from.edges.find(isLink)
      if (edge?.kind === 'many' && !to.junction) return to
      reached.add(far)
    }
  }
  return undefined
}

function isOnly(columns: readonly string[], { name }: Column): boolean {
  return columns.length === 1 && isCalled(columns[0]!, name)
}

function isCalled(column: string, name: string): boolean {
  return column.toLowerCase() === name
}
