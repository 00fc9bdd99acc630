import { tableFromArrays, type Table } from '../../core/table.ts'
import { capital, numbers, say, type Dice, type World } from './worlds.fixture.ts'

const STATES = (
  'open closed tickets,resolved unresolved tickets,active inactive customers,paid unpaid invoices,shipped cancelled orders,' +
  'pending completed orders,approved rejected requests,won lost deals,public private projects,enabled disabled accounts,' +
  'online offline devices,available unavailable bikes,new old bikes,current former employees,male female employees,' +
  'internal external projects,domestic international flights,valid expired contracts,read unread messages,' +
  'accepted declined offers,early late deliveries,successful failed jobs,solved unsolved cases,cheap expensive bikes'
)
  .split(',')
  .map((line) => line.split(' ') as [string, string, string])
const PLACES = 'Lisbon,Oslo,Graz,Leeds,Porto,Turin,Lyon,Bremen,Norway,Portugal,Canyon,Shimano'.split(',')

/** One figure, or one for each of some kinds, which are no places, states or periods. */
function counted({ of, from }: Dice, things: string): { readonly table: Table; readonly figure: number } {
  const figure = from(12, 900)
  const [one, two] = [figure, figure + 7]
  return {
    figure,
    table: of([
      tableFromArrays([of([things, 'count'])], [[figure]]),
      tableFromArrays(
        ['segment', things],
        [
          ['retail', one],
          ['trade', two],
        ],
      ),
    ]),
  }
}

/** What was asked of one state and not of its opposite. */
export function stateWorld(draw: Dice): World {
  const { of } = draw
  const [first, second, things] = of(STATES)
  const [state, other] = of([
    [first, second],
    [second, first],
  ] as const)
  const { table, figure } = counted(draw, things)
  const said = of<(state: string) => string>([
    (one) => `There are ${figure} ${one} ${things}.`,
    (one) => `${figure} ${things} are ${one}.`,
    (one) => `${figure} ${things} are currently ${one}.`,
    (one) => `The number of ${one} ${things} is ${figure}.`,
    (one) => `${capital(one)} ${things}: ${figure}`,
    (one) => `${figure} of the ${things} are ${one}.`,
    (one) => `We found ${figure} ${things} that are ${one}.`,
    (one) => `${figure} ${things} have the status ${one}.`,
    (one) => `${figure} ${things} are marked as “${one}”.`,
    (one) => `Among the ${one} ${things} there are ${figure}.`,
    (one) => `So ${figure} ${things} were ${one}.`,
    (one) => `The ${one} ${things} number ${figure}.`,
    (one) => `**${figure}** ${things} (status: ${one})`,
    (one) => `All of these ${things} are ${one}.`,
  ])
  return {
    table,
    texts: of([[state], [`${things} with ${state}`], []]),
    question: of([
      `How many ${things} are ${state}?`,
      `How many ${state} ${things} are there?`,
      `Count the ${state} ${things} by segment.`,
    ]),
    claims: {
      state: {
        right: of([
          said(state),
          `There are ${figure} ${state} ${things}; ${other} ones are not counted.`,
          `This excludes ${other} ${things}.`,
          `${figure} ${things} are ${state}, not ${other}.`,
          `Nothing was found of ${other} ${things}.`,
        ]),
        wrong: { opposite: said(other) },
      },
    },
  }
}

