/** A day, a month, a quarter's or half's months, or a time of day, as far as it was said. */
export interface PartialDate {
  readonly year?: number
  /** 1 to 12; a quarter has three. */
  readonly months?: readonly number[]
  readonly day?: number
  /** Minutes after midnight. */
  readonly minutes?: number
}

/** As answers name them: in English, German, French, Spanish, Italian, Portuguese and Dutch, whole and cut short. */
const NAMES = `
  january february march april may june july august september october november december
  jan feb mar apr may jun jul aug sep oct nov dec
  januar februar märz april mai juni juli august september oktober november dezember
  jan feb mär apr mai jun jul aug sep okt nov dez
  janvier février mars avril mai juin juillet août septembre octobre novembre décembre
  janv févr mars avr mai juin juil août sept oct nov déc
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
  ene feb mar abr may jun jul ago sept oct nov dic
  gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
  gen feb mar apr mag giu lug ago set ott nov dic
  janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
  jan fev mar abr mai jun jul ago set out nov dez
  januari februari maart april mei juni juli augustus september oktober november december
  jan feb mrt apr mei jun jul aug sep okt nov dec
`
const LINES = NAMES.trim()
  .split('\n')
  .map((line) => line.trim().split(' '))
const MONTHS = new Map(LINES.flatMap((names) => names.map((name, i): [string, number] => [name, i + 1]))).set('sept', 9)
const WHOLE = new Set(LINES.filter((_, i) => i % 2 === 0).flat())
const longestFirst = (names: readonly string[]): string => names.toSorted((a, b) => b.length - a.length).join('|')
const SHORT = longestFirst([...MONTHS.keys()].filter((name) => !WHOLE.has(name)))
/** The point behind a whole name ends a sentence. */
const MONTH = String.raw`(?:(?:${longestFirst([...WHOLE])})(?!\p{L})|(?!out of )(?:${SHORT})\.?(?!\p{L}))`
const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.)?`
const YEAR = String.raw`(?:1[5-9]|20|21)\d\d`
/** “1 to 31 July 2026”: the first day is read with the month of the second. */
const RANGE = String.raw`(?:${DAY}\s?(?:–|-|to|bis|au|al|and|und)\s?)?`

/** “We had 12. March was better”: with these names no day is written with a point. */
const SENTENCE_END = String.raw`\d{1,2}\.\s(?:January|February|March|May|June|July|October|December)(?!\p{L})`
/** “In March 12 orders came”: one says on a day, and in a month. */
const COUNT_IN_MONTH = String.raw`(?<!\p{L})(?:in|im|en|em) (?=${MONTH}\s${DAY}(?!\d|,?\s${YEAR}| ?(?:–|-|to |bis )))`

/** Where dates stand in a text, the longest forms first. */
export const DATES: readonly RegExp[] = [
  String.raw`(?<![\d-])\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\d-])`,
  String.raw`(?<![\p{L}\p{N}.,])(?!${SENTENCE_END})${RANGE}${DAY}\s?(?:of |de |d')?${MONTH},?(?:\s(?:de |del )?${YEAR}(?!\d))?`,
  String.raw`(?<![\p{L}\p{N}])(?<!${COUNT_IN_MONTH})${MONTH}\s${RANGE}${DAY}(?![\d%]|[.,]\d{3}(?!\d))(?:,?\s${YEAR}(?!\d))?`,
  String.raw`(?<![\p{L}\p{N}])${MONTH},?\s(?:de |del |of )?${YEAR}(?!\d)`,
  String.raw`(?<![\p{N}.,/])\d{1,2}([./])\d{1,2}\1(?:\d{4}|\d\d)(?![\d.,/]\d|\d)`,
  String.raw`(?<![\p{L}\p{N}])(?:Q[1-4]|H[12])(?:[ /-]?(?:of )?${YEAR}(?!\d))?(?![\p{L}\p{N}])|(?<![\d-])${YEAR}[ /-]?(?:Q[1-4]|H[12])(?![\p{L}\p{N}])`,
  String.raw`(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s?[ap]\.?m\b\.?)?(?![\d:])|(?<![\d:.,])(?:1[0-2]|0?[1-9])\s?[ap]\.?m\b\.?`,
].map((source) => new RegExp(source, 'giu'))

