/** `from` to `to`, both included: what a value that is printed like this may have been before it was rounded. */
export interface Reading {
  readonly value: number
  readonly from: number
  readonly to: number
}

const APPROXIMATE =
  /(?:\b(?:about|around|roughly|approximately|approx\.?|some|circa|ca\.|rund|etwa|ungefähr|environ|alrededor de|unos|unas)|[~≈])\s*[^\s\d]{0,4}$/iu
const OVER = /\b(?:over|more than|at least|above|über|mehr als|plus de|más de)\s*[^\s\d]{0,4}$/iu
const UNDER =
  /\b(?:under|less than|almost|nearly|up to|below|close to|fast|knapp|unter|weniger als|près de|moins de|casi)\s*[^\s\d]{0,4}$/iu

/** No other value than this. */
export function exact(number: number): Reading {
  return { value: number, from: number, to: number }
}

/** As near as a word for it says; after “about”, “over” and the like further off. */
export function loosely(value: number, near: number, before: string): Reading {
  const [down, up] = OVER.test(before)
    ? [near, 6 * near]
    : UNDER.test(before)
      ? [6 * near, near]
      : APPROXIMATE.test(before)
        ? [3 * near, 3 * near]
        : [near, near]
  return { value, from: value - down, to: value + up }
}

interface Value {
  readonly value: number
  /** Size of the last place that was printed. */
  readonly place: number
  /** Size of the last place that is not zero. */
  readonly lastPlace: number
}

/** What digits with points, commas and apostrophes may be; none for what is no number, such as 1.2.3. */
export function valuesOf(digits: string, hasDecimalComma: boolean): Value[] {
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

/** Rounded at its last place; after “about”, “over” and the like at the last place that says something. */
export function rounded({ value: bare, place, lastPlace }: Value, factor: number, before: string): Reading {
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