/** What was asked of one period, or of what lies before or after it. */
export function timeWorld(draw: Dice): World {
  const { of, from } = draw
  const { table, figure } = counted(draw, 'orders')
  const month = from(2, 10)
  const [name] = of(
    'January,February,March,April,May,June,July,August,September,October'.split(',').map((one) => [one]),
  )
  const [span, literals] = of([
    [`${name} 2025`, []],
    [`${name} 2025`, [`2025-0${month - 1}-01`]],
    ['2024', []],
    ['2024', ['2024-01-01', '2024-12-31']],
    ['Q2 2025', []],
    ['Q2 2025', ['2025-04-01', '2025-06-30']],
    ['5 May 2025', ['2025-05-05']],
  ] as const)
  const isDay = /^\d /.test(span)
  const relations = {
    in: isDay ? ['on'] : ['in', 'during', 'throughout'],
    low: ['before', 'until', 'by', 'up to', 'prior to'],
    high: ['since', 'after', 'from'],
  }
  const side = of(['in', 'low', 'high'] as const)
  const other = of((['in', 'low', 'high'] as const).filter((one) => one !== side))
  const from_ = (text: string, relation: string): string =>
    relation === 'from' ? text.replace(span, `${span} on`) : text
  const said = of<(relation: string) => string>([
    (relation) => `There were ${figure} orders ${relation} ${span}.`,
    (relation) => `${figure} orders were placed ${relation} ${span}.`,
    (relation) => `${capital(relation)} ${span}, there were ${figure} orders.`,
    (relation) => `Orders ${relation} ${span}: ${figure}`,
    (relation) => `The number of orders ${relation} ${span} was ${figure}.`,
    (relation) => `All orders ${relation} ${span} are counted here.`,
    (relation) => `${figure} orders came in ${relation} ${span}.`,
    (relation) => `**${figure}** orders (${relation} ${span})`,
  ])
  // The same words mean the same; of one side, “until” and “before” may.
  const [asked, lie] = [of(relations[side]), of(relations[other])]
  return {
    table,
    texts: [...literals],
    question: from_(`How many orders were there ${asked} ${span}?`, asked),
    claims: {
      period: {
        right: of([
          from_(said(asked), asked),
          `${figure} orders were found for the period that was asked.`,
          `This does not include orders ${of(relations[other])} ${span}.`,
        ]),
        wrong: { relation: from_(said(lie), lie) },
      },
    },
  }
}

/** What was asked of one place or name. */
export function placeWorld(draw: Dice): World {
  const { of, some } = draw
  const [place, other] = some(PLACES, 2) as [string, string]
  const { table, figure } = counted(draw, 'customers')
  const said = of<(name: string) => string>([
    (name) => `There are ${figure} customers in ${name}.`,
    (name) => `${figure} customers live in ${name}.`,
    (name) => `${figure} customers come from ${name}.`,
    (name) => `In ${name}, there are ${figure} customers.`,
    (name) => `In ${name} we have ${figure} customers.`,
    (name) => `The number of customers in ${name} is ${figure}.`,
    (name) => `Customers in ${name}: ${figure}`,
    (name) => `Of the customers, ${figure} are in ${name}.`,
    (name) => `${name} has ${figure} customers.`,
    (name) => `The customers of ${name} number ${figure}.`,
    (name) => `${figure} customers belong to ${name}.`,
    (name) => `The city with ${figure} customers is ${name}.`,
    (name) => `All of these customers are from ${name}.`,
    (name) => `For ${name}, the figure is ${figure}.`,
    (name) => `${figure} customers buy at ${name}.`,
    (name) => `**${figure}** customers (in ${name})`,
    (name) => `- Customers from ${name}: ${figure}`,
  ])
  return {
    table,
    texts: of([[place], []]),
    question: of([`How many customers are there in ${place}?`, `How many customers does ${place} have?`]),
    claims: {
      place: {
        right: of([
          said(place),
          `In the database there are ${figure} customers in ${place}.`,
          `In SQL this is a count of customers: ${figure}.`,
          `However, the answer for ${place} is ${figure}.`,
          `Customers have been counted as of Monday: ${figure}.`,
          `The **Customers** table has ${figure} of ${place}.`,
        ]),
        wrong: { name: said(other) },
      },
    },
  }
}

