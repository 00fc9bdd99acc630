import type { Asked } from './questions.ts'
import { many, type Thing } from './naming.ts'
import { joined, type World } from './world.ts'

/** The most and the least of what is counted or added up, of all times and of a year; who has none has zero. */
export function superlatives(w: World): readonly Asked[] {
  const { domain, c } = w
  const { party, staff, item, kind, event } = domain
  const x = (thing: Thing, column: string): string => `${thing}_.${c(thing, column)}`
  const kept = domain.sells ? [`${x('event', 'status')} <> 'cancelled'`] : []
  const units = `SUM(${x('line', 'quantity')})`
  const asked: Asked[] = []
  for (const year of [undefined, 2024]) {
    const period = year === undefined ? '' : ` in ${year}`
    const date = x('event', `${event} date`)
    const dated = year === undefined ? [] : [`${date} >= '${year}-01-01' AND ${date} < '${year + 1}-01-01'`]
    const ends = (
      of: 'party' | 'staff' | 'item' | 'kind',
      figure: string,
      where: readonly string[],
      via: Thing[],
      own = joined(w, [of]),
    ) => {
      const conditions = [...dated, ...where]
      const rows = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
      const totals = `SELECT ${x(of, 'id')} AS id, ${figure} AS n ${joined(w, via)} ${rows} GROUP BY 1`
      const ranked = `SELECT ${w.label(of, `${of}_`)} AS l, COALESCE(n, 0) AS n ${own.replace(/ WHERE |$/, ` LEFT JOIN (${totals}) AS s ON s.id = ${x(of, 'id')}$&`)}`
      return (end: 'MAX' | 'MIN'): string =>
        `SELECT l, n FROM (${ranked}) AS a WHERE n = (SELECT ${end}(n) FROM (${ranked}) AS m)`
    }
    const ask = (of: string, [most, least]: readonly [string, string], sql: (end: 'MAX' | 'MIN') => string): void =>
      void asked.push(
        { question: `which ${of} ${most}${period}`, sql: sql('MAX') },
        { question: `which ${of} ${least}${period}`, sql: sql('MIN') },
      )
    const counts = [`has the most ${many(event)}`, `has the fewest ${many(event)}`] as const
    ask(party, counts, ends('party', 'COUNT(*)', [], ['event', 'party']))
    ask(staff, counts, ends('staff', 'COUNT(*)', [], ['event', 'staff']))
    if (!domain.sells) continue
    const revenue = `ROUND(SUM(${x('line', 'quantity')} * ${x('line', 'unit price')}), 2)`
    for (const [of, noun, via] of [
      ['party', party, ['line', 'event', 'party']],
      ['item', item, ['line', 'event', 'item']],
      ['kind', kind, ['line', 'event', 'item', 'kind']],
    ] as const) {
      ask(noun, ['had the highest revenue', 'had the lowest revenue'], ends(of, revenue, kept, [...via]))
      ask(noun, ['has the most units sold', 'has the fewest units sold'], ends(of, units, kept, [...via]))
    }
    const alpine = `${joined(w, ['item', 'kind'])} WHERE ${x('kind', 'name')} = 'Alpine'`
    const ofAlpine = ends('item', units, kept, ['line', 'event', 'item'], alpine)
    ask(`Alpine ${item}`, ['has the most units sold', 'has the fewest units sold'], ofAlpine)
    ask(item, ['sold the most units', 'sold the fewest units'], ends('item', units, kept, ['line', 'event', 'item']))
  }
  return asked
}
