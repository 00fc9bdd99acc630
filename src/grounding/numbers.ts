/** A value that a written number may mean, and the value of one in its last written place. */
export interface Reading {
  readonly value: number
  readonly unit: number
}

/** A number as it is written in a text. */
export interface WrittenNumber {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Possible values: `1.234` has two readings. */
  readonly readings: readonly Reading[]
  /** Further readings for values of sources alone: cells in thousands, millions or cents. */
  readonly scaled: readonly Reading[]
  /** Without leading zeros, and of whole numbers without trailing ones. */
  readonly significantDigits: number
  readonly hasDecimals: boolean
}

const DATE = '\\b\\d{4}-\\d\\d(?:-\\d\\d)?(?:[T ]\\d\\d:\\d\\d(?::\\d\\d)?(?:\\.\\d{1,6})?Z?)?(?!\\d)'
const DATES = new RegExp(DATE, 'g')

/**
 * Parts of a text whose numbers are not figures: code, addresses, marks, dates, times, phone numbers, list numbers,
 * versions.
 */
const NO_FIGURES = new RegExp(
  [
    '```[^]*?```',
    '`[^`\\n]*`',
    'https?:\\/\\/\\S+',
    '\\[[sr]?\\d[^\\]\\n]{0,40}\\](?!\\()',
    '\\p{L}{1,10}-\\d{1,10}(?:-\\d{1,10})+',
    // “ISO 14067”, “DIN 5008”, not “EUR 14067”.
    `\\b(?!(?:${Intl.supportedValuesOf('currency').join('|')}) )\\p{Lu}{2,5} \\d{3,6}\\b(?![.,]\\d| ?[%\\p{Sc}])`,
    DATE,
    '\\b\\d{1,2}[./]\\d{1,2}[./]\\d{4}\\b',
    // “am 12.5. geliefert”, “(4.11.)”, not the end of a sentence.
    '\\b[0-3]?\\d\\.[01]?\\d\\.(?= [\\p{Ll}–-]|[),;:–-])',
    '\\b\\d{1,2}:\\d\\d(?::\\d\\d)?\\b',
    '\\+\\d{1,3}[ (/-][\\d ()/-]{5,20}\\d',
    '^[ \\t>]*(?:#{1,6} )?\\d{1,3}[.)](?=\\s)',
  ].join('|'),
  'gmu',
)

/** Digits with separators between them; a space, only before three digits. “v.2” is an identifier, “Rs.2” an amount. */
const NUMBER =
  /(?<![\p{L}\d_])(?<!\p{L}[-/])(?<!(?<!\b(?:Rs|Fr|kr))(?<=\p{L})\.)\d+(?:(?:[.,'’]|[ \u00a0\u2009\u202f](?=\d{3}(?![\d.,'’]?\d)|\d{3}[ \u00a0\u2009\u202f.,]\d))\d+)*(?![\d_]|\p{L}\d)/gu

/** Factors of the preceding number. `m` may be metres, `t` tonnes, and a German “Billion” is larger. */
const MAGNITUDES: Readonly<Record<string, readonly number[]>> = {
  ...valuesOf([1e3], ['k', 'thousand', 'tsd', 'tausend', 'mille', 'mil']),
  ...valuesOf([1e5], ['lakh', 'lakhs', 'lac']),
  ...valuesOf([1e6], ['m', 'mn', 'mm', 'mio', 'million', 'millions', 'millionen', 'millones']),
  ...valuesOf([1e7], ['cr', 'crore', 'crores']),
  ...valuesOf([1e9], ['b', 'bn', 'mrd', 'md', 'milliard', 'milliarde', 'milliarden', 'milliards']),
  ...valuesOf([1e9, 1e12], ['billion', 'billions', 'billionen']),
  ...valuesOf([1e12], ['tn', 'trillion', 'trillions']),
  ...valuesOf([1e3, 1e12], ['t']),
}
const MAGNITUDE = /^[ \u00a0\u202f-]?(\p{L}{1,10})(?!\p{L})/u
const GROUPED = /^\d{1,3}(?:[.,](?:\d{3}|\d\d(?=[.,]\d)))+$/

function valuesOf(factors: readonly number[], words: readonly string[]) {
  return Object.fromEntries(words.map((word) => [word, factors]))
}

/** The figures of a text by users or models, without years. Linear in the length of the text. */
export function writtenNumbers(text: string): WrittenNumber[] {
  const masked = text.replace(NO_FIGURES, (part) => ' '.repeat(part.length))
  return Array.from(masked.matchAll(NUMBER), (match) => numberAt(masked, match)).filter((one) => one !== undefined)
}