/** What went up or down, by how many percent, and of which row. */
export function changeWorld(draw: Dice): World {
  const { of, some } = draw
  const amount = of(['revenue', 'profit', 'orders', 'sales'])
  const kind = of(['years', 'quarters', 'columns', 'percent', 'text', 'pair'] as const)
  const names = some(PLACES.slice(0, 8), 3)
  const values = numbers(draw, 6, 1_000, 37)
  const [before, after] = values as [number, number]
  const percentOf = (a: number, b: number): number => Math.round((1_000 * (b - a)) / a) / 10
  const change = percentOf(before, after)
  const changes = names.map((_, i) => percentOf(values[2 * i]!, values[2 * i + 1]!))
  const isOfRows = kind === 'columns' || kind === 'percent'
  const [who, elsewhere] = isOfRows ? [names[0]!, names.slice(1)] : [`${capital(amount)}`, []]
  const size = say(Math.abs(change))
  const swapped = changes.slice(1).map((one, i) => [one, names[i + 1]!] as const)
  const tables = {
    years: tableFromArrays(
      ['year', amount],
      [
        [2024, before],
        [2025, after],
      ],
    ),
    quarters: tableFromArrays(
      ['quarter', amount],
      [
        ['2025-Q1', before],
        ['2025-Q2', after],
      ],
    ),
    columns: tableFromArrays(
      ['branch', `${amount}_2024`, `${amount}_2025`],
      names.map((name, i) => [name, values[2 * i], values[2 * i + 1]]),
    ),
    percent: tableFromArrays(
      ['branch', 'change_percent'],
      names.map((name, i) => [name, changes[i]]),
    ),
    text: tableFromArrays([], []),
    pair: tableFromArrays([`${amount}_last_year`, `${amount}_this_year`], [[before, after]]),
  } as const
  const year = kind === 'years' ? ' on that of 2024' : ''
  const up = of<(who: string, size: string) => string>([
    (one, p) => `${one} in 2025 was up ${p}%${year}.`,
    (one, p) => `${one} is up ${p}% on last year.`,
    (one, p) => `Up ${p}% on the period before: ${one}.`,
    (one, p) => `${one} rose by ${p}%.`,
    (one, p) => `${one} grew ${p} percent.`,
    (one, p) => `${one} shows an increase of ${p}%.`,
    (one, p) => `${one} saw a ${p}% rise.`,
    (one, p) => `${one} is ${p}% higher than before.`,
    (one, p) => `${one} jumped ${p}% from the period before.`,
    (one, p) => `${one} gained ${p}%.`,
    (one, p) => `${one} went up by ${p}%.`,
    (one, p) => `There was growth of ${p}% for ${one}.`,
    (one, p) => `${one}: +${p}%`,
    (one, p) => `${one} climbed by ${p}% compared with before.`,
    (one, p) => `${one} increased ${p}%.`,
  ])
  const down = of<(who: string, size: string) => string>([
    (one, p) => `${one} in 2025 was down ${p}%${year}.`,
    (one, p) => `${one} is down ${p}% on last year.`,
    (one, p) => `Down ${p}% on the period before: ${one}.`,
    (one, p) => `${one} fell by ${p}%.`,
    (one, p) => `${one} shrank ${p} percent.`,
    (one, p) => `${one} shows a decrease of ${p}%.`,
    (one, p) => `${one} saw a ${p}% drop.`,
    (one, p) => `${one} is ${p}% lower than before.`,
    (one, p) => `${one} plunged ${p}% from the period before.`,
    (one, p) => `${one} lost ${p}%.`,
    (one, p) => `${one} went down by ${p}%.`,
    (one, p) => `There was a decline of ${p}% for ${one}.`,
    (one, p) => (kind === 'text' ? `${one}: down ${p}%` : `${one}: −${p}%`),
    (one, p) => `${one} dropped by ${p}% compared with before.`,
    (one, p) => `${one} decreased ${p}%.`,
  ])
  const [right, turned] = change > 0 ? [up, down] : [down, up]
  const strange = swapped.find(([other]) => Math.abs(other - change) > 1 && Math.abs(other + change) > 1)
  return {
    table: tables[kind],
    texts:
      kind !== 'years' && kind !== 'text'
        ? ['2025']
        : kind === 'text'
          ? [`${capital(amount)} ${change > 0 ? 'rose' : 'fell'} by ${size}% on last year, 2025.`]
          : [],
    claims: {
      change: {
        right: right(who, size),
        wrong: {
          direction: Math.abs(change) < 1 ? undefined : turned(who, size),
          row:
            elsewhere.length === 0 || strange === undefined
              ? undefined
              : (strange[0] > 0 ? up : down)(who, say(Math.abs(strange[0]))),
        },
      },
    },
  }
}
