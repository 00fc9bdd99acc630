import type { Asked } from './questions.ts'
import { many, type Thing } from './naming.ts'
import { joined, type World } from './world.ts'

/** Questions of which a reader may drop a part: a lack, a second thing left out, a figure of what another ranks. */
export function readInPart(w: World): readonly Asked[] {
  const { domain, c } = w
  const { party, staff, item, kind, event, line, back } = domain
  const asked: Asked[] = []
  const ask = (question: string, sql?: string): void =>
    void asked.push(sql === undefined ? { question } : { question, sql })
  const from = (...things: Thing[]): string => joined(w, things)
  const count = (...things: Thing[]): string => `SELECT COUNT(*) ${from(...things)}`
  const x = (thing: Thing, column: string): string => `${thing}_.${c(thing, column)}`
  const unused = `${x('item', 'id')} NOT IN (SELECT ${x('line', `${item} id`)} ${from('line')})`
  ask(`how many countries have no ${many(party)}`)
  ask(`which countries do not have any ${many(event)}`)
  ask(`which channels never had ${many(event)}`)
  ask(`how many ${many(party)} without ${many(event)} and ${many(back)}`)
  ask(`how many ${many(staff)} without ${many(event)} and ${many(party)}`)
  ask(`how many ${many(item)} with a ${kind} and without ${many(line)}`, `${count('item')} WHERE ${unused}`)
  ask(
    `how many ${many(item)} with ${many(line)} and without ${many(back)}`,
    `${count('item')} WHERE NOT (${unused}) AND ${x('item', 'id')} NOT IN (SELECT ${x('line', `${item} id`)} ${from('line', 'back')})`,
  )
  ask(`total quantity of the cheapest ${item}`)
  ask(`number of ${many(event)} of the ${staff} with the highest salary`)
  ask(`average salary of the ${staff} with the most ${many(event)}`)
  ask(`which ${many(item)} were used together`)
  ask(`salary of the newest ${staff} in phone`)
  ask(
    `how many ${many(event)} were placed before 2025 by ${many(party)} from Norway`,
    `${count('event', 'party')} WHERE ${x('event', `${event} date`)} < '2025-01-01' AND ${x('party', 'country')} = 'Norway'`,
  )
  if (domain.sells) {
    ask(`revenue without cancelled ${many(event)} and ${many(back)}`)
    ask(`revenue without cancelled ${many(event)} and ${many(event)} from Norway`)
    ask(`revenue of the most expensive ${item}`)
    ask(`units sold of the cheapest ${item}`)
    ask(`which ${many(item)} were bought together`)
  }
  return asked
}
