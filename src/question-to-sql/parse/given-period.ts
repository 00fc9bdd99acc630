import { given } from '../../core/given.ts'
import { lastDayOf, type Period } from '../../language/periods.ts'
import type { Condition, Reading } from '../reading.ts'

type DateCondition = Extract<Condition, { kind: 'date' }>

/**
 * Keeps to the days that whoever asks has found to be meant: in place of the one time that the question names, or for all of
 * it where it names none. Of several times the question knows best.
 */
export function keepTo(reading: Reading, { from, before }: Pick<Period, 'from' | 'before'>): void {
  const places = datesIn(reading.conditions)
  const range = rangeOf({ ...given({ from }), ...given({ before }) })
  const [only, ...others] = places
  if (only === undefined) return void reading.conditions.push({ kind: 'date', range })
  const { list, at, condition } = only
  if (others.length > 0 || (condition.range.from === from && condition.range.before === before)) return
  list[at] = { ...condition, range }
}

/** All times that conditions name, and where. */
export function datesIn(list: Condition[]): { list: Condition[]; at: number; condition: DateCondition }[] {
  return list.flatMap((condition, at) => {
    if (condition.kind === 'date') return [{ list, at, condition }]
    return 'conditions' in condition ? datesIn(condition.conditions) : []
  })
}

function rangeOf(days: Pick<Period, 'from' | 'before'>): Period {
  const last = lastDayOf(days)
  if (days.from === undefined) return { ...days, relation: 'until', text: `until ${last}` }
  if (last === undefined) return { ...days, relation: 'since', text: `since ${days.from}` }
  return { ...days, relation: 'between', text: days.from === last ? `on ${last}` : `from ${days.from} to ${last}` }
}
