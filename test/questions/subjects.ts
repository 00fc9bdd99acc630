import { many, type Thing } from './naming.ts'
import type { Asked } from './questions.ts'
import { joined, type World } from './world.ts'

/** What is said behind other nouns, and is said of what is asked for. */
export function saidOfSubjects(w: World): readonly Asked[] {
  const { domain, t, c, is, has } = w
  const { party, staff, event } = domain
  const asked: Asked[] = []
  const ask = (question: string, sql: string): void => void asked.push({ question, sql })
  const count = (...things: Thing[]): string => `SELECT COUNT(*) ${joined(w, things)}`
  const x = (thing: Thing, column: string): string => `${thing}_.${c(thing, column)}`
  // A main verb says it of what is asked for, whatever was spoken of in between.
  const lacks = (key: string, of: 'event' | 'staff'): string =>
    `${x(of === 'event' ? 'party' : 'staff', 'id')} NOT IN (SELECT ${key} FROM ${t(of)} WHERE ${key} IS NOT NULL)`
  for (const yes of [true, false]) {
    const said = yes ? 'active' : 'not active'
    if (has('party', 'active'))
      ask(
        `how many ${many(party)} without ${many(event)} are ${said}`,
        `${count('party')} WHERE ${lacks(c('event', `${party} id`), 'event')} AND ${is('party', 'active', yes)}`,
      )
    if (has('staff', 'active') && has('staff', 'manager id') && w.style.declared)
      ask(
        `how many ${many(staff)} without a manager are ${said}`,
        `${count('staff')} WHERE ${x('staff', 'manager id')} IS NULL AND ${is('staff', 'active', yes)}`,
      )
    if (has('party', 'active'))
      ask(
        `how many ${many(event)} of ${said === 'active' ? `active ${many(party)}` : `${many(party)} who are not active`} are open`,
        `${count('event', 'party')} WHERE ${is('party', 'active', yes)} AND ${x('event', 'status')} = 'open'`,
      )
  }
  if (has('party', 'active'))
    ask(
      `how many active ${many(party)} joined in 2024`,
      `${count('party')} WHERE ${is('party', 'active', true)} AND ${x('party', 'joined date')} LIKE '2024%'`,
    )
  ask(
    `how many ${many(event)} are neither open nor cancelled`,
    `${count('event')} WHERE ${x('event', 'status')} NOT IN ('open', 'cancelled')`,
  )
  return asked
}