/** All values that numbers of a source's text may mean, without the parts of dates. */
export function numberValues(text: string): number[] {
  return Array.from(text.replace(DATES, ' ').matchAll(NUMBER), ([digits]) => [
    ...readingsOf(digits),
    ...(digits.includes(',') ? digits.split(',').flatMap(readingsOf) : []),
    ...(/[ \u00a0\u2009\u202f]/.test(digits) ? digits.split(/\s/u).flatMap(readingsOf) : []),
  ])
    .flat()
    .map(({ value }) => value)
}

function numberAt(text: string, { 0: digits, index: start }: RegExpMatchArray): WrittenNumber | undefined {
  const at = start!
  // Years, and parts of identifiers such as “-0846”.
  if (/^(?:(?:19|20)\d\d|0\d+)$/.test(digits)) return undefined
  const plain = readingsOf(digits)
  if (plain.length === 0) return undefined
  const end = at + digits.length
  const [whole, word = ''] = MAGNITUDE.exec(text.slice(end, end + 14)) ?? []
  const factors = MAGNITUDES[word.toLowerCase()] ?? []
  const hasDecimals = plain.every(({ unit }) => unit < 1)
  const bare = plain[0]!.unit < 1 ? digits.replace(/\D/g, '') : String(plain[0]!.value).replace(/0+$/, '')
  return {
    start: at,
    end: factors.length === 0 ? end : end + whole!.length,
    text: text.slice(at, factors.length === 0 ? end : end + whole!.length),
    readings: [...factors.flatMap((factor) => plain.map((one) => times(one, factor))), ...plain],
    scaled: scaledOf(plain, factors),
    significantDigits: bare.replace(/^0+/, '').length,
    hasDecimals,
  }
}

function scaledOf(plain: readonly Reading[], factors: readonly number[]): readonly Reading[] {
  if (factors.length > 0) return plain.flatMap((one) => factors.map((factor) => times(one, factor / 1e3)))
  return plain.flatMap((one) => {
    // Cents, and grams behind kilograms, kilograms behind tonnes.
    const smaller = one.unit < 1 ? [times(one, 1e3), ...(one.unit <= 0.01 ? [times(one, 100)] : [])] : []
    const thousands = one.value >= 1e5 && one.unit >= 10 ? [times(one, 1e-3)] : smaller
    return one.unit >= 1e3 ? [times(one, 1e-3), times(one, 1e-6)] : thousands
  })
}

function times({ value, unit }: Reading, factor: number): Reading {
  return { value: value * factor, unit: unit * factor }
}

/** Possible values of digits with separators; none for a list such as `1,2,3`, or a version. */
function readingsOf(written: string): readonly Reading[] {
  const joined = written.replace(/['’\u00a0\u2009\u202f]/g, '')
  if (joined.includes(' ')) {
    // “12 345” is one number in French, and two in “Top 10 250 items”.
    return [...readingsOf(joined.replaceAll(' ', '')), ...joined.split(' ').flatMap(readingsOf)]
  }
  const separators = joined.replace(/\d/g, '')
  const last = separators.at(-1)
  if (last === undefined) return [wholeNumber(joined)]
  const at = joined.lastIndexOf(last)
  const isMixed = separators.includes(last === '.' ? ',' : '.')
  const [whole, decimals] = [joined.slice(0, at), joined.slice(at + 1)]
  if (isMixed) {
    const isDecimal = separators.indexOf(last) === separators.length - 1 && GROUPED.test(whole)
    return isDecimal ? [decimalNumber(whole, decimals)] : []
  }
  const grouped = GROUPED.test(joined) ? [wholeNumber(joined.replace(/\D/g, ''))] : []
  if (separators.length > 1) return grouped
  return whole === '0' ? [decimalNumber(whole, decimals)] : [...grouped, decimalNumber(whole, decimals)]
}

/** Zeros at the end may come from rounding. */
function wholeNumber(digits: string): Reading {
  const zeros = /(?<!0)0+$/.exec(digits.replace(/^0+/, ''))?.[0].length ?? 0
  return { value: Number(digits), unit: 10 ** zeros }
}

function decimalNumber(whole: string, decimals: string): Reading {
  return { value: Number(`${whole.replace(/\D/g, '')}.${decimals}`), unit: 10 ** -decimals.length }
}
