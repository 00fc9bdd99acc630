import { qualifiedName, type Catalogue } from '../../terms/catalogue.ts'
import { isNounColumn } from '../../terms/kinds.ts'
import { FILLERS, MONEY_NOUNS } from '../words/lexicon.ts'
import type { Names } from '../../terms/names.ts'
import type { Token } from '../words/tokens.ts'
import { searchableColumns } from '../../terms/value-lookup.ts'
import type { Place, ValueHit, ValueLookup } from '../types.ts'
import { datesOfWord } from '../../terms/dates.ts'
import { isParticiple, plural, singular } from '../../terms/words.ts'

/** A stretch of the question that is a value in the data. */
export interface ValueSpan {
  readonly length: number
  readonly text: string
  readonly hits: readonly ValueHit[]
  /** First and last name, each found in its own column; one for each table that has both. */
  readonly people?: readonly Person[]
  /** A kind in the plural, used as a noun: `coffees` for the category Coffee. */
  readonly isKind?: boolean
}

export interface Person {
  readonly first: ValueHit
  readonly last: ValueHit
}

const LONGEST = 6
/** Stretches that are looked up; a question has few words that are not names or grammar. */
const MOST_LOOKUPS = 200
/** Of what was spoken of before, though something may be called so; “IT” is a name. */
const PRONOUN = /^(?:[Hh](?:e|is|im|ers?)|[Ss]he|[Tt]h(?:ey|em|eirs?)|[Ii]ts?)$/

/**
 * Finds the values in a question: quoted strings, and stretches that hold a word which is neither a known name nor
 * grammar, or a capital letter inside the sentence. The longest stretch wins.
 */
export async function findValues(
  text: string,
  tokens: readonly Token[],
  names: Names,
  isKnown: (at: number) => boolean,
  catalogue: Catalogue,
  lookup: ValueLookup,
): Promise<ReadonlyMap<number, ValueSpan>> {
  const columns = searchableColumns(catalogue).map((a) => ({ table: qualifiedName(a.entity), column: a.column.name }))
  const kinds = columns.filter((c) => isNounColumn(catalogue, c))
  const marks = markTokens(tokens, names, isKnown, catalogue)
  const stretches = tokens.flatMap((_, at) => [...stretchesAt(text, tokens, marks, at)])
  const find = await lookUp(
    stretches.map(({ term }) => term),
    columns,
    lookup,
  )
  const findKind = await lookUp(
    stretches.flatMap(({ kind }) => kind ?? []),
    kinds,
    lookup,
  )
  const search = { text, tokens, marks, find, findKind }
  const found = new Map<number, ValueSpan>()
  for (let at = 0; at < tokens.length; at++) {
    const span = (await numberAt(tokens, names, at, lookup)) ?? (await spanAt(search, at))
    if (span === undefined) continue
    found.set(at, span)
    at += span.length - 1
  }
  return found
}

/** Looks all terms up at once, and one that was not among them when it is asked for. */
async function lookUp(all: readonly string[], columns: readonly Place[], lookup: ValueLookup): Promise<Search['find']> {
  const terms = [...new Set(all)].slice(0, MOST_LOOKUPS)
  const hits = columns.length > 0 && terms.length > 0 ? await lookup(terms, columns) : []
  const known = new Map(terms.map((term, at) => [term, hits[at] ?? []]))
  return async (term) => {
    if (!known.has(term)) {
      const more = columns.length > 0 && known.size < MOST_LOOKUPS ? await lookup([term], columns) : []
      known.set(term, more[0] ?? [])
    }
    return known.get(term)!
  }
}

/** A question with its words marked, and ways to look them up: in all columns, and in those that say of what kind a row is. */
interface Search {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly marks: readonly Mark[]
  readonly find: (term: string) => Promise<readonly ValueHit[]>
  readonly findKind: (term: string) => Promise<readonly ValueHit[]>
}

