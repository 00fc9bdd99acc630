import { unitOf } from './column-words.ts'
import { given } from '../core/given.ts'
import { isDate, qualifiedName, termsOf, withoutOwner } from './catalogue.ts'
import type { Attribute, Catalogue, Edge, Entity } from './catalogue.ts'
import { COLUMN_SYNONYMS, CONTAINERS, TABLE_SYNONYMS } from './vocabulary.ts'
import { forms, singular, sameWords } from './words.ts'

/** A word of a question, with its base forms. */
export interface NamedToken {
  readonly lower: string
  readonly kind: string
  readonly forms: ReadonlySet<string>
}

/** How well a phrase fits a name. Partial: `price` for `unit price`, `tickets` for `support tickets`. */
export const EXACT = 3
export const SYNONYM = 2
export const PARTIAL = 1

export interface EntityMatch {
  readonly entity: Entity
  /** The foreign key that was named: `support rep` is an employee, seen from the customer. */
  readonly via?: Edge
  readonly length: number
  readonly score: number
}

export interface AttributeCandidate {
  readonly attribute: Attribute
  readonly score: number
}

export interface AttributeMatch {
  readonly candidates: readonly AttributeCandidate[]
  /** The table that was named along with it: `customer country`. */
  readonly owner?: Entity
  readonly length: number
  readonly text: string
}

interface Phrase {
  readonly words: readonly string[]
  readonly score: number
}

export interface Names {
  /** Tables whose name starts at this token; the longest, then the best, first. Several equals mean ambiguity. */
  entitiesAt(at: number): readonly EntityMatch[]
  attributesAt(at: number): AttributeMatch | undefined
}

/** Matches the names of a catalogue against the tokens of one question. */
export function matchNames(catalogue: Catalogue, tokens: readonly NamedToken[]): Names {
  const entityPhrases = catalogue.entities.flatMap((entity) =>
    [...phrasesOfEntity(entity), ...called(catalogue.terms.tables[qualifiedName(entity)]?.called)].map((phrase) => ({
      phrase,
      entity,
    })),
  )
  const rolePhrases = catalogue.entities.flatMap((entity) =>
    entity.edges
      .filter((e) => e.kind === 'one')
      .flatMap((edge) => {
        // A key that is called as that of its target names the table, and no part that its rows play.
        const via = edge.toColumns[0] === edge.keyColumn && edge.from !== edge.to ? {} : { via: edge }
        return phrasesOfRole(edge).map((phrase) => ({ phrase, entity: edge.to, ...via }))
      }),
  )
  const phrasesOf = phrasesByName()
  const attributePhrases = catalogue.entities.flatMap((entity) =>
    entity.attributes.flatMap((attribute) =>
      [...phrasesOf(attribute), ...called(termsOf(catalogue.terms, attribute).called)].map((phrase) => ({
        phrase,
        attribute,
      })),
    ),
  )
  const entitiesAt = (at: number): readonly EntityMatch[] => {
    const hits = [...entityPhrases, ...rolePhrases]
      .filter(({ phrase }) => fits(tokens, at, phrase.words))
      .map(({ phrase, ...rest }) => ({ ...rest, length: phrase.words.length, score: phrase.score }))
    const longest = Math.max(0, ...hits.map((h) => h.length))
    const best = Math.max(0, ...hits.filter((h) => h.length === longest).map((h) => h.score))
    const tops = hits.filter((h) => h.length === longest && h.score === best)
    const tables = tops.filter((h) => h.entity.table.kind === 'table')
    return dedupe(tables.length > 0 ? tables : tops)
  }
  const plainAttributesAt = (at: number, owner?: Entity): AttributeMatch | undefined => {
    const hits = attributePhrases.filter(
      ({ phrase, attribute }) => (owner === undefined || attribute.entity === owner) && fits(tokens, at, phrase.words),
    )
    const length = Math.max(0, ...hits.map((h) => h.phrase.words.length))
    if (length === 0) return undefined
    const best = new Map<Attribute, number>()
    for (const { phrase, attribute } of hits) {
      if (phrase.words.length !== length) continue
      best.set(attribute, Math.max(best.get(attribute) ?? 0, phrase.score))
    }
    const candidates = [...best].map(([attribute, score]) => ({ attribute, score })).sort((a, b) => b.score - a.score)
    const text = tokens
      .slice(at, at + length)
      .map((t) => t.lower)
      .join(' ')
    return { candidates, length, text, ...given({ owner }) }
  }
  // `shipping city`: the city of the shipping address.
  const prefixes = catalogue.entities.flatMap((entity) =>
    entity.edges
      .filter(
        (e) =>
          e.kind === 'one' &&
          e.to !== entity &&
          e.role.length > e.to.words.length &&
          sameWords(e.role.slice(-e.to.words.length), e.to.words),
      )
      .map((e) => ({ words: e.role.slice(0, -e.to.words.length), owner: e.to })),
  )
  const rolesAt = (at: number): AttributeMatch | undefined => {
    for (const { words, owner } of prefixes) {
      if (!fits(tokens, at, words)) continue
      const inner = plainAttributesAt(at + words.length, owner)
      if (inner !== undefined) return { ...inner, length: inner.length + words.length }
    }
    return undefined
  }
  const attributesAt = (at: number): AttributeMatch | undefined => {
    const plain = plainAttributesAt(at) ?? rolesAt(at)
    const owned = entitiesAt(at).flatMap((match) => {
      const gap = tokens[at + match.length]?.lower === "'s" ? 1 : 0
      const inner = plainAttributesAt(at + match.length + gap, match.entity)
      return inner === undefined ? [] : [{ ...inner, length: inner.length + match.length + gap }]
    })[0]
    if (owned === undefined) return plain
    const exactPlain = plain !== undefined && plain.candidates[0]?.score === EXACT && plain.length >= owned.length
    return exactPlain && plain.candidates.some((c) => c.score === EXACT && c.attribute.entity !== owned.owner)
      ? plain
      : owned
  }
  // The same places are asked about again and again, and a schema may have thousands of columns.
  return { entitiesAt: remembered(entitiesAt), attributesAt: remembered(attributesAt) }
}

