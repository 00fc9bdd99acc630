import { many, type Thing } from './naming.ts'
import { readInPart } from './in-part.ts'
import { saidOfSubjects } from './subjects.ts'
import { superlatives } from './superlatives.ts'
import { joined, type World } from './world.ts'

/** A question and the SQL whose rows are its answer; without SQL, only a refusal is right. */
export interface Asked {
  readonly question: string
  readonly sql?: string
}

/** Everything that is asked of a world. */
export function questionsOf(w: World): readonly Asked[] {
  const { domain, t, c, is, has } = w
  const [party, staff, item, kind, event, line, back] = [
    domain.party,
    domain.staff,
    domain.item,
    domain.kind,
    domain.event,
    domain.line,
    domain.back,
  ]
  const asked: Asked[] = []
  const ask = (question: string, sql?: string): void =>
    void asked.push(sql === undefined ? { question } : { question, sql })
  const from = (...things: Thing[]): string => joined(w, things)
  const count = (...things: Thing[]): string => `SELECT COUNT(*) ${from(...things)}`
  const x = (thing: Thing, column: string): string => `${thing}_.${c(thing, column)}`
  const name = (thing: 'party' | 'staff' | 'item' | 'kind'): string => w.label(thing, `${thing}_`)
  const year = (column: string, y: number): string => `${column} >= '${y}-01-01' AND ${column} < '${y + 1}-01-01'`
  const top = (sql: string): string => `SELECT * FROM (${sql}) AS s WHERE n = (SELECT MAX(n) FROM (${sql}) AS m)`

  // Counts and flags: a flag belongs to its own noun alone.
  for (const thing of ['party', 'staff', 'item', 'kind', 'event', 'line', 'back'] as const)
    ask(`How many ${many(domain[thing])} are there?`, count(thing))
  for (const [thing, flag] of [
    ['party', 'active'],
    ['staff', 'active'],
    ['item', 'discontinued'],
    ['event', 'active'],
    ['kind', 'active'],
    ['item', 'active'],
    ['party', 'discontinued'],
  ] as const) {
    const nouns = many(domain[thing])
    const own = has(thing, flag)
    const test = (yes: boolean): [string] | [] => (own ? [`${count(thing)} WHERE ${is(thing, flag, yes)}`] : [])
    ask(`how many ${flag} ${nouns} are there`, ...test(true))
    ask(`how many ${nouns} are ${flag}`, ...test(true))
    ask(`how many ${nouns} are not ${flag}`, ...test(false))
    if (flag === 'active') ask(`how many inactive ${nouns} do we have`, ...test(false))
    ask(`how many ${nouns} that are not ${flag} are there`, ...test(false))
  }
  if (has('party', 'active')) {
    ask(
      `how many ${many(event)} of active ${many(party)} are there`,
      `${count('event', 'party')} WHERE ${is('party', 'active', true)}`,
    )
    ask(
      `how many ${many(event)} from inactive ${many(party)}`,
      `${count('event', 'party')} WHERE ${is('party', 'active', false)}`,
    )
    ask(
      `active ${many(party)} in Norway`,
      `SELECT ${name('party')} ${from('party')} WHERE ${is('party', 'active', true)} AND ${x('party', 'country')} = 'Norway'`,
    )
  }
  // Values, and what a negation belongs to.
  ask(`how many open ${many(event)} are there`, `${count('event')} WHERE ${x('event', 'status')} = 'open'`)
  ask(`how many ${many(event)} are cancelled`, `${count('event')} WHERE ${x('event', 'status')} = 'cancelled'`)
  ask(`how many ${many(event)} are not cancelled`, `${count('event')} WHERE ${x('event', 'status')} <> 'cancelled'`)
  ask(`how many ${many(event)} without cancelled ${many(event)}`)
  ask(`how many open ${many(party)} are there`)
  ask(`how many cancelled ${many(item)} are there`)
  ask(`how many ${many(party)} are in Peru`, `${count('party')} WHERE ${x('party', 'country')} = 'Peru'`)
  ask(`how many ${many(party)} are not in Peru`, `${count('party')} WHERE ${x('party', 'country')} <> 'Peru'`)
  ask(`how many ${many(staff)} are from Kenya`, `${count('staff')} WHERE ${x('staff', 'country')} = 'Kenya'`)
  ask(`how many ${many(party)} have no email`, `${count('party')} WHERE ${x('party', 'email')} IS NULL`)
  ask(`how many ${many(party)} have an email`, `${count('party')} WHERE ${x('party', 'email')} IS NOT NULL`)
  ask(`how many Alpine ${many(item)} are there`, `${count('item', 'kind')} WHERE ${x('kind', 'name')} = 'Alpine'`)
  ask(
    `how many ${many(party)} have no ${many(event)}`,
    `SELECT COUNT(*) ${from('party')} WHERE ${x('party', 'id')} NOT IN (SELECT ${x('event', `${party} id`)} ${from('event')})`,
  )
  ask(
    `how many ${many(party)} have no open ${many(event)}`,
    `SELECT COUNT(*) ${from('party')} WHERE ${x('party', 'id')} NOT IN (SELECT ${x('event', `${party} id`)} ${from('event')} WHERE ${x('event', 'status')} = 'open')`,
  )
  ask(
    `how many ${many(party)} have ${many(event)} that are not open`,
    `SELECT COUNT(*) ${from('party')} WHERE ${x('party', 'id')} IN (SELECT ${x('event', `${party} id`)} ${from('event')} WHERE ${x('event', 'status')} <> 'open')`,
  )
  // Relations by role, and by a verb that only says that two things belong together.
  const boss = w.staffName(2)
  const isBoss = (key: string): string =>
    `${key} IN (SELECT ${c('staff', 'id')} FROM ${t('staff')} AS staff_ WHERE ${name('staff')} = '${boss}')`
  // Without declared keys no name tells that a manager is one of the staff.
  const roles = (thing: 'party' | 'staff', key: string): [string] | [] =>
    w.style.declared && has(thing, key) ? [`${count(thing)} WHERE ${isBoss(x(thing, key))}`] : []
  ask(`how many ${many(party)} are managed by ${boss}`, ...roles('party', 'account manager id'))
  ask(`how many ${many(staff)} are managed by ${boss}`, ...roles('staff', 'manager id'))
  ask(`how many ${many(event)} are managed by ${boss}`)
  const ofPlace = (place: string): string => `${count('event', 'party')} WHERE ${x('party', 'country')} = '${place}'`
  ask(`how many ${many(event)} were placed by ${many(party)} from Norway`, ofPlace('Norway'))
  ask(`how many ${many(event)} did ${many(party)} from Kenya place`, ofPlace('Kenya'))
  for (const verb of ['supported', 'submitted', 'released', 'handled', 'published'])
    ask(`how many ${many(event)} were ${verb}`)
  // A word for a column that is also a value.
  const byPhone = `${count('event')} WHERE ${x('event', 'channel')} = 'phone'`
  ask(`how many ${many(event)} came by phone`, byPhone)
  ask(`how many ${many(event)} were placed by phone`, byPhone)
  ask(
    `what share of the ${many(event)} came by email`,
    `SELECT 100.0 * SUM(${x('event', 'channel')} = 'email') / COUNT(*) ${from('event')}`,
  )
  ask(`${many(event)} by phone`, `SELECT ${x('event', 'id')} ${from('event')} WHERE ${x('event', 'channel')} = 'phone'`)
  // Sums of some rows.
  if (has('event', 'fee')) {
    const sum = (where: string): string => `SELECT SUM(${x('event', 'fee')}) ${from('event', 'party')} WHERE ${where}`
    const isOpen = `${x('event', 'status')} = 'open'`
    ask(`total fee of all open ${many(event)}`, sum(isOpen))
    ask(`what is the total of the fees of all open ${many(event)}`, sum(isOpen))
    ask(`sum of fees of open ${many(event)} in 2024`, sum(`${isOpen} AND ${year(x('event', `${event} date`), 2024)}`))
    ask(`total fee of ${many(event)} placed by ${many(party)} from Norway`, sum(`${x('party', 'country')} = 'Norway'`))
    ask(
      `average fee of ${many(event)} that are not open`,
      `SELECT AVG(${x('event', 'fee')}) ${from('event')} WHERE ${x('event', 'status')} <> 'open'`,
    )
    ask(
      `total fee of ${domain.done} ${many(event)} in 2024`,
      sum(`${x('event', 'status')} = '${domain.done}' AND ${year(x('event', `${event} date`), 2024)}`),
    )
  }
  ask(
    `total salary of ${many(staff)} from Kenya`,
    `SELECT SUM(${x('staff', 'salary')}) ${from('staff')} WHERE ${x('staff', 'country')} = 'Kenya'`,
  )
  ask(`how much did we buy from Onyx in 2024`)
  ask(`how much did we spend in 2024`)
  // Times.
  ask(
    `how many ${many(event)} were there in 2024`,
    `${count('event')} WHERE ${year(x('event', `${event} date`), 2024)}`,
  )
  ask(`how many ${many(staff)} were hired in 2024`, `${count('staff')} WHERE ${year(x('staff', 'hire date'), 2024)}`)
  ask(`how many ${many(party)} joined in 2023`, `${count('party')} WHERE ${year(x('party', 'joined date'), 2023)}`)
  const done = has('event', `${domain.done} date`)
  const doneIn = (y: number): string => year(x('event', `${domain.done} date`), y)
  ask(
    `how many ${many(event)} that were not ${domain.done} in 2024 are there`,
    ...(done ? [`${count('event')} WHERE NOT (${doneIn(2024)}) OR ${x('event', `${domain.done} date`)} IS NULL`] : []),
  )
  ask(
    `how many ${many(event)} were ${domain.done} in 2024`,
    ...(done ? [`${count('event')} WHERE ${doneIn(2024)}`] : []),
  )
  ask(
    `how many ${many(event)} were ${domain.done} to Japan in 2024`,
    ...(done ? [`${count('event', 'party')} WHERE ${doneIn(2024)} AND ${x('party', 'country')} = 'Japan'`] : []),
  )
  ask(
    `how many ${many(event)} ${domain.done} in 2025 are open`,
    ...(done ? [`${count('event')} WHERE ${doneIn(2025)} AND ${x('event', 'status')} = 'open'`] : []),
  )
  ask(
    `how many ${many(event)} were not ${domain.done} in 2024`,
    ...(done ? [`${count('event')} WHERE NOT (${doneIn(2024)}) OR ${x('event', `${domain.done} date`)} IS NULL`] : []),
  )
  // Breakdowns and rankings.
  ask(`number of ${many(party)} per country`, `SELECT ${x('party', 'country')}, COUNT(*) ${from('party')} GROUP BY 1`)
  ask(`number of ${many(event)} by status`, `SELECT ${x('event', 'status')}, COUNT(*) ${from('event')} GROUP BY 1`)
  ask(
    `how many ${many(item)} are in each ${kind}`,
    `SELECT ${name('kind')}, COUNT(*) ${from('item', 'kind')} GROUP BY ${x('kind', 'id')}`,
  )
  ask(
    `number of ${many(event)} per ${party}`,
    `SELECT ${name('party')}, COUNT(*) ${from('event', 'party')} GROUP BY ${x('party', 'id')}`,
  )
  ask(
    `number of ${many(event)} per ${staff} in 2024`,
    `SELECT ${name('staff')}, COUNT(*) ${from('event', 'staff')} WHERE ${year(x('event', `${event} date`), 2024)} GROUP BY ${x('staff', 'id')}`,
  )
  const perParty = (where = ''): string =>
    `SELECT ${name('party')} AS l, COUNT(*) AS n ${from('event', 'party')} ${where} GROUP BY ${x('party', 'id')}`
  ask(`which ${party} has the most ${many(event)}`, top(perParty()))
  ask(`which ${party} has the most open ${many(event)}`, top(perParty(`WHERE ${x('event', 'status')} = 'open'`)))
  ask(
    `which ${party} has the most ${many(event)} in 2024`,
    top(perParty(`WHERE ${year(x('event', `${event} date`), 2024)}`)),
  )
  if (done)
    ask(`which ${party} has the most ${many(event)} ${domain.done} in 2024`, top(perParty(`WHERE ${doneIn(2024)}`)))
  ask(
    `which ${staff} has the highest salary`,
    `SELECT ${name('staff')} ${from('staff')} WHERE ${x('staff', 'salary')} = (SELECT MAX(${c('staff', 'salary')}) FROM ${t('staff')})`,
  )
  ask(`average salary of ${many(staff)}`, `SELECT AVG(${x('staff', 'salary')}) ${from('staff')}`)
  ask(
    `the cheapest ${item}`,
    `SELECT ${name('item')} ${from('item')} WHERE ${x('item', 'price')} = (SELECT MIN(${c('item', 'price')}) FROM ${t('item')})`,
  )
  ask(`how many ${many(item)} cost more than 15`, `${count('item')} WHERE ${x('item', 'price')} > 15`)
  ask(
    `${many(party)} with more than 3 ${many(event)}`,
    `SELECT ${name('party')} ${from('event', 'party')} GROUP BY ${x('party', 'id')} HAVING COUNT(*) > 3`,
  )
  ask(
    `${many(party)} with more than 1 open ${event}`,
    `SELECT ${name('party')} ${from('event', 'party')} WHERE ${x('event', 'status')} = 'open' GROUP BY ${x('party', 'id')} HAVING COUNT(*) > 1`,
  )
  // Two times, how often, and what is not done yet.
  const inYear = (y: number): string =>
    `${x('party', 'id')} IN (SELECT ${x('event', `${party} id`)} ${from('event')} WHERE ${year(x('event', `${event} date`), y)})`
  const parties = `SELECT COUNT(*) ${from('party')} WHERE`
  ask(
    `how many ${many(party)} have ${many(event)} in 2023 but not in 2024`,
    `${parties} ${inYear(2023)} AND NOT ${inYear(2024)}`,
  )
  ask(
    `how many ${many(party)} have ${many(event)} in both 2023 and 2025`,
    `${parties} ${inYear(2023)} AND ${inYear(2025)}`,
  )
  ask(
    `which ${party} has the second most ${many(event)}`,
    `SELECT l FROM (SELECT l, DENSE_RANK() OVER (ORDER BY n DESC) AS r FROM (${perParty()}) AS s) AS t WHERE r = 2`,
  )
  ask(
    `how many ${many(party)} have had ${many(event)} more than 3 times`,
    `SELECT COUNT(*) FROM (SELECT 1 ${from('event', 'party')} GROUP BY ${x('party', 'id')} HAVING COUNT(*) > 3) AS s`,
  )
  for (const pending of ['have not been', 'are not yet'])
    ask(
      `how many ${many(event)} ${pending} ${domain.done}`,
      ...(done ? [`${count('event')} WHERE ${x('event', `${domain.done} date`)} IS NULL`] : []),
    )
  ask(
    `salary by ${staff} country`,
    `SELECT ${x('staff', 'country')}, SUM(${x('staff', 'salary')}) ${from('staff')} GROUP BY 1`,
  )
  // Participles behind a counted noun change that count.
  const undone = back !== 'complaint' || domain.undone === 'damaged' ? domain.undone : domain.undone
  const wasBack = (thing: 'event' | 'line'): string =>
    `${x(thing, 'id')} IN (SELECT ${thing === 'line' ? x('back', `${line} id`) : x('line', `${event} id`)} ${thing === 'line' ? from('back') : from('back', 'line')})`
  const isVerb = domain.undone === `${back}ed`
  const orRefused = (sql: string): [string] | [] => (isVerb || domain.undone === 'claimed' ? [sql] : [])
  ask(`how many ${many(event)} were ${undone}`, ...orRefused(`${count('event')} WHERE ${wasBack('event')}`))
  ask(`which ${party} has the most ${many(event)} ${undone}`, ...orRefused(top(perParty(`WHERE ${wasBack('event')}`))))
  const perItem = (where: string): string =>
    `SELECT ${name('item')} AS l, COUNT(DISTINCT ${x('event', 'id')}) AS n ${from('line', 'item', 'event')} ${where} GROUP BY ${x('item', 'id')}`
  ask(`${item} with the most ${many(event)} ${undone}`, ...orRefused(top(perItem(`WHERE ${wasBack('line')}`))))
  ask(
    `how many units were ${undone}`,
    ...(has('back', 'quantity') && (isVerb || domain.undone === 'claimed')
      ? [`SELECT SUM(${x('back', 'quantity')}) ${from('back')}`]
      : []),
  )
  ask(
    `${item} with the most ${many(back)}`,
    top(`SELECT ${name('item')} AS l, COUNT(*) AS n ${from('back', 'line', 'item')} GROUP BY ${x('item', 'id')}`),
  )
  ask(`how many ${undone} ${many(event)} are there`, ...orRefused(`${count('event')} WHERE ${wasBack('event')}`))
  if (domain.sells) {
    const amount = `${x('line', 'quantity')} * ${x('line', 'unit price')}`
    const kept = `${x('event', 'status')} <> 'cancelled'`
    const money = (where: string): string =>
      `SELECT ROUND(SUM(${amount}), 2) ${from('line', 'event', 'item', 'party')} WHERE ${where}`
    ask('total revenue', money(kept))
    ask('revenue in 2024', money(`${kept} AND ${year(x('event', `${event} date`), 2024)}`))
    ask(`revenue without cancelled ${many(event)}`, money(kept))
    ask(
      `revenue without cancelled ${many(event)} in 2024`,
      money(`${kept} AND ${year(x('event', `${event} date`), 2024)}`),
    )
    ask(`revenue of cancelled ${many(event)}`, money(`${x('event', 'status')} = 'cancelled'`))
    ask(
      `revenue by ${party} country`,
      `SELECT ${x('party', 'country')}, SUM(${amount}) ${from('line', 'event', 'party')} WHERE ${kept} GROUP BY 1`,
    )
    ask('units sold', `SELECT SUM(${x('line', 'quantity')}) ${from('line', 'event')} WHERE ${kept}`)
    ask(
      `how many ${many(item)} were sold in 2024`,
      `SELECT SUM(${x('line', 'quantity')}) ${from('line', 'event')} WHERE ${kept} AND ${year(x('event', `${event} date`), 2024)}`,
    )
    const sold = (thing: 'kind' | 'staff' | 'item'): string =>
      `SELECT ${name(thing)} AS l, SUM(${x('line', 'quantity')}) AS n ${thing === 'staff' ? from('line', 'event', 'staff') : thing === 'item' ? from('line', 'event', 'item') : from('line', 'event', 'item', 'kind')} WHERE ${kept} GROUP BY ${x(thing, 'id')}`
    ask(`which ${kind} has the most ${many(item)} sold`, top(sold('kind')))
    ask(`which ${staff} has the most ${many(item)} sold`, top(sold('staff')))
    ask(`${item} with the most units sold`, top(sold('item')))
    ask(
      `how many ${many(party)} bought Onyx`,
      `SELECT COUNT(DISTINCT ${x('event', `${party} id`)}) ${from('line', 'event', 'item')} WHERE ${x('item', 'name')} = 'Onyx'`,
    )
    ask(
      `how many ${many(party)} never bought Onyx`,
      `SELECT COUNT(*) ${from('party')} WHERE ${x('party', 'id')} NOT IN (SELECT ${x('event', `${party} id`)} ${from('line', 'event', 'item')} WHERE ${x('item', 'name')} = 'Onyx')`,
    )
    ask(
      `revenue from Alpine ${many(item)}`,
      `SELECT SUM(${amount}) ${from('line', 'event', 'item', 'kind')} WHERE ${kept} AND ${x('kind', 'name')} = 'Alpine'`,
    )
  }
  asked.push(...superlatives(w), ...readInPart(w), ...saidOfSubjects(w))
  // Pronouns without anything that they stand for.
  ask(`how many ${many(event)} did they have`)
  ask(`how many of those are open`)
  ask(`how many ${many(event)} does she have`)
  ask(`how many of them are in Peru`)
  ask(`how many ${many(party)} are there and how many of them are in Peru`)
  return asked
}