/** `room 101`: the number on its door, where its rows have one. */
async function numberAt(tokens: readonly Token[], names: Names, at: number, lookup: ValueLookup) {
  const { kind, text = '' } = tokens[at] ?? {}
  const before = /^(?:number|no|nr)$/.test(tokens[at - 1]?.lower ?? '') ? at - 2 : at - 1
  const entity = kind === 'number' ? names.entitiesAt(before)[0]?.entity : undefined
  const columns = (entity?.attributes ?? []).filter(
    (a) => a.column.kind === 'text' && a.words.filter((w) => !entity?.words.includes(w)).join(' ') === 'number',
  )
  if (entity === undefined || columns.length === 0) return undefined
  const places = columns.map((a) => ({ table: qualifiedName(entity), column: a.column.name }))
  const [hits = []] = await lookup([text], places)
  return hits.length === 0 ? undefined : { length: 1, text, hits }
}

type Mark = 'open' | 'capital' | 'closed' | 'filler'

function markTokens(
  tokens: readonly Token[],
  names: Names,
  isKnown: (at: number) => boolean,
  catalogue: Catalogue,
): readonly Mark[] {
  const declared = new Set(Object.values(catalogue.terms.columns).flatMap((c) => Object.keys(c.values)))
  const isMixed = tokens.some((t) => t.text !== t.text.toUpperCase())
  return tokens.map((token, at) => {
    if (token.kind === 'quoted') return 'open'
    if (token.kind === 'comma') return 'filler'
    if (PRONOUN.test(token.text)) return token.capital && at > 0 ? 'capital' : 'filler'
    const isName = names.entitiesAt(at).length > 0 || names.attributesAt(at) !== undefined
    // “held”, where lessons have a day on which they are held: a state that they may be in, too.
    const isPlaced =
      /^(is|are|was|were|been|being|not|never|already)$/.test(tokens[at - 1]?.lower ?? '') ||
      (names.entitiesAt(at + 1).length > 0 && names.entitiesAt(at - 1).length === 0)
    const isTold = isPlaced
      ? datesOfWord(catalogue, token.lower).length > 0
      : /^n?or$/.test(tokens[at - 1]?.lower ?? '')
    const isState =
      isParticiple(token.lower) && (isTold || isPlaced) && (declared.has(token.lower) || (isPlaced && isTold))
    if (token.kind === 'word' && (!isKnown(at) || isState) && !isName && !FILLERS.has(token.lower)) return 'open'
    if (/^\p{Lu}{2,}$/u.test(token.text) && isMixed) return 'open'
    const before = tokens[at - 1]?.lower ?? ''
    if (isMoneyWord(token) && /^(in|from|at|for)$/.test(before)) return 'open'
    // “came by phone”: a column's name may be a value, too.
    if (before === 'by' && names.attributesAt(at) !== undefined && names.entitiesAt(at).length === 0) return 'open'
    if (token.capital && at > 0) return 'capital'
    return FILLERS.has(token.lower) ? 'filler' : 'closed'
  })
}

/** A stretch of the question that may be a value. */
interface Stretch {
  readonly length: number
  readonly term: string
  /** The same as what says of what kind a row is, in the other number: “coffees” for Coffee. */
  readonly kind: string | undefined
  readonly isPlural: boolean
}

/** Those that begin at a word, the longest first. */
function* stretchesAt(
  text: string,
  tokens: readonly Token[],
  marks: readonly Mark[],
  at: number,
): Generator<Stretch, void, undefined> {
  const first = tokens[at]
  if (first === undefined || first.kind === 'comma') return
  if (first.kind === 'quoted') return yield { length: 1, term: first.text, kind: undefined, isPlural: false }
  const least = PRONOUN.test(first.text) ? 2 : 1
  for (let length = Math.min(LONGEST, tokens.length - at); length >= least; length--) {
    const range = marks.slice(at, at + length)
    const last = tokens[at + length - 1]
    if (last === undefined || last.kind === 'quoted' || !isPromising(range, length, isLoneCapital(tokens, marks, at)))
      continue
    const term = text.slice(first.start, last.end)
    const kind = range.at(-1) === 'open' ? inOtherNumber(term) : undefined
    yield { length, term, kind, isPlural: singular(last.lower) !== last.lower }
  }
}