/** Names that the terms give; they are as good as the database's own. */
function called(names: readonly string[] = []): readonly Phrase[] {
  return names.map((name) => ({ words: name.toLowerCase().split(' '), score: EXACT }))
}

/** Columns of one name have the same phrases, and a large schema has the same names many times. */
function phrasesByName(): (attribute: Attribute) => readonly Phrase[] {
  const known = new Map<string, readonly Phrase[]>()
  return (attribute) => {
    const bare = withoutOwner(attribute)
    const { primaryKey, kind } = attribute.column
    const owned = sameWords(bare.slice(0, -1), attribute.entity.words)
    const key = [attribute.column.name, bare, attribute.isKey, primaryKey, kind, attribute.column.type, owned].join('|')
    const found = known.get(key) ?? phrasesOfAttribute(attribute)
    known.set(key, found)
    return found
  }
}

function fits(tokens: readonly NamedToken[], at: number, words: readonly string[]): boolean {
  return words.every((word, i) => {
    const token = tokens[at + i]
    if (token === undefined || token.kind !== 'word' || token.lower === 'named') return false
    if (token.lower === word) return true
    return word[0] === token.lower[0] && haveCommonForm(word, token)
  })
}

function haveCommonForm(word: string, token: NamedToken): boolean {
  for (const form of forms(word)) if (token.forms.has(form)) return true
  return false
}

function remembered<T>(find: (at: number) => T): (at: number) => T {
  const known = new Map<number, T>()
  return (at) => {
    if (!known.has(at)) known.set(at, find(at))
    return known.get(at) as T
  }
}

function dedupe(matches: readonly EntityMatch[]): readonly EntityMatch[] {
  return matches.filter((m, i) => matches.findIndex((o) => o.entity === m.entity && o.via === m.via) === i)
}

