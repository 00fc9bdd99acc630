import { NUMBER_WORDS, spelledNumbers } from '../numbers.ts'
import { DATES, datesIn, type PartialDate } from './dates.ts'
import { COUNTED, isGroupedOnly, RATIO, THINGS, unitAt, type Unit } from './units.ts'

/** A number as it is printed, with all that it may mean. */
export interface NumberFigure {
  readonly kind: 'number'
  readonly text: string
  /** What it may stand for, depending on where points and commas are written. */
  readonly readings: readonly Reading[]
  readonly isPercent: boolean
  /** A place in an order, or so many from its beginning: “3rd”, “the top three”. */
  readonly isOrdinal: boolean
  /** What it counts; absent where that is left open. */
  readonly unit?: Unit
  /** Where it stands in the text as `readable` gives it. */
  readonly at: number
  /** Whether the words around it make a number such as 2025 a year, or an amount; absent where they leave it open. */
  readonly isYear?: boolean
}

/** `from` to `to`, both included: what a value that is printed like this may have been before it was rounded. */
export interface Reading {
  readonly value: number
  readonly from: number
  readonly to: number
}

export interface DateFigure {
  readonly kind: 'date'
  readonly text: string
  /** More than one where day and month may be meant in either order. */
  readonly dates: readonly PartialDate[]
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
const APPROXIMATE =
  /(?:\b(?:about|around|roughly|approximately|approx\.?|some|circa|ca\.|rund|etwa|ungefähr|environ|alrededor de|unos|unas)|[~≈])\s*[^\s\d]{0,4}$/iu
const OVER = /\b(?:over|more than|at least|above|über|mehr als|plus de|más de)\s*[^\s\d]{0,4}$/iu
const UNDER =
  /\b(?:under|less than|almost|nearly|up to|below|close to|fast|knapp|unter|weniger als|près de|moins de|casi)\s*[^\s\d]{0,4}$/iu

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
  String.raw`(?<![\p{L}\p{N}-])(?:(?<many>an?|${NUMBER_WORDS.slice(1, 10).join('|')})[ -])?(?<part>halves|half|(?:${PARTS.slice(1).join('|')})s?)(?=(?:[ -]of)? (?:the|all|our|its|their|them|these|those|it|every|\p{L}+s)(?!\p{L})| of (?!\d))`,
  'giu',
)

/** “Two thirds of the orders”, as a share; “the third of May” is none, nor is a quarter of a year. */
function partOf(found: string, { many = 'a', part = '' }: Parts, before: string, at: number): NumberFigure | undefined {
  const parts = PARTS.findIndex((word) => part.toLowerCase().startsWith(word.slice(0, 3))) + 2
  if (parts > 2 && !/^(?:an?|\w+)[ -]/i.test(found)) return undefined
  const count = /^an?$/i.test(many) ? 1 : NUMBER_WORDS.indexOf(many.toLowerCase())
  if (count > parts) return undefined
  const value = (100 * count) / parts
  return { kind: 'number', text: found, readings: [loosely(value, 1, before)], isPercent: true, isOrdinal: false, at }
}

/** As near as a word for it says; after “about”, “over” and the like further off. */
function loosely(value: number, near: number, before: string): Reading {
  const [down, up] = OVER.test(before)
    ? [near, 6 * near]
    : UNDER.test(before)
      ? [6 * near, near]
      : APPROXIMATE.test(before)
        ? [3 * near, 3 * near]
        : [near, near]
  return { value, from: value - down, to: value + up }
}

/** “Twice as much”, “doubled”: how often. */
const MULTIPLES: readonly (readonly [RegExp, number])[] = [
  [/(?<!\p{L})(?:twice (?:as|the|what)|doubled|double (?:the|that|what)|verdoppelt|doppelt so)(?!\p{L})/giu, 2],
  [/(?<!\p{L})(?:thrice|tripled|triple (?:the|that|what)|trebled|verdreifacht|dreimal so)(?!\p{L})/giu, 3],
  [/(?<!\p{L})(?:quadrupled|vervierfacht)(?!\p{L})/giu, 4],
  [/(?<!\p{L})(?:halved|half as (?=much|many|high|large|big|long)|halbiert)/giu, 0.5],
]

type Parts = Readonly<Record<string, string | undefined>>

/** A text with plain digits and without the marks [n] of its sources. */
export function readable(text: string): string {
  return plainDigits(text).replace(/\[\d+(?:\s*,\s*\d+)*\]/g, ' ')
}

/**
 * The numbers, dates and names of a text, each once where it stands: what is part of a date, a name or an address is not read
 * as a number, too. Marks [n] of sources are none.
 */
