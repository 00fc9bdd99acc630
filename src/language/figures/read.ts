import { given } from '../../core/given.ts'
import { NUMBER_WORDS, spelledNumbers } from '../numbers.ts'
import { DATES, datesIn, type PartialDate } from './dates.ts'
import { exact, loosely, plainDigits, rounded, valuesOf, type Reading } from './printed.ts'
import { COUNTED, isGroupedOnly, RATIO, THINGS, unitAt, unitCalled, type Unit } from './units.ts'

/** A number as it is printed, with all that it may mean. */
export interface NumberFigure {
  readonly kind: 'number'
  readonly text: string
  /** What it may stand for, depending on where points and commas are written. */
  readonly readings: readonly Reading[]
  readonly isPercent: boolean
  /** Percentage points, by which one share lies from another. */
  readonly isPoints?: true
  /** A place in an order, or so many from its beginning: “3rd”, “the top three”. */
  readonly isOrdinal: boolean
  /** What it counts; absent where that is left open. */
  readonly unit?: Unit
  /** Where it stands in the text as `readable` gives it. */
  readonly at: number
  /** Whether the words around it make a number such as 2025 a year, or an amount; absent where they leave it open. */
  readonly isYear?: boolean
}

export interface DateFigure {
  readonly kind: 'date'
  readonly text: string
  /** More than one where day and month may be meant in either order. */
  readonly dates: readonly PartialDate[]
  readonly at: number
}

/** Words that stand for something as they are: in quotes, or of letters and digits as an order's number is. */
export interface NameFigure {
  readonly kind: 'name'
  readonly text: string
  /** Digits that are no number that can be read, such as a version: they stand as they are, or not at all. */
  readonly isLiteral?: boolean
}

export type Figure = NumberFigure | DateFigure | NameFigure

export interface ReadOptions {
  /** Whether “1,234” may be 1.234: where commas are decimal. Absent: told from the text. */
  readonly decimalComma?: boolean
  /** The list number that came last before the text. */
  readonly listNumber?: number
}

const NAME =
  /"([^"\n]{1,300})"|“([^“”\n]{1,300})”|„([^„“”\n]{1,300})[“”]|«([^«»\n]{1,300})»|`([^`\n]{1,300})`|(?<![\p{L}\p{N}])['‘]([^'‘’\n]{2,300})['’](?![\p{L}\p{N}])/gu
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g
const URL = /\b(?:https?:\/\/|www\.)\S+/gi
/** Keys, hashes, pictures as text: as long as this it is no word, number or address, and is read as one piece. */
const LONG_RUN = /[\w+/=.-]{100,}/g
/** “INV-0042”, “GPT-4”, “A380”: with more than one digit it is a figure. */
const CODE =
  /(?<![\p{L}\p{N}])(?:\p{L}+(?=\d)|\p{Lu}[\p{Lu}\d]*[-_](?=[\p{L}\d_-]{0,40}\d))[\p{L}\d]+(?:[-_/.][\p{L}\d]+)*/gu
/** “0x1F”, “1e6”, “²³”, “①②”, “Chapter XII”; a number at the beginning of a line is that of a list. */
const ODD =
  /(?<![\p{L}\p{N}])0[xX][\da-fA-F]+(?![\p{L}\p{N}])|(?<![\p{L}\p{N}.,])\d+(?:[.,]\d+)?[eE][+-]?\d+(?![\p{L}\p{N}])|(?<=[^\s\p{L}]|\S )\p{No}+|(?<=[\p{L}:] )[IVX]{2,}(?![\p{L}\p{N}])/gu
/** Characters behind a number that may tell its unit. */
const ROOM = 60
const FIRST = /\b(?:first|top|last|bottom|ersten|letzten|premi(?:er|ère)s|primer[ao]s)\s$/iu