function phrasesOfEntity(entity: Entity): readonly Phrase[] {
  const phrases: Phrase[] = [{ words: entity.words, score: EXACT }]
  for (const group of TABLE_SYNONYMS) {
    if (!group.some((g) => sameWords(g, entity.words))) continue
    for (const other of group) phrases.push({ words: other, score: SYNONYM })
  }
  // A table that is called `accounts` alone has no other name.
  if (entity.words.length > 1 && CONTAINERS.has(singular(entity.words.at(-1) ?? '')))
    phrases.push({ words: entity.words.slice(0, -1), score: SYNONYM })
  if (entity.words.length > 1)
    phrases.push({ words: [entity.words.join('')], score: EXACT }, { words: entity.words.slice(-1), score: PARTIAL })
  return phrases
}

/** `reports to` and `ordered by` are verbs, not names for a person. */
const PREPOSITION = /^(to|by|of|from|for|in|on|at|since|before|after|until|till|per|as|than|with)$/

function phrasesOfRole(edge: Edge): readonly Phrase[] {
  if (edge.role.length === 0 || sameWords(edge.role, edge.to.words) || PREPOSITION.test(edge.role.at(-1) ?? ''))
    return []
  if (edge.from === edge.to) return phrasesOfSelf(edge)
  const tail = edge.role.slice(-edge.to.words.length)
  const isOther = !sameWords(tail, edge.to.words) && edge.role.length > 1
  return [{ words: edge.role, score: SYNONYM }, ...(isOther ? [{ words: edge.role.slice(-1), score: PARTIAL }] : [])]
}

/** `manager`; `parent category` or `parent`. */
function phrasesOfSelf(edge: Edge): readonly Phrase[] {
  const { words } = edge.to
  const isTail = edge.role.length > words.length && sameWords(edge.role.slice(-words.length), words)
  return [edge.role, ...(isTail ? [edge.role.slice(0, -words.length)] : [])].map((w) => ({ words: w, score: SYNONYM }))
}

/** Words at the end of a column's name that may be left off: `status code`, `country name`. */
const DROPPABLE = /^(code|name|text|value|type|flag|amount)$/

function phrasesOfAttribute(attribute: Attribute): readonly Phrase[] {
  const own = attribute.words
  const bare = withoutOwner(attribute)
  const last = bare.at(-1) ?? ''
  // A foreign key without `id` in its name (`ReportsTo`) is a link to others, not a column to show.
  if (attribute.isKey && !attribute.column.primaryKey && !/^(id|key|code|number)$/.test(last)) return []
  // “bookings” are rows, though their key is called `BookingRef`.
  if (attribute.column.primaryKey && /ref$/i.test(attribute.column.name))
    return ['ref', 'reference'].map((w) => ({ words: [...own, w], score: EXACT }))
  const phrases: Phrase[] = [{ words: own, score: EXACT }]
  const all = attribute.allWords
  if (all !== undefined) phrases.push({ words: all, score: EXACT }, { words: all.slice(-1), score: PARTIAL })
  if (bare !== own && last !== 'id') phrases.push({ words: bare, score: EXACT })
  if (/^(is|has)$/.test(bare[0] ?? '') && bare.length > 1) phrases.push({ words: bare.slice(1), score: EXACT })
  if (attribute.isKey || last === 'id') return phrases
  if (attribute.column.kind === 'number') phrases.push({ words: [...bare, 'score'], score: SYNONYM })
  for (const group of COLUMN_SYNONYMS) {
    if (!group.some((g) => sameWords(g, bare) || sameWords(g, own))) continue
    for (const other of group) phrases.push({ words: other, score: SYNONYM })
  }
  if (bare.length > 1) {
    if (!PREPOSITION.test(last)) phrases.push({ words: bare.slice(-1), score: PARTIAL })
    const isPersonName = /^(first|last|full|middle|given|family)$/.test(bare[0] ?? '')
    if (
      (DROPPABLE.test(last) || (attribute.column.kind === 'number' && !/^%?$/.test(unitOf(last) ?? ''))) &&
      !isPersonName &&
      !sameWords(bare.slice(0, -1), attribute.entity.words)
    ) {
      phrases.push({ words: bare.slice(0, -1), score: PARTIAL })
    }
    if (isDate(attribute) && bare.length > 2) phrases.push({ words: bare.slice(-2), score: PARTIAL })
  }
  return phrases
}
