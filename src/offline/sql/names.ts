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

const BUILT_IN_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  subtotal: ['before tax', 'net of tax', 'net amount'],
  department: ['dept'],
}

/** Matches the names of a database against the tokens of one question. */
export function matchNames(catalogue: Catalogue, tokens: readonly Token[]): Names {
  const { entities, terms } = catalogue
  const exactPhrases = (names: readonly string[] = []): readonly Phrase[] =>
    names.map((name) => ({ words: name.toLowerCase().split(' '), score: EXACT }))
  const entityNames = entities.flatMap((entity): { phrase: Phrase; name: EntityName }[] => [
    ...[...entityPhrases(entity), ...exactPhrases(terms.tables[entityName(entity)]?.called)].map((phrase) => ({
      phrase,
      name: { entity, score: phrase.score },
    })),
    ...entity.edges.flatMap((edge) =>
      rolePhrases(edge).map((phrase) => ({ phrase, name: { entity: edge.to, via: edge, score: phrase.score } })),
    ),
  ])
  const columnNames = entities.flatMap((entity) =>
    entity.attributes.flatMap((attribute) =>
      [...columnPhrases(attribute), ...exactPhrases(columnTerms(terms, attribute).called)].map((phrase) => ({
        phrase,
        name: { attribute, score: phrase.score },
      })),
    ),
  )
  const metricNames = Object.entries(terms.metrics).flatMap(([name, metric]) =>
    exactPhrases([name, ...metric.called]).map((phrase) => ({ phrase, name })),
  )
  const fits = (words: readonly string[], at: number): boolean =>
    words.length > 0 &&
    words.every((word, i) => {
      const token = tokens[at + i]
      return token?.kind === 'word' && (token.lower === word || shareForm(word, token))
    })
  const longest = <T>(named: readonly { phrase: Phrase; name: T }[], at: number): Named<T> | undefined => {
    const hits = named.filter(({ phrase }) => fits(phrase.words, at))
    const length = Math.max(0, ...hits.map(({ phrase }) => phrase.words.length))
    return length === 0
      ? undefined
      : { length, names: hits.flatMap(({ phrase, name }) => (phrase.words.length === length ? [name] : [])) }
  }
  return {
    entitiesAt(at) {
      const found = longest(entityNames, at)
      if (found === undefined) return undefined
      const best = Math.max(...found.names.map(({ score }) => score))
      const top = found.names.filter(({ score }) => score === best)
      const tables = top.filter(({ entity }) => entity.table.kind === 'table')
      const names = (tables.length > 0 ? tables : top).filter(
        (one, i, all) => all.findIndex((other) => other.entity === one.entity && other.via === one.via) === i,
      )
      return { ...found, names }
    },
    columnsAt(at) {
      const found = longest(columnNames, at)
      if (found === undefined) return undefined
      const best = new Map<Attribute, number>()
      for (const { attribute, score } of found.names) best.set(attribute, Math.max(best.get(attribute) ?? 0, score))
      return { ...found, names: [...best].map(([attribute, score]) => ({ attribute, score })) }
    },
    metricAt: (at) => longest(metricNames, at),
  }
}

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

/** Whether a token is a table's name as a noun, and not as a verb: “orders”, not “ordered”. */
export function isNoun(token: Token, { words }: Entity, names: readonly string[] = []): boolean {
  const last = [words.at(-1) ?? '', ...names.map((name) => name.split(' ').at(-1) ?? '')]
  return (
    !(PARTICIPLE.test(token.lower) || token.lower.endsWith('ing')) ||
    last.some((word) => [word, plural(word), singular(word)].includes(token.lower))
  )
}

function entityPhrases(entity: Entity): readonly Phrase[] {
  const { words, table } = entity
  const own: Phrase[] = [
    { words, score: EXACT },
    { words: [table.name.toLowerCase()], score: EXACT },
  ]
  for (const group of TABLE_SYNONYMS) {
    if (group.some((name) => areSameWords(name, words)))
      own.push(...group.map((name) => ({ words: name, score: SYNONYM })))
  }
  const last = words.at(-1) ?? ''
  // “shipped” for shipments, “paid” for payments.
  if (words.length === 1 && last.length > 6 && singular(last).endsWith('ment'))
    own.push({ words: [singular(last).slice(0, -4)], score: PARTIAL })
  if (words.length === 1) return own
  if (CONTAINERS.has(singular(last))) own.push({ words: words.slice(0, -1), score: SYNONYM })
  return [...own, { words: [words.join('')], score: EXACT }, { words: words.slice(-1), score: PARTIAL }]
}

/** `support rep` is an employee, seen from the customer. */
function rolePhrases(edge: Edge): readonly Phrase[] {
  const { role, to, from, kind } = edge
  if (kind === 'many' || role.length === 0 || from === to || areSameWords(role, to.words)) return []
  return /^(?:to|by|of|from|for)$/.test(role.at(-1) ?? '') ? [] : [{ words: role, score: SYNONYM }]
}

/** Words at the end of a column's name that may be left off: `status code`, `refund amount`. */
const DROPPABLE = /^(?:code|name|text|value|amount|number)$/

function columnPhrases(attribute: Attribute): readonly Phrase[] {
  const { words: own, allWords, isKey, column, entity } = attribute
  const bare = withoutOwner(attribute)
  const raw = column.name.toLowerCase()
  const found: Phrase[] = [
    { words: own, score: EXACT },
    { words: [raw], score: EXACT },
    { words: raw.split('_'), score: EXACT },
  ]
  if (isKey) return column.primaryKey ? found : []
  if (/^(?:is|has)$/.test(bare[0] ?? '') && bare.length > 1) found.push({ words: bare.slice(1), score: EXACT })
  if (bare !== own) found.push({ words: bare, score: EXACT })
  if (allWords !== undefined) found.push({ words: allWords, score: EXACT })
  for (const group of COLUMN_SYNONYMS) {
    if (group.some((name) => areSameWords(name, bare) || areSameWords(name, own)))
      found.push(...group.map((words) => ({ words, score: SYNONYM })))
  }
  for (const words of BUILT_IN_COLUMNS[bare.join(' ')] ?? []) found.push({ words: words.split(' '), score: SYNONYM })
  if (isNumericAttribute(attribute)) found.push({ words: [...bare, 'score'], score: SYNONYM })
  if (bare.length > 1 && !isDate(attribute) && !/^(?:to|by|of|from|for|on|at|since|in)$/.test(bare.at(-1) ?? '')) {
    found.push({ words: bare.slice(-1), score: PARTIAL })
    if (
      DROPPABLE.test(bare.at(-1) ?? '') &&
      !areSameWords(bare.slice(0, -1), entity.words) &&
      !/^(?:first|last|full)$/.test(bare[0] ?? '')
    )
      found.push({ words: bare.slice(0, -1), score: PARTIAL })
  }
  return found
}
