import {
  isDate,
  isNumericAttribute,
  entityName,
  columnTerms,
  withoutOwner,
} from '../../databases/glossary/catalogue.ts'
import type { Attribute, Catalogue, Edge, Entity } from '../../databases/glossary/catalogue.ts'
import { COLUMN_SYNONYMS, CONTAINERS, TABLE_SYNONYMS } from '../../databases/glossary/vocabulary.ts'
import { wordForms, plural, areSameWords, singular } from '../../databases/glossary/words.ts'
import { tokensOf, type Token } from '../language/tokens.ts'

/** How well a phrase fits a name. Partial: `price` for `unit price`, `tickets` for `support tickets`. */
export const EXACT = 3
const SYNONYM = 2
const PARTIAL = 1

/** Words that name a table, or what one of its rows is to another: `support rep`. */
export interface EntityName {
  readonly entity: Entity
  readonly via?: Edge
  readonly score: number
}

export interface ColumnName {
  readonly attribute: Attribute
  readonly score: number
}

export interface Named<T> {
  readonly names: readonly T[]
  readonly length: number
}

interface Phrase {
  readonly words: readonly string[]
  readonly score: number
}

export interface Names {
  /** The best-matching tables whose name starts at a token; several if equally good. */
  entitiesAt(at: number): Named<EntityName> | undefined
  /** All columns whose longest name starts at a token. */
  columnsAt(at: number): Named<ColumnName> | undefined
  /** The metric of the terms whose name starts at a token. */
  metricAt(at: number): Named<string> | undefined
}

/** The words of a name, and what is called so. */
type NamePair<T> = readonly [words: readonly string[], name: T]

/** Matches the names of a database against the tokens of one question. */
export function matchNames({ entities, terms }: Catalogue, tokens: readonly Token[]): Names {
  const called = (names: readonly string[] = []): readonly Phrase[] => names.map((name) => phrase(name, EXACT))
  const entityNames = entities.flatMap((entity) => {
    const own = [...entityPhrases(entity), ...called(terms.tables[entityName(entity)]?.called)]
    return [
      ...own.map(({ words, score }): NamePair<EntityName> => [words, { entity, score }]),
      ...entity.edges.flatMap((via) =>
        rolePhrases(via).map(({ words, score }): NamePair<EntityName> => [words, { entity: via.to, via, score }]),
      ),
    ]
  })
  const columnNames = entities
    .flatMap(({ attributes }) => attributes)
    .flatMap((attribute) => {
      const own = [...columnPhrases(attribute), ...called(columnTerms(terms, attribute).called)]
      return own.map(({ words, score }): NamePair<ColumnName> => [words, { attribute, score }])
    })
  const metricNames = Object.entries(terms.metrics).flatMap(([name, metric]) =>
    called([name, ...metric.called]).map(({ words }): NamePair<string> => [words, name]),
  )
  const fits = (words: readonly string[], at: number): boolean =>
    words.length > 0 &&
    words.every((word, i) => {
      const token = tokens[at + i]
      return token?.kind === 'word' && (token.lower === word || shareForm(word, token))
    })
  const longest = <T>(named: readonly NamePair<T>[], at: number): Named<T> | undefined => {
    const hits = named.filter(([words]) => fits(words, at))
    const length = Math.max(0, ...hits.map(([words]) => words.length))
    const names = hits.flatMap(([words, name]) => (words.length === length ? [name] : []))
    return length === 0 ? undefined : { length, names }
  }
  return {
    entitiesAt(at) {
      const found = longest(entityNames, at)
      const best = Math.max(0, ...(found?.names ?? []).map(({ score }) => score))
      const top = found?.names.filter(({ score }) => score === best) ?? []
      const tables = top.filter(({ entity }) => entity.table.kind === 'table')
      const names = (tables.length > 0 ? tables : top).filter(
        (one, i, all) => all.findIndex((other) => other.entity === one.entity && other.via === one.via) === i,
      )
      return found && { ...found, names }
    },
    columnsAt(at) {
      const found = longest(columnNames, at)
      // Of several names of a column, the one that fits best.
      const best = new Map(found?.names.toSorted((a, b) => a.score - b.score).map((one) => [one.attribute, one]))
      return found && { ...found, names: [...best.values()] }
    },
    metricAt: (at) => longest(metricNames, at),
  }
}