const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(?:k\b| ?(?:thousand|tausend|Tsd\.?|mille|mil)\b)/iu, 1e3],
  [/^(?:M\b|mn\b|mio\b| ?(?:million(?:s|en)?|Mio\.?|mn|millón|millones|milhões|milioni|miljoen)(?!\p{L}))/u, 1e6],
  [/^(?:B\b|bn\b| ?(?:billion|Milliarden?|Mrd\.?|milliards?|bn)(?!\p{L}))/u, 1e9],
  [/^ ?lakhs?\b/i, 1e5],
  [/^ ?crores?\b/i, 1e7],
  [/^ dozen\b/i, 12],
]
const PERCENT = /^\s?(?:%|percent(?:age points?)?\b|per cent\b|Prozent(?:punkte?)?\b|pour cent\b|por ciento\b|pp\b)/iu
const NUMBER = /(?<![\p{L}\p{N}_])(?<sign>[-−](?=\S))?(?<money>[$€£¥₹]\s?)?(?<digits>\d+(?:[.,'’]\d+)*)(?![.,]?\d)/gu

const PARTS = ['half', 'third', 'quarter', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']
const PART_WORDS = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:(?<many>an?|${NUMBER_WORDS.slice(1, 10).join('|')})[ -])?(?<part>halves|half|(?:${PARTS.slice(1).join('|')})s?)(?=(?:[ -]of)? (?:the|all|our|its|their|them|these|those|it|every|\p{L}+s)(?!\p{L})| of (?!\d)| (?:came|come|went|go|stem)(?!\p{L})|(?<= by [\p{L} -]{0,14})(?![\p{L}-]))`,
  'giu',
)

interface Place {
  readonly at: number
  readonly before: string
  readonly parts: Parts
}

/** “Two thirds of the orders”, as a share; “the third of May” is none, nor is a quarter of a year. */
function partOf(found: string, { at, before, parts: { many = 'a', part = '' } }: Place): NumberFigure[] | undefined {
  const parts = PARTS.findIndex((word) => part.toLowerCase().startsWith(word.slice(0, 3))) + 2
  if (parts > 2 && !/^(?:an?|\w+)[ -]/i.test(found)) return undefined
  const count = /^an?$/i.test(many) ? 1 : NUMBER_WORDS.indexOf(many.toLowerCase())
  if (count > parts) return undefined
  const value = (100 * count) / parts
  return [{ kind: 'number', text: found, readings: [loosely(value, 1, before)], isPercent: true, isOrdinal: false, at }]
}

/** “Twice as much”, “doubled”: how often. “Half a year”: how much of the unit. */
const MULTIPLES: readonly (readonly [RegExp, number])[] = [
  [/(?<!\p{L})(?:twice (?:as|the|what)|doubled|double (?:the|that|what)|verdoppelt|doppelt so)(?!\p{L})/giu, 2],
  [/(?<!\p{L})(?:thrice|tripled|triple (?:the|that|what)|trebled|verdreifacht|dreimal so)(?!\p{L})/giu, 3],
  [/(?<!\p{L})(?:quadrupled|vervierfacht)(?!\p{L})/giu, 4],
  [/(?<!\p{L})(?:halved|half as (?=much|many|high|large|big|long)|halbiert)/giu, 0.5],
  [/(?<!\p{L})half an? (?<unit>\p{L}{1,12})(?!\p{L})/giu, 0.5],
  [/(?<!\p{L})quarter of an? (?<unit>\p{L}{1,12})(?!\p{L})/giu, 0.25],
]

type Parts = Readonly<Record<string, string | undefined>>

/** “_4,217_” is the figure that it is; an underscore within a word is part of it. */
const EMPHASIS = /(?<![\p{L}\p{N}_])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?![\p{L}\p{N}_])/gu

/** A text with plain digits and without the marks [n] of its sources. */
export function readable(text: string): string {
  return plainDigits(text)
    .replace(/\[\d+(?:\s*,\s*\d+)*\]/g, ' ')
    .replace(EMPHASIS, (marks) => ' '.repeat(marks.length))
}

/**
 * The numbers, dates and names of a text, each once where it stands: what is part of a date, a name or an address is not read
 * as a number, too. Marks [n] of sources are none.
 */
export function figuresIn(original: string, { decimalComma, listNumber = 0 }: ReadOptions = {}): Figure[] {
  let text = readable(original)
  const figures: Figure[] = []
  /** What was read is blanked, so that no part of it is read again. */
  const take = (pattern: RegExp, read: (found: string, place: Place) => readonly Figure[] | undefined): void => {
    text = text.replace(pattern, (found: string, ...more: unknown[]) => {
      const parts = typeof more.at(-1) === 'object' ? (more.pop() as Parts) : {}
      const [at, whole] = more.slice(-2) as [number, string]
      const around = { at, parts, before: whole.slice(Math.max(0, at - 24), at) }
      const taken = read(found, around)
      if (taken === undefined) return found
      figures.push(...taken)
      return ' '.repeat(found.length)
    })
  }
  text = text.replace(URL, (url) => ' '.repeat(url.length))
  take(LONG_RUN, (run) => (/\d/.test(run) ? [{ kind: 'name', text: run }] : []))
  take(EMAIL, (email) => [{ kind: 'name', text: email }])
  take(NAME, (all) => {
    const name = all.slice(1, -1)
    // A figure in quotes is read as the figure that it is.
    return !/\p{L}/u.test(name) || figuresOnly(name) ? undefined : [{ kind: 'name', text: name }]
  })
  for (const pattern of DATES) {
    take(pattern, (found, { at }) => {
      const dates = datesIn(found)
      if (dates.length === 0) return undefined
      return dates.map((readings): Figure => ({
        kind: 'date',
        text: found.trim().replace(/\.$/, ''),
        dates: readings,
        at,
      }))
    })
  }
  take(CODE, (code) => ((code.match(/\d/g) ?? []).length < 2 ? [] : [{ kind: 'name', text: code }]))
  take(ODD, (odd, { before }) => {
    // “10³” is found as a whole; what is left of it is the number 10.
    const base = /^\p{No}/u.test(odd) ? (/\d[\d.,]*$/.exec(before)?.[0] ?? '') : ''
    return [{ kind: 'name', text: base + odd, isLiteral: true }]
  })
  for (const [words, times] of MULTIPLES) {
    take(words, (found, { at, parts: { unit: word = '' }, before }) => {
      const unit = word === '' ? RATIO : unitCalled(word)
      if (unit === undefined) return undefined
      const readings = [unit === RATIO ? loosely(times, times / 20, before) : exact(times)]
      return [{ kind: 'number', text: found, readings, isPercent: false, isOrdinal: false, unit, at }]
    })
  }
  take(PART_WORDS, partOf)
  const hasDecimalComma = decimalComma ?? /\d,(?:\d{1,2}|\d{4,})(?![\d,])/.test(text)
  let last = listNumber
  for (const match of text.matchAll(NUMBER)) {
    const isFirst = /(?:^|\n)[ \t>*_-]*$/.test(text.slice(Math.max(0, match.index - 24), match.index))
    const next = isFirst ? listNumberOf(text.slice(match.index, match.index + 60), last) : undefined
    if (next !== undefined) {
      last = next
      continue
    }
    const figure = numberOf(match, text, hasDecimalComma)
    figures.push(figure ?? { kind: 'name', text: match[0].trim(), isLiteral: true })
  }
  for (const { text: words, start, value } of spelledNumbers(text)) {
    const before = text.slice(Math.max(0, start - 24), start)
    const after = text.slice(start + words.length, start + words.length + ROOM)
    const unit = unitAt(before, after)
    // “One” is a pronoun more often than a figure.
    const isPronoun = unit === undefined || unit === THINGS || words !== 'one' || after.startsWith(' day,')
    if (value === 1 && isPronoun) continue
    figures.push({
      kind: 'number',
      text: words,
      readings: [exact(value)],
      isPercent: PERCENT.test(after),
      isOrdinal: FIRST.test(before),
      at: start,
      ...given({ unit }),
    })
  }
  return figures
}

function figuresOnly(name: string): boolean {
  return name.length <= 40 && /^[^\p{L}]*(?:\p{L}{1,3}\.?\s?)?\d[\d.,'’\s]*(?:%|\p{L}{1,2})?$/u.test(name)
}

function numberOf(match: RegExpExecArray, text: string, hasDecimalComma: boolean): NumberFigure | undefined {
  const { sign, money = '', digits } = match.groups as { sign?: string; money?: string; digits: string }
  const before = text.slice(Math.max(0, match.index - 24), match.index)
  const after = text.slice(match.index + match[0].length)
  const [scaleWord, scale] = scaleOf(money, after)
  const percent = PERCENT.exec(after)?.[0]
  const isPercent = percent !== undefined
  // A dash between two figures makes a range.
  const factor = (sign !== undefined && !/(?:[\p{N}%)]\s?|\p{L})$/u.test(before) ? -1 : 1) * scale
  const isOrdinal = /^(?:st|nd|rd|th)\b/.test(after) || before.endsWith('#') || FIRST.test(before)
  const year = isPercent || money !== '' || scale !== 1 ? false : isYearThere(digits, before, after)
  const unit =
    isPercent || year === true
      ? undefined
      : unitAt(before + money, after.slice(scaleWord.length, scaleWord.length + ROOM))
  const isComma = hasDecimalComma && (unit === undefined || !isGroupedOnly(unit))
  const readings = valuesOf(digits, isComma).map((one) => rounded(one, factor, before))
  if (readings.length === 0) return undefined
  return {
    kind: 'number',
    text: match[0].trim() + (isPercent ? '%' : ''),
    readings,
    isPercent,
    isOrdinal,
    at: match.index,
    ...given({ unit, isYear: year }),
    ...(percent !== undefined && /p(?:oin|unk)t|^\s?pp/iu.test(percent) ? { isPoints: true } : {}),
  }
}

function scaleOf(money: string, after: string): readonly [string, number] {
  for (const [pattern, scale] of SCALES) {
    const word = pattern.exec(after)?.[0]
    if (word !== undefined) return [word, scale]
  }
  return money !== '' && /^m\b/.test(after) ? ['m', 1e6] : ['', 1]
}

const TIME_BEFORE =
  /(?:(?<!\p{L})(?:in|im|en|since|seit|depuis|until|till|bis|during|after|before|year|jahr|early|late|mid|end of|from|and|or|to|through|between|by|fiscal|Q[1-4]|H[12])|[/–-])\s*$/iu
const AMOUNT_BEFORE =
  /(?<!\p{L})(?:is|are|was|were|has|have|had|be|total(?:s|l?ed)?|equals?|exactly|only|just|about|around|sold|shipped|placed|a total of|sind|waren|sont)\s*$/iu
function isYearThere(digits: string, before: string, after: string): boolean | undefined {
  if (!/^(?:1[5-9]|20|21)\d\d$/.test(digits)) return false
  if (AMOUNT_BEFORE.test(before)) return COUNTED.test(after) || !/year|jahr/i.test(before) ? false : undefined
  if (TIME_BEFORE.test(before)) return COUNTED.test(after) ? undefined : true
  return undefined
}

/** “1. First”, at the beginning of a line: a list begins with 1 and goes on by one, with something behind each number. */
export function listNumberOf(line: string, last: number): number | undefined {
  const number = Number(/^[ \t>*_-]*(\d{1,2})[.)][*_]*[ \t]+\S/.exec(line)?.[1])
  return number === 1 || number === last + 1 ? number : undefined
}
