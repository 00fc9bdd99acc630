/** A number in a cell: a double if it represents this decimal number exactly, otherwise the decimal text. */
export type ExactNumber = number | string

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
/** A longer text is never exactly a double, unless it is padded with zeros. */
const MAX_CHARACTERS = 60

/**
 * Parses a decimal text. Integers beyond 2^53 stay texts, as do decimals that JavaScript would print with other digits.
 * A text that is no plain decimal is returned unchanged.
 */
export function exactNumber(text: string): ExactNumber {
  const value = Number(text)
  if (/[eE]/.test(text) || !isPrintedAs(value, text)) return text
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? text : value + 0
}

/** Whether a cell is a number: a finite double, or the decimal text of one. Text with leading zeros is a code. */
export function isExactNumber(cell: unknown): cell is ExactNumber {
  return typeof cell === 'string' ? DECIMAL.test(cell) : Number.isFinite(cell)
}

/** Every digit counts: `Intl` takes decimal text as well as doubles, which its type does not tell. */
export function formatNumber(format: Intl.NumberFormat, number: ExactNumber): string {
  return format.format(number as number)
}

/** Negative, zero or positive, as `sort` wants it. */
export function compareNumbers(a: ExactNumber, b: ExactNumber): number {
  const [one, other] = [scaled(a), scaled(b)]
  if (one === undefined || other === undefined) return Number(a) - Number(b)
  const difference = one.digits * 10n ** BigInt(other.scale) - other.digits * 10n ** BigInt(one.scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** `digits / 10^scale` as plain decimal text. */
export function decimalText(digits: bigint, scale: number): string {
  const sign = digits < 0n ? '-' : ''
  const padded = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const [whole, fraction] = [padded.slice(0, padded.length - scale), padded.slice(padded.length - scale)]
  const significantDigits = fraction.replace(/0+$/, '')
  return `${sign}${whole}${significantDigits === '' ? '' : `.${significantDigits}`}`
}

/** Decimals that are no noise at any size. Binary arithmetic adds more than these below 10^12. */
const PLAIN_DECIMALS = 4

/** A double without the digits that binary arithmetic added: 110.00000000000001 is 110. */
export function roundBinaryNoise(value: number): number {
  const decimals = String(value).split('.')[1]?.length ?? 0
  return decimals <= PLAIN_DECIMALS ? value : Number(value.toPrecision(15))
}

/** Strings and numbers of valid JSON. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g
/** Numbers with fewer characters are exact: a double carries any 15 significant digits, and exponents of two digits. */
const SUSPECT = /\d[\d.]{15}|\d[eE][+-]?\d{3}/

/**
 * `JSON.parse`, but numbers that a double cannot represent exactly become texts. On Node 20, `JSON.parse` itself gives
 * no access to the text of numbers.
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  const value = JSON.parse(text) as unknown
  const quoted = quoteInexactNumbers(text)
  return quoted === text ? value : JSON.parse(quoted)
}

/** Valid JSON, with numbers that a double cannot represent exactly as strings. */
export function quoteInexactNumbers(json: string): string {
  return SUSPECT.test(json) ? json.replace(TOKEN, (token) => (isLossless(token) ? token : `"${token}"`)) : json
}

function isLossless(token: string): boolean {
  return token.startsWith('"') || isPrintedAs(Number(token), token)
}

function isPrintedAs(value: number, text: string): boolean {
  const digits = digitsOf(text)
  return digits !== undefined && digits === digitsOf(String(value))
}

/** The significant digits and the exponent of a decimal text, in one form for equal numbers; undefined for other text. */
function digitsOf(text: string): string | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  const match = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const significant = `${whole}${fraction}`.replace(/^0+/, '')
  const significantDigits = significant.replace(/0+$/, '')
  if (significantDigits === '') return '0'
  return `${significantDigits}e${Number(exponent) - fraction.length + significant.length - significantDigits.length}${sign}`
}

function scaled(number: ExactNumber): { readonly digits: bigint; readonly scale: number } | undefined {
  const text = String(number)
  const [whole = '', fraction = ''] = text.split('.')
  return DECIMAL.test(text) ? { digits: BigInt(whole + fraction), scale: fraction.length } : undefined
}