const phrase = (name: string, score: number): Phrase => ({ words: name.toLowerCase().split(' '), score })

/** The tables that a text names. */
export function tablesNamed(text: string, catalogue: Catalogue): ReadonlySet<Entity> {
  const tokens = tokensOf(text)
  const names = matchNames(catalogue, tokens)
  return new Set(tokens.flatMap((_, at) => names.entitiesAt(at)?.names.map(({ entity }) => entity) ?? []))
}

const formsOf = new Map<string, ReadonlySet<string>>()

function shareForm(word: string, token: Token): boolean {
  if (word[0] !== token.lower[0]) return false
  let own = formsOf.get(word)
  if (own === undefined) {
    if (formsOf.size > 10_000) formsOf.clear()
    formsOf.set(word, (own = wordForms(word)))
  }
  for (const form of own) if (token.forms.has(form)) return true
  return false
}

export const PARTICIPLE = /(?:ed|^(?:paid|sent|sold|held|taken|taught|born|left|met|lost|given|built|written|due))$/

/** Whether a word is a table's name as a noun, and not as a verb: “orders”, not “ordered”. */
export function isNoun(word: string, { words }: Entity): boolean {
  const last = words.at(-1) ?? ''
  return !(PARTICIPLE.test(word) || word.endsWith('ing')) || [last, plural(last), singular(last)].includes(word)
}

function entityPhrases({ words, table }: Entity): readonly Phrase[] {
  const own: Phrase[] = [{ words, score: EXACT }, phrase(table.name, EXACT), ...synonyms(TABLE_SYNONYMS, [words])]
  const last = singular(words.at(-1) ?? '')
  // “shipped” for shipments, “paid” for payments.
  if (words.length === 1) return /.{3}ment$/.test(last) ? [...own, phrase(last.slice(0, -4), PARTIAL)] : own
  if (CONTAINERS.has(last)) own.push({ words: words.slice(0, -1), score: SYNONYM })
  return [...own, phrase(words.join(''), EXACT), { words: words.slice(-1), score: PARTIAL }]
}

/** The groups of words with the same meaning that have one of these names. */
function synonyms(groups: typeof TABLE_SYNONYMS, names: readonly (readonly string[])[]): readonly Phrase[] {
  return groups
    .filter((group) => group.some((one) => names.some((name) => areSameWords(one, name))))
    .flatMap((group) => group.map((words) => ({ words, score: SYNONYM })))
}

const PREPOSITION = /^(?:to|by|of|from|for|on|at|since|in)$/

/** `support rep` is an employee, seen from the customer. */
function rolePhrases({ role, to, from, kind }: Edge): readonly Phrase[] {
  const isName = kind === 'one' && role.length > 0 && from !== to && !areSameWords(role, to.words)
  return isName && !PREPOSITION.test(role.at(-1)!) ? [{ words: role, score: SYNONYM }] : []
}

const BUILT_IN_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  subtotal: ['before tax', 'net of tax', 'net amount'],
  department: ['dept'],
}

function columnPhrases(attribute: Attribute): readonly Phrase[] {
  const { words: own, allWords = own, isKey, column } = attribute
  const bare = withoutOwner(attribute)
  const found: Phrase[] = [own, allWords].map((words) => ({ words, score: EXACT }))
  found.push(phrase(column.name, EXACT), phrase(column.name.replaceAll('_', ' '), EXACT))
  if (isKey) return column.primaryKey ? found : []
  found.push({ words: bare, score: EXACT }, ...synonyms(COLUMN_SYNONYMS, [bare, own]))
  if (/^(?:is|has)$/.test(bare[0] ?? '')) found.push({ words: bare.slice(1), score: EXACT })
  found.push(...(BUILT_IN_COLUMNS[bare.join(' ')] ?? []).map((name) => phrase(name, SYNONYM)))
  if (isNumericAttribute(attribute)) found.push({ words: [...bare, 'score'], score: SYNONYM })
  const last = bare.at(-1) ?? ''
  return bare.length < 2 || isDate(attribute) || PREPOSITION.test(last) ? found : [...found, phrase(last, PARTIAL)]
}