/** Months without a day or a year, with a capital as in a name; “set” and “out” are words. */
const BARE_MONTH = new RegExp(String.raw`(?<![\p{L}\p{N}])(?!(?:set|out|ago|mag|gen)(?!\p{L}))${MONTH}`, 'giu')

export function bareMonthsIn(text: string): { at: number; length: number; dates: PartialDate[] }[] {
  return [...text.matchAll(BARE_MONTH)].flatMap(({ 0: found, index: at }) =>
    /^\p{Lu}/u.test(found) ? [{ at, length: found.length, dates: [{ months: [MONTHS.get(bare(found))!] }] }] : [],
  )
}

/** The days that one of these says, each in all ways in which it can be read; none where there is no such day. */
export function datesIn(text: string): (readonly PartialDate[])[] {
  const [first, ...more] = readDates(text)
  if (first === undefined) return []
  const isNumeric = more.length > 0
  const { day, ...rest } = first
  const begun = isNumeric || day === undefined ? undefined : firstDayOf(text, day)
  return [...(begun === undefined ? [] : [[{ ...rest, day: begun }]]), [first, ...more]]
}

/** The other day of “1 to 31 July”. */
function firstDayOf(text: string, last: number): number | undefined {
  const days = [...text.replace(new RegExp(YEAR, 'u'), '').matchAll(/\d{1,2}/g)].map(([day]) => Number(day))
  return days.length === 2 && !/^\d{4}-|:/.test(text) && days[0] !== last ? days[0] : undefined
}

function readDates(text: string): PartialDate[] {
  const iso = /^(\d{4})-(\d\d)(?:-(\d\d))?(?:[T ](\d\d):(\d\d))?/.exec(text)
  if (iso !== null) {
    const [, year, month, day, hour, minute] = iso
    return [
      {
        year: Number(year),
        months: [Number(month)],
        ...(day === undefined ? {} : { day: Number(day) }),
        ...(hour === undefined ? {} : { minutes: Number(hour) * 60 + Number(minute) }),
      },
    ]
  }
  const quarter = /([QH])([1-4])/i.exec(text)
  const time = /^(\d{1,2})(?::(\d\d)(?::\d\d)?)?(?:\s?([ap]))?/i.exec(text)
  const numeric = /^(\d{1,2})([./])(\d{1,2})\2(\d{4}|\d\d)$/.exec(text)
  const year = new RegExp(YEAR, 'u').exec(text)?.[0]
  const dated = year === undefined ? {} : { year: Number(year) }
  if (numeric !== null) return numericDates(numeric)
  const name = new RegExp(String.raw`(?<![\p{L}])(${MONTH})`, 'iu').exec(text)?.[1]
  if (name !== undefined) {
    const months = [MONTHS.get(bare(name))!]
    const days = [...text.replace(year ?? /^$/, '').matchAll(/\d{1,2}/g)].map(([day]) => Number(day))
    return [{ ...dated, months, ...(days.length === 0 ? {} : { day: days.at(-1)! }) }]
  }
  if (quarter !== null) return [{ ...dated, months: monthsOfPart(quarter[1]!.toUpperCase(), Number(quarter[2])) }]
  return time === null ? [] : [{ minutes: minutesOf(Number(time[1]), Number(time[2] ?? 0), time[3]) }]
}

function numericDates([, first, , second, year]: RegExpExecArray): PartialDate[] {
  const [a, b] = [Number(first), Number(second)]
  const full = year!.length === 2 ? 2000 + Number(year) : Number(year)
  const read = (day: number, month: number): PartialDate[] =>
    day < 1 || day > 31 || month < 1 || month > 12 ? [] : [{ year: full, months: [month], day }]
  return [...read(a, b), ...(a === b ? [] : read(b, a))]
}

function monthsOfPart(unit: string, n: number): number[] {
  const length = unit === 'Q' ? 3 : 6
  return Array.from({ length }, (_, i) => (n - 1) * length + i + 1)
}

function minutesOf(hour: number, minute: number, half: string | undefined): number {
  const hours = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return hours * 60 + minute
}

function bare(month: string): string {
  return month.toLowerCase().replace(/\.$/, '')
}
