import { tableFromArrays } from '../../core/table.ts'
import { capital, numbers, say, type Dice, type World } from './worlds.fixture.ts'

/** What is said of all rows of a table, of none, of so many of them, and of the first and the last of an order. */
export function quantifiedWorld(draw: Dice): World {
  const { of, from, some } = draw
  const n = from(4, 7)
  const names = some('Turin,Leeds,Oslo,Graz,Porto,Lyon,Lisbon,Bremen'.split(','), n)
  const [one, many] = of([
    ['branch', 'branches'],
    ['city', 'cities'],
    ['shop', 'shops'],
    ['region', 'regions'],
  ] as const)
  const count = of(['orders', 'customers', 'visits', 'members'])
  const [amounts, counts] = [numbers(draw, n, 10_000, 1_223), numbers(draw, n, 31, 1)]
  const order = counts.toSorted((a, b) => a - b)
  const [min, max] = [order[0]!, order.at(-1)!]
  // Of a middle row no column makes an extreme.
  const middle = names.find(
    (_, i) =>
      counts[i] !== min &&
      counts[i] !== max &&
      amounts[i] !== Math.max(...amounts) &&
      amounts[i] !== Math.min(...amounts),
  )
  const [top, low] = [names[counts.indexOf(max)]!, names[counts.indexOf(min)]!]
  const leads = of<(name: string) => string>([
    (name) => `${name} leads in ${count}.`,
    (name) => `${name} leads with the most ${count}.`,
    (name) => `${name} tops the list of ${many} by ${count}.`,
    (name) => `By ${count}, ${name} tops the list.`,
    (name) => `${name} is the leader in ${count}.`,
    (name) => `${name} comes out on top in ${count}.`,
    (name) => `${name} heads the ranking by ${count}.`,
    (name) => `${name} is number one by ${count}.`,
    (name) => `${name} takes the lead in ${count}.`,
    (name) => `${name} is in the lead by ${count}.`,
    (name) => `${name} is unmatched in ${count}.`,
    (name) => `${name} beats every other ${one} in ${count}.`,
    (name) => `No ${one} beats ${name} in ${count}.`,
    (name) => `No ${one} has more ${count} than ${name}.`,
    (name) => `No other ${one} has as many ${count} as ${name}.`,
    (name) => `None of the ${many} has more ${count} than ${name}.`,
    (name) => `${name} has more ${count} than any other ${one}.`,
    (name) => `${name} has more ${count} than all other ${many}.`,
    (name) => `All other ${many} have fewer ${count} than ${name}.`,
    (name) => `Every other ${one} has fewer ${count} than ${name}.`,
    (name) => `Leading in ${count} is ${name}.`,
    (name) => `Leading the ${many} by ${count} is ${name}.`,
    (name) => `In first place by ${count} is ${name}.`,
    (name) => `First in ${count} comes ${name}.`,
    (name) => `First place in ${count} goes to ${name}.`,
    (name) => `At the top by ${count} is ${name}.`,
    (name) => `The top spot in ${count} belongs to ${name}.`,
    (name) => `Ahead of all others in ${count} is ${name}.`,
    (name) => `${name} is ahead of all other ${many} in ${count}.`,
    (name) => `${name} outperforms all other ${many} in ${count}.`,
    (name) => `${name} ranks highest in ${count}.`,
    (name) => `${name} is the frontrunner in ${count}.`,
    (name) => `${name} is second to none in ${count}.`,
    (name) => `${name} holds first place in ${count}.`,
    (name) => `The leader in ${count} is ${name}.`,
    (name) => `The winner in ${count} is ${name}.`,
    (name) => `${name} comes first in ${count}.`,
    (name) => `For ${count}, ${name} comes first.`,
    (name) => `${name} sits at the top in ${count}.`,
    (name) => `Nowhere are there more ${count} than in ${name}.`,
    (name) => `#1 in ${count}: ${name}`,
    (name) => `Nobody comes close to ${name} in ${count}.`,
    (name) => `${name} leads the way in ${count}.`,
    (name) => `${name} dominates in ${count}.`,
    (name) => `The ${one} out in front in ${count} is ${name}.`,
    (name) => `The ${one} with the most ${count} is ${name}.`,
    (name) => `When it comes to ${count}, ${name} is in front.`,
    (name) => `The most ${count} come from ${name}.`,
  ])
  const trails = of<(name: string) => string>([
    (name) => `${name} comes last in ${count}.`,
    (name) => `${name} is last by ${count}.`,
    (name) => `${name} is at the bottom of the list by ${count}.`,
    (name) => `${name} brings up the rear in ${count}.`,
    (name) => `${name} has fewer ${count} than any other ${one}.`,
    (name) => `No ${one} has fewer ${count} than ${name}.`,
    (name) => `Nobody has fewer ${count} than ${name}.`,
    (name) => `Each of the other ${many} has more ${count} than ${name}.`,
    (name) => `Last in ${count} is ${name}.`,
    (name) => `Trailing in ${count} is ${name}.`,
    (name) => `Last place in ${count} goes to ${name}.`,
    (name) => `At the bottom by ${count} is ${name}.`,
    (name) => `${name} ranks lowest in ${count}.`,
    (name) => `${name} lags behind all others in ${count}.`,
    (name) => `Nowhere are there fewer ${count} than in ${name}.`,
    (name) => `The fewest ${count} come from ${name}.`,
  ])
  const all = of([`All ${many} have`, `Every ${one} has`, `Each of the ${n} ${many} has`, `All of them have`])
  const none = of([`No ${one} has`, `None of the ${many} has`, `None of them has`, `Not one ${one} has`])
  const atLeast = of(['at least', 'no fewer than', 'no less than', 'a minimum of'])
  const atMost = of(['at most', 'no more than', 'up to', 'a maximum of'])
  const place = from(1, n - 2)
  const bound = order[place]!
  const above = n - place - 1
  const so = (k: number): string =>
    of([`${k} of the ${n} ${many}`, `${k} ${many}`, `Only ${k} ${many}`, `${k} out of ${n} ${many}`])
  const more = of(['more than', 'over', 'above'])
  const range = of<(a: number, b: number) => string>([
    (a, b) => `${count} range from ${a} to ${b}.`,
    (a, b) => `The number of ${count} ranges from ${a} to ${b}.`,
    (a, b) => `The ${count} of the ${many} lie between ${a} and ${b}.`,
    (a, b) => `The ${many} have between ${a} and ${b} ${count}.`,
    (a, b) => `${count} per ${one} vary from ${a} to ${b}.`,
  ])
  /** What holds of every row, in another order of words. */
  const every = of<(n: number) => string>([
    (n) => `At least ${n} ${count} were counted in every ${one}.`,
    (n) => `There are at least ${n} ${count} in each ${one}.`,
    (n) => `In every ${one}, there are at least ${n} ${count}.`,
    (n) => `${capital(count)} are at least ${n} in every ${one}.`,
    (n) => `${n} or more ${count} were counted in each ${one}.`,
    (n) => `${n} ${count} or more were counted in every one of the ${many}.`,
    (n) => `The ${many} each have at least ${n} ${count}.`,
    (n) => `The ${many} all have at least ${n} ${count}.`,
    (n) => `With no exception, the ${many} have at least ${n} ${count}.`,
    (n) => `No fewer than ${n} ${count} were seen at any ${one}.`,
    (n) => `In no ${one} are there fewer than ${n} ${count}.`,
    (n) => `Nowhere are there fewer than ${n} ${count}.`,
    (n) => `Fewer than ${n} ${count} were counted nowhere.`,
    (n) => `Not a single ${one} has fewer than ${n} ${count}.`,
    (n) => `The ${count} of no ${one} are below ${n}.`,
    (n) => `In none of the ${many} do ${count} fall below ${n}.`,
    (n) => `${capital(count)} never fall below ${n}.`,
    (n) => `The ${many} have ${n} ${count} or more each.`,
    (n) => `For each ${one} we counted at least ${n} ${count}.`,
    (n) => `Each and every ${one} has at least ${n} ${count}.`,
    (n) => `${capital(count)} reach at least ${n} everywhere.`,
    (n) => `A minimum of ${n} ${count} was reached by every ${one}.`,
  ])
  const two = [`${say(Math.min(...amounts))}`, `${say(Math.max(...amounts))}`] as const
  return {
    table: tableFromArrays(
      [one, 'revenue', count],
      names.map((name, i) => [name, amounts[i], counts[i]]),
    ),
    claims: {
      'first of an order': { right: leads(top), wrong: { row: middle && leads(middle), end: leads(low) } },
      'last of an order': { right: trails(low), wrong: { row: middle && trails(middle), end: trails(top) } },
      'bound of all': {
        right: of([
          `${all} ${atLeast} ${min} ${count}.`,
          `${all} ${atMost} ${max} ${count}.`,
          `${none} more than ${max} ${count}.`,
          `${none} fewer than ${min} ${count}.`,
          `Not all ${many} have ${atLeast} ${max} ${count}.`,
          `All ${many} but ${low} have at least ${order[1]!} ${count}.`,
          `All ${many} made at least ${two[0]} in revenue.`,
          `No ${one} has more than ${two[1]} in revenue.`,
          `All ${many} have fewer than ${max + 5} ${count}.`,
          `Apart from ${low}, all ${many} have more than ${order[1]! - 1} ${count}.`,
          `No ${one} exceeds ${max} ${count}.`,
          `There is no ${one} with more than ${max} ${count}.`,
        ]),
        wrong: {
          bound: of([
            `${all} ${atLeast} ${of(order.slice(1))} ${count}.`,
            `${all} ${atMost} ${of(order.slice(0, -1))} ${count}.`,
            `${none} more than ${of(order.slice(0, -1))} ${count}.`,
            `${none} fewer than ${of(order.slice(1))} ${count}.`,
            `All ${many} but ${top} have at least ${order[1]!} ${count}.`,
            `All ${many} made at least ${two[1]} in revenue.`,
            `No ${one} has more than ${two[0]} in revenue.`,
            `All ${many} have fewer than ${max} ${count}.`,
            `Apart from ${top}, all ${many} have more than ${order[1]!} ${count}.`,
            `No ${one} exceeds ${order.at(-2)!} ${count}.`,
            `There is no ${one} with more than ${order[place]!} ${count}.`,
          ]),
        },
      },
      'bound of every': { right: every(min), wrong: { bound: every(of(order.slice(1))) } },
      'how many of them': {
        right: of([
          `${so(above)} have ${more} ${bound} ${count}.`,
          `${so(place)} have fewer than ${bound} ${count}.`,
          `There are ${above} ${many} with more than ${bound} ${count}.`,
          `${so(above)} exceed ${bound} ${count}.`,
          `${so(above + 1)} have at least ${bound} ${count}.`,
        ]),
        wrong: {
          count: of([
            `${so(of([above + 1, above - 1, n - above].filter((k) => k !== above)))} have ${more} ${bound} ${count}.`,
            `${so(n)} have ${more} ${bound} ${count}.`,
            `${so(place + 1)} have fewer than ${bound} ${count}.`,
            `There are ${above + 1} ${many} with more than ${bound} ${count}.`,
            `${so(above + 1)} exceed ${bound} ${count}.`,
            `${so(above)} have at least ${bound} ${count}.`,
          ]),
          side: above === place ? undefined : `${so(above)} have fewer than ${bound} ${count}.`,
        },
      },
      range: {
        right: range(min, max),
        wrong: { end: of([range(order[1]!, max), range(min, order.at(-2)!), range(order[1]!, order.at(-2)!)]) },
      },
    },
  }
}
