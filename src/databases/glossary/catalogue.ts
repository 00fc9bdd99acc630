import type { ColumnSchema, DatabaseSchema, Dialect, TableSchema } from '../schema.ts'
import { wordForms, nameWords, plural, areSameWords, singular } from './words.ts'
import { shortForm, withoutShort, withoutUnit } from './column-words.ts'
import { withJoins } from './apply-terms.ts'
import { fullName } from './tables.ts'
import { NO_TERMS, type Terms } from './terms.ts'
import { VOCABULARY } from './vocabulary.ts'

/** A column with the words of its name. */
export interface Attribute {
  readonly entity: Entity
  readonly column: ColumnSchema
  readonly words: readonly string[]
  /** What a number counts, where its name ends so (`fee_eur`); the words are then those before it, and these are all. */
  readonly unit?: string
  readonly allWords?: readonly string[]
  /** Part of the primary key or of a foreign key: not something to sum or to group by unasked. */
  readonly isKey: boolean
}

/** A table with the words of its name and its place in the graph. */
export interface Entity {
  readonly table: TableSchema
  readonly words: readonly string[]
  /** `invoice line`, `invoice lines`. */
  readonly noun: string
  readonly nouns: string
  readonly attributes: readonly Attribute[]
  readonly keys: readonly Attribute[]
  /** Columns that name a row for users: a name, a title, first and last name. Empty if there are none. */
  readonly label: readonly Attribute[]
  readonly edges: readonly Edge[]
  /** Only links two others: `PlaylistTrack`. */
  readonly junction: boolean
}

/** One step along a foreign key, from either end. */
export interface Edge {
  readonly from: Entity
  readonly to: Entity
  readonly fromColumns: readonly string[]
  readonly toColumns: readonly string[]
  /** `one`: each row of `from` has at most one in `to`. */
  readonly kind: 'one' | 'many'
  /** Words of the foreign key column without `id`: `support rep`. */
  readonly role: readonly string[]
  readonly keyColumn: string
  readonly declared: boolean
}

export interface Catalogue {
  readonly database: string
  readonly dialect: Dialect
  readonly entities: readonly Entity[]
  /** Text columns with yes/no values, with the values for each. */
  readonly flags: Map<Attribute, FlagValues>
  readonly terms: Terms
}

export interface FlagValues {
  readonly yes: readonly string[]
  readonly no: readonly string[]
}

interface Draft {
  table: TableSchema
  words: readonly string[]
  noun: string
  nouns: string
  attributes: Attribute[]
  keys: Attribute[]
  label: Attribute[]
  edges: Edge[]
  junction: boolean
}

/** `table`, or `schema.table` outside the default schema. */
export function entityName({ table }: Pick<Entity, 'table'>): string {
  return fullName(table)
}

/** What the terms say of a column. */
export function columnTerms(terms: Terms, { entity, column }: Attribute): Partial<Terms['columns'][string]> {
  return terms.columns[`${entityName(entity)}.${column.name}`] ?? {}
}

/** Reads the names, keys and links out of a schema. Pure; cheap enough to do for every question. */
export function buildCatalogue(given: DatabaseSchema, terms: Terms = NO_TERMS): Catalogue {
  const schema = withJoins(given, terms)
  const vocabulary = new Set(VOCABULARY)
  for (const table of schema.tables) {
    for (const part of nameWords(table.name, vocabulary)) for (const form of wordForms(part)) vocabulary.add(form)
  }
  const wordsByName = new Map<string, readonly string[]>()
  const prefix = commonPrefix(schema.tables.map((t) => nameWords(t.name, vocabulary)))
  const wordsOf = (name: string): readonly string[] => {
    const all = nameWords(name, vocabulary)
    const words = wordsByName.get(name) ?? (all.length > 1 && all[0] === prefix ? all.slice(1) : all)
    wordsByName.set(name, words)
    return words
  }
  const drafts = schema.tables.map((table) => draftEntity(table, wordsOf, terms))
  for (const draft of drafts) linkEntity(draft, drafts)
  for (const draft of drafts) {
    const linked = new Set(draft.edges.filter((e) => e.kind === 'one').flatMap((e) => e.fromColumns))
    const keyed = new Set(draft.keys.map((k) => k.column.name))
    const isKey = (a: Attribute): boolean => linked.has(a.column.name) || keyed.has(a.column.name)
    draft.attributes = draft.attributes.map((a) => (isKey(a) ? { ...a, isKey: true } : a))
    draft.keys = draft.attributes.filter((a) => keyed.has(a.column.name))
    draft.label = findLabel(draft)
    draft.junction = isJunction(draft, linked)
  }
  const flags = new Map<Attribute, FlagValues>()
  for (const attribute of drafts.flatMap((d) => d.attributes)) {
    const { yes, no } = columnTerms(terms, attribute)
    if (yes !== undefined && no !== undefined) flags.set(attribute, { yes, no })
  }
  return { database: schema.name, dialect: schema.dialect, entities: drafts, flags, terms }
}