export function figuresIn(original: string, { decimalComma, listNumber = 0 }: ReadOptions = {}): Figure[] {
  let text = readable(original)
  const figures: Figure[] = []
  /** What was read is blanked, so that no part of it is read again. */
  const take = (pattern: RegExp, read: (found: string) => readonly Figure[] | undefined): void => {
    text = text.replace(pattern, (found: string) => {
      const taken = read(found)
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
    take(pattern, (found) => {
      const dates = datesIn(found)
      if (dates.length === 0) return undefined
      return dates.map((readings): Figure => ({ kind: 'date', text: found.trim().replace(/\.$/, ''), dates: readings }))
    })
  }
  take(CODE, (code) => ((code.match(/\d/g) ?? []).length < 2 ? [] : [{ kind: 'name', text: code }]))
  take(ODD, (odd) => [{ kind: 'name', text: odd, isLiteral: true }])
  const blank = (found: string, at: number): void => {
    text = text.slice(0, at) + ' '.repeat(found.length) + text.slice(at + found.length)
  }
  for (const [words, times] of MULTIPLES) {
    for (const { 0: found, index } of text.matchAll(words)) {
      const readings = [loosely(times, times / 20, text.slice(Math.max(0, index - 24), index))]
      figures.push({
        kind: 'number',
        text: found,
        readings,
        isPercent: false,
        isOrdinal: false,
        unit: RATIO,
        at: index,
      })
      blank(found, index)
    }
  }
  for (const { 0: found, index, groups } of text.matchAll(PART_WORDS)) {
    const figure = partOf(found, groups!, text.slice(Math.max(0, index - 24), index), index)
    if (figure === undefined) continue
    figures.push(figure)
    blank(found, index)
  }
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
    const isPronoun = unit === undefined || unit === THINGS || words !== 'one' || /^ day,/.test(after)
    if (value === 1 && isPronoun) continue
    figures.push({
      kind: 'number',
      text: words,
      readings: [exact(value)],
      isPercent: PERCENT.test(after),
      isOrdinal: FIRST.test(before),
      at: start,
      ...(unit === undefined ? {} : { unit }),
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
  const isPercent = PERCENT.test(after)
  // A dash between two figures makes a range.
  const factor = (sign !== undefined && !/(?:[\p{N}%)]\s?|\p{L})$/u.test(before) ? -1 : 1) * scale
  const isOrdinal = /^(?:st|nd|rd|th)\b/.test(after) || FIRST.test(before)
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
    ...(unit === undefined ? {} : { unit }),
    ...(year === undefined ? {} : { isYear: year }),
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

interface Value {
  readonly value: number
  /** Size of the last place that was printed. */
  readonly place: number
  /** Size of the last place that is not zero. */
  readonly lastPlace: number
}

/** What digits with points, commas and apostrophes may be; none for what is no number, such as 1.2.3. */
function valuesOf(digits: string, hasDecimalComma: boolean): Value[] {
  const separators = digits.replace(/\d/g, '')
  const last = separators.at(-1)
  if (last === undefined) return [value(digits, '')]
  const [whole, end] = [digits.slice(0, digits.lastIndexOf(last)), digits.slice(digits.lastIndexOf(last) + 1)]
  const isGrouped = /^[1-9]\d{0,2}(?:[.,'’]\d{2,3})*[.,'’]\d{3}$/.test(digits) && new Set(separators).size === 1
  if (separators.length > 1) {
    if (isGrouped) return [value(digits.replace(/\D/g, ''), '')]
    return separators.indexOf(last) === separators.length - 1 ? [value(whole.replace(/\D/g, ''), end)] : []
  }
  const [grouped, decimal] = [value(whole + end, ''), value(whole, end)]
  if (!isGrouped) return /['’]/.test(last) ? [] : [decimal]
  if (last === ',') return hasDecimalComma ? [grouped, decimal] : [grouped]
  return last === '.' ? [decimal, grouped] : [grouped]
}

function value(whole: string, decimals: string): Value {
  const place = 10 ** -decimals.length
  const zeros = decimals === '' ? /(?<!0)0*$/.exec(whole)![0].length : 0
  return { value: Number(`${whole}.${decimals || '0'}`), place, lastPlace: place * 10 ** zeros }
}

function exact(number: number): Reading {
  return { value: number, from: number, to: number }
}

/** Rounded at its last place; after “about”, “over” and the like at the last place that says something. */
function rounded({ value: bare, place, lastPlace }: Value, factor: number, before: string): Reading {
  const number = bare * factor
  const size = Math.abs(factor)
  // Zero is nothing less than zero.
  const half = number === 0 ? 0 : (place * size) / 2
  const wide = Math.max(half, Math.min((lastPlace * size) / 2, Math.abs(number) / 10))
  if (number > 0 && OVER.test(before))
    return { value: number, from: number - half, to: number + Math.max(half, lastPlace * size) }
  if (number > 0 && UNDER.test(before)) return { value: number, from: number - wide, to: number + half }
  const by = APPROXIMATE.test(before) ? wide : half
  return { value: number, from: number - by, to: number + by }
}

/** Digits of all scripts as ours, groups of three that are set off by spaces put together. */
export function plainDigits(text: string): string {
  return text
    .replace(/[٫]/g, '.')
    .replace(/[٬]/g, ',')
    .replace(/(?<=\d)[\u00A0\u202F\u2009\u2007](?=\d{3}(?!\d))/g, '')
    .replace(/(?<![\d.,:/-])\d{1,3}(?: \d{3}){1,6}(?![\d:/-])/g, (group) => group.replaceAll(' ', ''))
    .replace(/[^\p{ASCII}]/gu, (char) =>
      /\p{Nd}/u.test(char) ? digitOf(char) : /[０-９½¼¾％]/u.test(char) ? char.normalize('NFKC') : char,
    )
}

/** Digits stand together in their order, from a code point that ends in 0 or 6. */
function digitOf(char: string): string {
  const code = char.normalize('NFKC').codePointAt(0)!
  if (code < 128) return String.fromCodePoint(code)
  const place = code % 16
  const isFromZero = /\p{Nd}/u.test(String.fromCodePoint(code - place))
  return String(isFromZero ? place : place - 6)
}
