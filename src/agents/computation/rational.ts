import { decimalText } from '../../shared/exact-number.ts'

/** An exact fraction in lowest terms; the denominator is positive. */
export interface Rational {
  readonly top: bigint
  readonly bottom: bigint
}

/** Larger results cost time and memory for digits of no use. */
const MAX_BITS = 20_000

/** Thrown if an expression has no result, or none of reasonable size; the message is for the user. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

export const ONE: Rational = { top: 1n, bottom: 1n }
export const HUNDRED: Rational = { top: 100n, bottom: 1n }

/** @throws NoAnswer for a denominator of zero, or when there are too many digits */
export function rational(top: bigint, bottom = 1n): Rational {
  if (bottom === 0n) throw new NoAnswer('That divides by zero.')
  const divisor = gcd(top < 0n ? -top : top, bottom < 0n ? -bottom : bottom) * (bottom < 0n ? -1n : 1n)
  const result = { top: top / divisor, bottom: bottom / divisor }
  if (bits(result.top) + bits(result.bottom) > MAX_BITS) throw new NoAnswer('The result has too many digits.')
  return result
}

/** Parses a plain decimal such as `12`, `-0.5` or `1.5e3`, exactly; undefined for other texts. */
export function parseDecimal(text: string): Rational | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(text.trim())
  if (match === null) return undefined
  const [, sign, whole = '', part = '', exponent = '0'] = match
  if (whole === '' && part === '') return undefined
  const shift = Number(exponent) - part.length
  const digits = BigInt(`${sign}${whole}${part}`)
  return shift >= 0 ? rational(digits * 10n ** BigInt(shift)) : rational(digits, 10n ** BigInt(-shift))
}

export const add = (a: Rational, b: Rational): Rational =>
  rational(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)
export const negate = (a: Rational): Rational => ({ top: -a.top, bottom: a.bottom })
export const subtract = (a: Rational, b: Rational): Rational => add(a, negate(b))
export const multiply = (a: Rational, b: Rational): Rational => rational(a.top * b.top, a.bottom * b.bottom)
export const divide = (a: Rational, b: Rational): Rational => rational(a.top * b.bottom, a.bottom * b.top)
export const isWhole = (a: Rational): boolean => a.bottom === 1n

/** Exact for whole exponents, else to the precision of a double. */
export function power(base: Rational, exponent: Rational): Rational {
  if (!isWhole(exponent)) return fromNumber(toNumber(base) ** toNumber(exponent))
  const times = exponent.top < 0n ? -exponent.top : exponent.top
  if (BigInt(bits(base.top) + bits(base.bottom)) * times > BigInt(MAX_BITS)) {
    throw new NoAnswer('The result has too many digits.')
  }
  const raised = rational(base.top ** times, base.bottom ** times)
  return exponent.top < 0n ? divide(ONE, raised) : raised
}

/** Exact for squares of fractions, else to the precision of a double. */
export function squareRoot(a: Rational): Rational {
  if (a.top < 0n) throw new NoAnswer('A negative number has no square root.')
  const [top, bottom] = [wholeRoot(a.top), wholeRoot(a.bottom)]
  return top * top === a.top && bottom * bottom === a.bottom
    ? rational(top, bottom)
    : fromNumber(Math.sqrt(toNumber(a)))
}

/** @throws NoAnswer when it is not finite */
export function fromNumber(value: number): Rational {
  const exact = Number.isFinite(value) ? parseDecimal(String(value)) : undefined
  if (exact === undefined) throw new NoAnswer('That has no real, finite result.')
  return exact
}

/** Plain decimal text with so many decimals at most; halves are rounded away from zero. */
export function roundedTo({ top, bottom }: Rational, decimals: number): string {
  const doubled = (top < 0n ? -top : top) * 10n ** BigInt(decimals) * 2n + bottom
  const digits = doubled / (2n * bottom)
  return decimalText(top < 0n ? -digits : digits, decimals)
}

const MAX_DECIMALS = 30

/** Plain decimal text; undefined for fractions with infinite decimals, or more than 30. */
export function exactDecimal(value: Rational): string | undefined {
  return 10n ** BigInt(MAX_DECIMALS) % value.bottom === 0n ? roundedTo(value, MAX_DECIMALS) : undefined
}

export function toNumber({ top, bottom }: Rational): number {
  const [a, b] = [Number(top), Number(bottom)]
  if (Number.isFinite(a) && Number.isFinite(b)) return a / b
  // Both are beyond a double: keep the leading digits of each.
  const drop = BigInt(Math.max(0, Math.min(bits(top), bits(bottom)) - 1000))
  return Number(top >> drop) / Number(bottom >> drop)
}

function bits(value: bigint): number {
  return value.toString(16).length * 4
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

/** Newton's method, rounded down. */
function wholeRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt(Math.ceil(bits(value) / 2) + 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