/** The word that all names of tables begin with: `sb` of `sbCustomer`, `sbOrder`. */
function commonPrefix(names: readonly (readonly string[])[]): string | undefined {
  const [first] = names[0] ?? []
  return names.length > 2 && names.every((words) => words.length > 1 && words[0] === first) ? first : undefined
}

function draftEntity(table: TableSchema, wordsOf: (name: string) => readonly string[], terms: Terms): Draft {
  const names = terms.tables[entityName({ table })]?.called ?? []
  const words = names[0]?.toLowerCase().split(' ') ?? wordsOf(table.name)
  const head = singular(words.at(-1) ?? table.name)
  const noun = [...words.slice(0, -1), head].join(' ')
  const nouns = [...words.slice(0, -1), plural(head)].join(' ')
  const draft: Draft = { table, words, noun, nouns, attributes: [], keys: [], label: [], edges: [], junction: false }
  const short = shortForm(table)
  draft.attributes = table.columns.map((column) => ({
    entity: draft,
    column,
    words: withoutShort(column, short, words) ?? wordsOf(column.name),
    isKey: column.primaryKey,
  }))
  draft.attributes = draft.attributes.map((a, _, all) => ({ ...a, ...withoutUnit(a, all) }))
  draft.keys = findKeys(draft)
  return draft
}

/** Declared primary key; else a column called `id` or after the table. */
function findKeys(draft: Draft): Attribute[] {
  const declared = draft.attributes.filter((a) => a.column.primaryKey)
  if (declared.length > 0 || draft.table.kind === 'view') return declared
  const guess = draft.attributes.find((a) => {
    const rest = keyRole(a)
    return rest !== undefined && (rest.length === 0 || areSameWords(rest, draft.words))
  })
  return guess === undefined ? [] : [{ ...guess, isKey: true }]
}

/** The words before `id`, `key` or `code`; nothing when the column is not named like a key. */
function keyRole(attribute: Attribute): readonly string[] | undefined {
  const last = attribute.words.at(-1)
  return last !== undefined && /^(id|key|code|number)$/.test(last) ? attribute.words.slice(0, -1) : undefined
}

function linkEntity(draft: Draft, drafts: readonly Draft[]): void {
  for (const key of draft.table.foreignKeys) {
    const target = key.table.toLowerCase()
    const to =
      drafts.find((d) => entityName(d).toLowerCase() === target) ??
      drafts.find((d) => d.table.name.toLowerCase() === target)
    if (to === undefined) continue
    const columns = key.referencedColumns.length > 0 ? key.referencedColumns : to.keys.map((k) => k.column.name)
    addEdges(draft, to, key.columns, columns, true)
  }
  if (draft.table.foreignKeys.length > 0 || draft.table.kind === 'view') return
  for (const attribute of draft.attributes) {
    const to = inferTarget(draft, attribute, drafts)
    const key = to?.keys[0]
    if (to !== undefined && key !== undefined) addEdges(draft, to, [attribute.column.name], [key.column.name], false)
  }
}

/** `customer_id` points at the table `customers`; a column named exactly as another table's key points at that table. */
function inferTarget(draft: Draft, attribute: Attribute, drafts: readonly Draft[]): Draft | undefined {
  const role = keyRole(attribute)
  if (role === undefined || role.length === 0) return undefined
  if (draft.keys.length === 1 && draft.keys[0]?.column === attribute.column) return undefined
  const others = drafts.filter((d) => d !== draft && d.keys.length === 1 && d.table.kind === 'table')
  const nameMatches = others.filter((d) => d.keys[0]?.column.name.toLowerCase() === attribute.column.name.toLowerCase())
  if (nameMatches.length === 1) return nameMatches[0]
  const wordMatches = others.filter((d) => areSameWords(role, d.words))
  if (wordMatches.length > 0) return wordMatches.length === 1 ? wordMatches[0] : undefined
  // `billing_customer_id`: the last words name the table.
  const tailMatches = others.filter(
    (d) => role.length > d.words.length && areSameWords(role.slice(-d.words.length), d.words),
  )
  return tailMatches.length === 1 ? tailMatches[0] : undefined
}