async function spanAt(search: Search, at: number): Promise<ValueSpan | undefined> {
  const { text, tokens, marks, find } = search
  const { kind, text: word = '' } = tokens[at] ?? {}
  if (kind === 'quoted') return { length: 1, text: word, hits: await find(word) }
  let alone: Stretch | undefined
  for (const stretch of stretchesAt(text, tokens, marks, at)) {
    if (stretch.length === 1) alone = stretch
    const span = stretch === alone ? undefined : await spanOf(search, stretch)
    if (span !== undefined) return span
  }
  if (PRONOUN.test(word)) return undefined
  return (await personAt(search, at)) ?? (alone === undefined ? undefined : spanOf(search, alone))
}

async function spanOf({ find, findKind }: Search, stretch: Stretch): Promise<ValueSpan | undefined> {
  const { length, term, kind, isPlural } = stretch
  const hits = await find(term)
  // “children”, where a genre is called so, and members are of the kind “child”.
  const kinds = kind !== undefined && (hits.length === 0 || isPlural) ? await findKind(kind) : []
  if (hits.length > 0) return { length, text: term, hits: [...hits, ...kinds] }
  return kind === undefined || kinds.length === 0 ? undefined : { length, text: kind, hits: kinds, isKind: true }
}

/** `coffees`, `hotels`: a value that says what kind a row is of, in the other number than it is stored. */
function inOtherNumber(term: string): string | undefined {
  const words = term.split(' ')
  const last = words.at(-1)?.toLowerCase() ?? ''
  if (last === '' || /\P{L}/u.test(last)) return undefined
  return [...words.slice(0, -1), singular(last) === last ? plural(last) : singular(last)].join(' ')
}

/** Worth a look-up: begins and ends in words of weight, and holds one that is not plain grammar. */
function isPromising(range: readonly Mark[], length: number, isLoneCapital: boolean): boolean {
  if (length === 1) return range[0] === 'open' || isLoneCapital
  if (range[0] === 'filler' || range.at(-1) === 'filler') return false
  return range.some((m) => m === 'open') || (range[0] === 'capital' && range.at(-1) === 'capital')
}

/** `employees in Sales`: a grammar word written as a name, in a question that is not written in capitals throughout. */
function isLoneCapital(tokens: readonly Token[], marks: readonly Mark[], at: number): boolean {
  const isTitleCase = tokens.slice(1).filter((t) => t.capital).length * 2 > tokens.length
  return marks[at] === 'capital' && !isTitleCase && tokens[at]?.kind === 'word'
}

function isMoneyWord(token: Token): boolean {
  return MONEY_NOUNS.some((noun) => token.forms.has(noun))
}

/** `Luis Goncalves`: no column holds both words, but one holds the first and its neighbour the last. */
async function personAt({ text, tokens, marks, find }: Search, at: number): Promise<ValueSpan | undefined> {
  const [first, last] = [tokens[at], tokens[at + 1]]
  if (
    first === undefined ||
    last === undefined ||
    !/^(open|capital)$/.test(marks[at] ?? '') ||
    marks[at + 1] === 'filler'
  )
    return undefined
  const firsts = (await find(first.text)).filter((h) => /first|given|fore|^fname/i.test(h.column))
  if (firsts.length === 0) return undefined
  const lasts = (await find(last.text)).filter((h) => /last|sur|family|^lname/i.test(h.column))
  const pairs = firsts.flatMap((f) => lasts.filter((l) => l.table === f.table).map((l) => ({ first: f, last: l })))
  if (pairs.length === 0) return undefined
  return { length: 2, text: text.slice(first.start, last.end), hits: [], people: pairs }
}
