import type { Condition, Effects } from '../../../databases/gate/index.ts'
import type { KnownWords } from '../../../question-to-sql/parse/known-words.ts'
import { lastDayOf, type FoundPeriod } from '../../../language/periods.ts'
import { MAY_NEGATE, negationOf, takesOut } from './turned.ts'

/** Times that a query takes the other way round: from the end of a period on, up to its beginning, or what was denied of it. */
export function turnedTimes(
  known: KnownWords,
  periods: readonly FoundPeriod[],
  effects: Effects,
  today: string,
): string[] {
  const { text } = known
  const { conditions, subtracts } = effects
  return periods.flatMap((period) => {
    const negation = negationOf(period, text)
    if (negation !== undefined) {
      const isTurned = subtracts || takesOut(known, conditions) || !isKept(period, conditions)
      return isTurned ? [] : [text.slice(negation, period.end)]
    }
    const isRight = MAY_NEGATE.test(text) || (isKept(period, conditions) && isOfYear(period, conditions, today))
    return isRight ? [] : [period.text]
  })

  /** Whether no comparison with one of its ends takes the rows beyond it; two periods may meet there. */
  function isKept({ from, before, ...rest }: FoundPeriod, all: readonly Condition[]): boolean {
    const last = before === undefined ? undefined : lastDayOf({ ...rest, before })
    const isOnly = (day: string | undefined, beyond: RegExp): boolean => {
      const own = all.filter(({ values }) => values.some((value) => day !== undefined && String(value).startsWith(day)))
      const isEndOfOther = periods.some((other) => other.from === day || other.before === day)
      const isShared = periods.filter((other) => [other.from, other.before].includes(day)).length > 1
      return own.length > 0 && own.every(({ operator }) => beyond.test(operator)) && !(isEndOfOther && isShared)
    }
    return !isOnly(from, /^<=?$/) && !isOnly(before, /^>=?$/) && !isOnly(last, /^>=?$/)
  }
}

/** Of a year by its number: “since 2025” is no `year < 2025`, nor “in 2025” a `year >= 2025` alone. */
function isOfYear({ from, before }: FoundPeriod, conditions: readonly Condition[], today: string): boolean {
  const year = (from ?? before)!.slice(0, 4)
  const isFrom = before === undefined && from?.endsWith('-01-01') === true
  const isWhole = from?.endsWith('-01-01') === true && before === `${Number(year) + 1}-01-01`
  const own = conditions.filter(({ values }) => values.some((value) => String(value) === year))
  if (own.length === 0 || !(isFrom || isWhole)) return true
  const has = (sign: string): boolean => own.some(({ operator }) => operator.startsWith(sign))
  const isEqual = own.some(({ operator }) => operator === '=')
  if (isFrom) return has('>') || (isEqual && today.startsWith(year))
  return (
    isEqual || own.every(({ operator }) => operator === '<>') || conditions.some(({ operator }) => operator === '<')
  )
}