function addEdges(
  from: Draft,
  to: Draft,
  fromColumns: readonly string[],
  toColumns: readonly string[],
  declared: boolean,
): void {
  const keyColumn = fromColumns[0] ?? ''
  const words = from.attributes.find((a) => a.column.name.toLowerCase() === keyColumn.toLowerCase())?.words ?? []
  // `boss_tid`, where the key is called `tid`.
  const isKeyName = (w: string): boolean =>
    /^(id|key|code|number)$/.test(w) || (words.length > 1 && w === toColumns[0]?.toLowerCase())
  const role = words.filter((w, i) => !(i === words.length - 1 && isKeyName(w)))
  const shared = { role, keyColumn, declared }
  from.edges.push({ ...shared, from, to, fromColumns, toColumns, kind: 'one' })
  to.edges.push({ ...shared, from: to, to: from, fromColumns: toColumns, toColumns: fromColumns, kind: 'many' })
}

function isJunction(draft: Draft, linked: ReadonlySet<string>): boolean {
  const one = draft.edges.filter((e) => e.kind === 'one')
  if (one.length !== 2) return false
  const plain = draft.attributes.filter((a) => !linked.has(a.column.name) && !a.isKey)
  const keyed = draft.keys.length > 0 && draft.keys.every((k) => linked.has(k.column.name))
  return keyed && plain.every((a) => a.column.kind === 'date' || a.column.kind === 'datetime')
}

function findLabel(draft: Draft): Attribute[] {
  const usable = draft.attributes.filter((a) => !a.isKey && (a.column.kind === 'text' || a.column.kind === 'other'))
  const bare = (a: Attribute): string => withoutOwner(a).join(' ')
  const findNamed = (...names: string[]): Attribute | undefined => {
    for (const name of names) {
      const hit = usable.find((a) => bare(a) === name)
      if (hit !== undefined) return hit
    }
    return undefined
  }
  const [first, last] = [findNamed('first name', 'given name'), findNamed('last name', 'surname')]
  const full = findNamed('name', 'full name', 'display name')
  if (full !== undefined) return [full]
  if (first !== undefined && last !== undefined) return [first, last]
  const single = findNamed('title', 'label', 'company name', 'subject', 'description', 'email', 'status')
  if (single !== undefined && !/^(email|status)$/.test(bare(single))) return [single]
  const anyName = usable.filter((a) => a.words.at(-1) === 'name')
  if (anyName.length === 1) return anyName
  // `depot_town`: the one text that is called after its table.
  const own = usable.filter(
    (a) => withoutOwner(a) !== a.words && !/^(number|code|status|type|kind|category)$/.test(a.words.at(-1) ?? ''),
  )
  return draft.table.kind === 'table' && own.length === 1 ? own : []
}

/** `customer_name` of `customers` → name. */
export function withoutOwner(attribute: Attribute): readonly string[] {
  const owner = attribute.entity.words
  const rest = attribute.words.slice(owner.length)
  return rest.length > 0 && areSameWords(attribute.words.slice(0, owner.length), owner) ? rest : attribute.words
}

/**
 * Whether a column contains dates: by its type, or for texts, by its name.
 */
export function isDate({ column, words }: Pick<Attribute, 'column' | 'words'>): boolean {
  const { kind, name, type } = column
  if (kind === 'date' || kind === 'datetime') return true
  const looksText = kind === 'text' || /^(text|varchar|char)/.test(type)
  return looksText && (words.at(-1) === 'date' || /(_at|_on|At)$/.test(name))
}

/** The year in which something was: `built_year`. It is said as a date is, and known no closer. */
export function isYearAttribute({ column, words }: Attribute): boolean {
  const isNamed = words.length > 1 ? words.at(-1) === 'year' : /^(born|founded|built|published)$/.test(words[0] ?? '')
  return column.kind === 'number' && isNamed
}

export function isNumericAttribute(attribute: Attribute): boolean {
  return attribute.column.kind === 'number' && !attribute.isKey
}

/** Counted in hundredths of a currency: `fare_cents`. */
export function isSmallMoney({ unit }: Attribute): boolean {
  return unit === 'cent' || unit === 'penny'
}

export function isMoney(attribute: Attribute): boolean {
  const money =
    /^(price|cost|total|subtotal|amount|revenue|salary|fee|turnover|balance|budget|payment|refund|wage|sale)$/
  if (isNumericAttribute(attribute) && (/^[A-Z]{3}$/.test(attribute.unit ?? '') || isSmallMoney(attribute))) return true
  const integral = /^(int|bigint|smallint|tinyint|integer|serial)/.test(attribute.column.type)
  return isNumericAttribute(attribute) && attribute.words.some((w) => money.test(singular(w))) && !integral
}
