import { baseOf } from '../irregular-verbs.ts'
import { stem } from '../tokens.ts'
import { numeric } from './derive.ts'
import { wordsOf, type Evidence } from './evidence.ts'
import { readable, type Figure, type NumberFigure } from './read.ts'
import { isPrinted, sumOf } from './rows.ts'

/** “No customers”, “zero customers”, in the languages whose numbers are read; what it is of stands behind it. */
const NONE =
  /(?<!\p{L})(?:no|zero|kein(?:e[rnms]?)?|null|aucune?|pas de|pas d['’]|ning[uú]n[oa]?|nessun[ao]?|nenhuma?|geen|nul)\s*(?<what>\p{L}{3,})(?<behind>[^.!?,;:|()\n]*)(?<end>.?)/giu
/** Words behind it that limit nothing. */
const ANYWHERE =
  /^(?:at|all|yet|here|now|currently|today|found|registered|known|listed|in|the|database|system|data|table|exist|vorhanden|gefunden|derzeit)$/i

/**
 * What a sentence denies though a figure of it was found: “There are no customers” beside a table of one row that has 421. What
 * limits the denial in words that were not asked, such as “no customers without an order”, is left to its words.
 */
export function deniedIn(
  sentence: string,
  { common, found }: { readonly common: Evidence; readonly found: readonly Evidence[] },
): string[] {
  const singles = found.flatMap(({ tables }) =>
    tables.flatMap(({ columns, rows, rowCount }) =>
      rowCount === 1 ? columns.map((one) => [one, rows[0]?.[one]]) : [],
    ),
  ) as (readonly [string, unknown])[]
  if (singles.length === 0) return []
  return [...readable(sentence).matchAll(NONE)].flatMap(({ 0: said, groups = {} }) => {
    const { what = '', behind = '', end = '' } = groups
    const [sought] = wordsOf(what)
    const values = singles.flatMap(([column, cell]) =>
      wordsOf(column).includes(sought ?? '') ? (numeric(cell) ?? []) : [],
    )
    const isLimited = (behind.match(/\p{L}+/gu) ?? []).some((word) => !ANYWHERE.test(word) && !common.names(word))
    const isDenied = values.length > 0 && values.every((value) => value !== 0) && !isLimited && end !== '?'
    return isDenied ? [said.replace(/[^\p{L}\p{N}]+$/u, '')] : []
  })
}

/** States of which a thing has one alone: those behind the first deny it. */
const OPPOSITES = new Map(
  (
    'open closed resolved solved settled geschlossen erledigt,pending completed finished done delivered,won lost,shipped cancelled canceled,' +
    'approved rejected denied,accepted declined,public private,online offline,enabled disabled,current former,new old,male female,' +
    'men women,domestic international foreign,internal external,valid expired,early late,successful failed,' +
    'cheap expensive,visible hidden,present absent,junior senior,inbound outbound,incoming outgoing,busy free,manual automatic'
  )
    .split(',')
    .flatMap((line) => {
      const [state = '', ...others] = line.split(' ')
      return others.map((other): [string, string] => [other, stem(baseOf(state))])
    }),
)
const STATES = new Set(OPPOSITES.values())
/** “Unpaid”, “inactive”. */
const PREFIXED = /^(?:un|non|in(?=activ|aktiv|complet|valid|eligib|visib|correct|accura))(\p{L}{4,})$/u

/** What a word denies by itself, by its base. */
function opposedBy(word: string): string | undefined {
  const prefixed = PREFIXED.exec(word.toLowerCase())?.[1]
  return prefixed === undefined ? OPPOSITES.get(word.toLowerCase()) : stem(baseOf(prefixed))
}

const NOT = /^(?:not|never|no|without|zero|nicht|nie|niemals|kein\p{L}*|ohne)$/iu
/** Words by which something is said not to be without a negation: “yet to return”, “unpaid”. */
const MISSING =
  /(?<!\p{L})(?:none|nobody|nor|neither|yet|still|counted|included|miss\p{L}*|lack\p{L}*|fail\p{L}*|outstanding|pending|open|exclud\p{L}*|except|only|besides|un\p{L}{4,}|in(?:active|complete|valid|eligible)|non\p{L}*)(?!\p{L})/iu
const AUXILIARY =
  /^(?:an?|the|any|be|been|being|is|are|was|were|do|does|did|have|has|had|ever|even|so|far|ein\p{L}*|der|die|das|hat|haben|wurden?)$/iu
/** A negation is of one of the words this near behind it. */
const NEAR = 3

interface Polarity {
  readonly denied: ReadonlySet<string>
  readonly plain: ReadonlySet<string>
  /** Those of them that are states. */
  readonly states: ReadonlySet<string>
}

/** The words of a text that are denied, and those that are not, by their base. */
function polarity(text: string): Polarity {
  const [denied, plain, states] = [new Set<string>(), new Set<string>(), new Set<string>()]
  let left = 0
  for (const [word] of text
    .replace(/n['’]t(?!\p{L})|(?<=\bcan)not\b/giu, ' not')
    .replaceAll('_', ' ')
    .matchAll(/\p{L}+|[,;:.!?]/gu)) {
    if (NOT.test(word)) left = NEAR
    else if (!/\p{L}/u.test(word)) left = 0
    else {
      const isDenied = left > 0 && !AUXILIARY.test(word)
      const [base, opposed] = [stem(baseOf(word)), opposedBy(word)]
      if (isDenied) denied.add(base)
      else if (word.length > 2) plain.add(base)
      if (opposed !== undefined) (isDenied ? plain : denied).add(opposed)
      if (opposed !== undefined || STATES.has(base)) states.add(opposed ?? base)
      left = isDenied ? 0 : left - 1
    }
  }
  return { denied, plain, states }
}

/** The words that are denied in one and, where the others say them, only plain there, or the other way round. */
function turnedIn(said: Polarity, known: readonly Polarity[], words: Iterable<string>): string[] {
  return [...words].filter((word) => {
    const isDenied = said.denied.has(word)
    const [own, other] = isDenied ? (['denied', 'plain'] as const) : (['plain', 'denied'] as const)
    const isOnly = said[own].has(word) && !said[other].has(word)
    return isOnly && known.some((one) => one[other].has(word)) && !known.some((one) => one[own].has(word))
  })
}

/** What speaks of more than was asked. */
const BESIDE =
  /(?<!\p{L})(?:exclud\p{L}*|except|besides|others?|rest|remaining|than|instead|rather|unlike|whether|if|or|none|nobody|nothing|nor|neither|counted|included)(?!\p{L})|\?/iu
/** What a query compares with is this short. */
const LITERAL = 60
const literal = (text: string): readonly Polarity[] => (text.length < LITERAL ? [polarity(text)] : [])

/**
 * What a sentence denies of its figures, or does not deny, the other way round than they were found for: “22 customers returned”,
 * where those were asked that did not, or “12 tickets are closed”, where nobody says so and those that are open were asked for.
 */
export function turnedDenials(
  sentence: string,
  figures: readonly Figure[],
  { common, found }: { readonly common: Evidence; readonly found: readonly Evidence[] },
): string[] {
  const tables = found.flatMap((one) => one.tables)
  const numbers = figures.filter((one): one is NumberFigure => one.kind === 'number' && one.isYear !== true)
  const cells = (figure: NumberFigure): readonly string[] =>
    tables.flatMap(({ columns, rows }) =>
      columns.filter((column) =>
        [sumOf(rows, column), ...rows.map((row) => numeric(row[column]) ?? Number.NaN)].some((value) =>
          isPrinted(value, figure),
        ),
      ),
    )
  const isTold = numbers.every((figure) => cells(figure).length > 0 || common.find(figure) !== undefined)
  if (tables.length === 0 || !isTold) return []
  const said = polarity(readable(sentence))
  const ofColumns = tables.flatMap(({ columns }) => columns).map(polarity)
  const known = [polarity(common.asked), ...ofColumns, ...[common, ...found].flatMap((one) => one.inTexts(literal))]
  const states = BESIDE.test(sentence)
    ? []
    : turnedIn(said, known, new Set([said, ...known].flatMap((one) => [...one.states])))
  const words = (sentence.match(/\p{L}+/gu) ?? []).filter((word) =>
    states.includes(opposedBy(word) ?? stem(baseOf(word))),
  )
  if (words.length > 0 && !words.some((word) => found.some((one) => one.names(word)))) return words
  const [only, ...more] = numbers
  const held = only === undefined || only.isPercent || more.length > 0 || MISSING.test(sentence) ? [] : cells(only)
  if (held.length === 0) return []
  const isDenial = [...said.denied].some((word) => !said.states.has(word))
  const asked = [common.asked, ...held].map(polarity)
  const turned = turnedIn(said, asked, isDenial ? said.denied : [...said.denied, ...said.plain])
  return turned.length > 0 ? [sentence.trim()] : []
}

/** So much of the words of a sentence one of a source must have that speaks of the same. */
const OF_THE_SAME = 0.8
const FEWEST_WORDS = 2
/** Of longer texts nobody looks which sentence speaks of the same. */
const MOST_READ = 100_000
/** Words that are in any sentence; “return” and “show” are none here. */
const SMALL =
  /^(?:can|cannot|could|will|would|may|might|must|shall|should|does|did|not|never|are|were|was|has|have|had|the|and|for|with|from|that|this|your|our|its|their|you|they)$/

/**
 * A sentence that says the opposite of what its sources say in the same words: “Helmets can be returned”, of “Helmets cannot be
 * returned”. What is limited in other words, such as by “unless”, is left to its reader.
 */
export function opposites(sentence: string, found: readonly Evidence[]): string[] {
  const text = readable(sentence)
  const words = [...new Set(wordsOf(text))].filter((word) => word.length > 2 && !SMALL.test(word))
  if (words.length < FEWEST_WORDS || MISSING.test(text) || text.includes('?')) return []
  const said = polarity(text)
  const isShort = ({ texts }: Evidence): boolean => texts.reduce((sum, { length }) => sum + length, 0) <= MOST_READ
  const same = found.filter(isShort).flatMap(({ statements }) => statements.about(words, OF_THE_SAME))
  if (same.length === 0) return []
  const isTurned = (one: string): boolean =>
    !MISSING.test(one) && turnedIn(said, [polarity(readable(one))], [...said.denied, ...said.plain]).length > 0
  return same.every(({ own }) => own.texts.every(isTurned)) ? [sentence.trim()] : []
}
