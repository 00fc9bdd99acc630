import type { Outcome } from '../../core/result.ts'
import { localeProfile } from '../../core/locale.ts'
import { exactNumber, type ExactNumber } from '../../core/exact-number.ts'
import { absolute, compare, exactDecimal, isWhole, rational, roundedTo, toNumber, type Rational } from './rational.ts'

/** What the rules found: a sentence, and the formula that anyone can check. */
export interface Finding {
  readonly answer: string
  /** As Python would take it. */
  readonly code: string
  readonly value?: number | string
  readonly table?: { readonly columns: readonly string[]; readonly rows: readonly Record<string, unknown>[] }
}

export function finding(answer: string, code: string, value: Rational): Finding {
  return { answer, code, value: plainValue(value) }
}

export type Show = (value: Rational) => string

const EXACT = rational(BigInt(Number.MAX_SAFE_INTEGER))

/** Writes a number as the asker's locale does; small ones with their leading digits, whole ones in full. */
export function shower(locale: string | undefined): Show {
  const { number } = localeProfile(locale)
  return (value) => {
    if (isWhole(value) && compare(absolute(value), EXACT) > 0) return value.top.toString()
    const plain = toNumber(value)
    return plain !== 0 && Math.abs(plain) < 0.001 ? String(Number(plain.toPrecision(4))) : number(roundedTo(value, 4))
  }
}

/** For programs. A fraction whose decimals do not end, such as a third, is the nearest double. */
export function plainValue(value: Rational): ExactNumber {
  const decimal = exactDecimal(value)
  return decimal === undefined ? toNumber(value) : exactNumber(decimal)
}

/** What the rules worked out, with the formula as its source. */
export function byRules({ answer, code, value, table }: Finding): Outcome {
  return {
    answer,
    ...(table === undefined ? {} : { tabular: { ...table, rowCount: table.rows.length } }),
    data: { code, value, by: 'rules' },
    sources: [{ kind: 'computation', name: 'Calculation', detail: code }],
    confidence: 0.95,
  }
}
