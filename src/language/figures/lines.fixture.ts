import { tableFromArrays } from '../../core/table.ts'
import { capital, numbers, say, type Dice, type World } from './worlds.fixture.ts'

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

function inWords(figure: number): string {
  const [hundreds, rest] = [Math.floor(figure / 100), figure % 100]
  const small =
    rest < 20 ? UNITS[rest]! : TENS[Math.floor(rest / 10)]! + (rest % 10 === 0 ? '' : `-${UNITS[rest % 10]!}`)
  if (hundreds === 0) return small
  return `${UNITS[hundreds]!} hundred${rest === 0 ? '' : ` and ${small}`}`
}

/** Of whom and of what a figure is, by the line, the sentence or the order before it; beside what, in which unit, in words. */
export function linesWorld(draw: Dice): World {
  const { of, from, some } = draw
  const n = from(3, 6)
  const names = some('Turin,Leeds,Oslo,Graz,Porto,Lyon,Lisbon'.split(','), n)
  const people = some('Mara Lind,Otto Brandt,Ines Cole,Paul Reyes,Nora Webb,Ivan Petrov'.split(','), n)
  const count = of(['orders', 'customers', 'visits'])
  const [unit, sign, otherSign, code, otherCode] = of([
    ['eur', '€', '$', 'EUR', 'USD'],
    ['usd', '$', '€', 'USD', 'EUR'],
    ['gbp', '£', '€', 'GBP', 'USD'],
  ] as const)
  const [amounts, counts] = [numbers(draw, n, 10_000, 1_223), numbers(draw, n, 101, 1)]
  const shares = numbers(draw, n, 1, 1).map((value) => Math.round(value) / 4)
  const [i, j] = some([...names.keys()], 2) as [number, number]
  const [a, b] = [names[i]!, names[j]!]
  const [v, w, c, d] = [say(amounts[i]!), say(amounts[j]!), counts[i]!, counts[j]!]
  const total = say(amounts.reduce((sum, one) => sum + one, 0))
  const list = (figures: readonly (number | string)[], heading: string): string =>
    `${heading}\n${of(['- ', '* ', ''])}${a}: ${figures[0]!}\n- ${b}: ${figures[1]!}\n`
  const heading = of([
    `${capital(count)} by branch:`,
    `## ${capital(count)} by branch`,
    `**${capital(count)}**`,
    `Here are the ${count} of both branches:`,
  ])
  const [more, less] = c > d ? [i, j] : [j, i]
  const percent = (base: number, other: number): string =>
    (Math.round((1_000 * Math.abs(counts[base]! - counts[other]!)) / counts[base]!) / 10).toFixed(1)
  const isFewer = of([true, false])
  const [first, base] = isFewer ? [less, more] : [more, less]
  const by = of<(figure: string) => string>([
    (figure) => `${names[first]!} has ${figure}% ${isFewer ? 'fewer' : 'more'} ${count} than ${names[base]!}.`,
    (figure) =>
      `${capital(count)} in ${names[first]!} are ${figure} % ${isFewer ? 'lower' : 'higher'} than in ${names[base]!}.`,
    (figure) =>
      `Compared with ${names[base]!}, ${names[first]!} has ${figure}% ${isFewer ? 'fewer' : 'more'} ${count}.`,
    (figure) =>
      `With ${counts[first]!} ${count}, ${names[first]!} is ${figure}% ${isFewer ? 'below' : 'above'} ${names[base]!}.`,
    (figure) =>
      `${names[first]!} ${isFewer ? of(['trails', 'is behind']) : of(['leads', 'exceeds'])} ${names[base]!} by ${figure}% in ${count}.`,
  ])
  const isFar = Math.abs(Number(percent(first, base)) - Number(percent(base, first))) > 0.3
  const it = of(['It', 'This branch', 'The branch', 'This one'])
  const before = of([`${a} is managed by ${people[i]!}.`, `${a} is one of the branches.`, `Let us look at ${a}.`])
  const points = Math.abs(shares[i]! - shares[j]!)
  const [low, high] = shares[i]! < shares[j]! ? [a, b] : [b, a]
  const apart = (figure: number): string =>
    of([
      `The margin of ${low} is ${figure} percentage points lower than that of ${high}.`,
      `${low} has a margin that is ${figure} percentage points below ${high}.`,
      `The margins of ${low} and ${high} are ${figure} percentage points apart.`,
    ])
  const isNot = of<(no: number, yes: number) => string>([
    (no, yes) => `${a} has not ${no} but ${yes} ${count}.`,
    (no, yes) => `${a} has ${yes} ${count}, not ${no}.`,
    (no, yes) => `${a} does not have ${no} but ${yes} ${count}.`,
    (no, yes) => `${a} has ${yes} rather than ${no} ${count}.`,
  ])
  const words = of<(figure: number) => string>([
    (figure) => `${a} has ${inWords(figure)} ${count}.`,
    (figure) => `There are ${inWords(figure)} ${count} in ${a}.`,
    (figure) => `${capital(count)} in ${a}: ${inWords(figure)}.`,
  ])
  const money = of<(one: string, other: string, figure: string, whose?: string) => string>([
    (one, _, figure, whose) => `${whose === undefined ? 'The total' : `The total of ${whose}`} is ${one}${figure}.`,
    (_, other, figure, whose) => `${whose ?? 'All together'} made ${figure} ${other}.`,
    (_, other, figure, whose) => `The total${whose === undefined ? '' : ` of ${whose}`} is ${other} ${figure}.`,
  ])
  return {
    table: tableFromArrays(
      ['branch', 'manager', `total_${unit}`, count, 'margin_percent'],
      names.map((name, at) => [name, people[at], amounts[at], counts[at], shares[at]]),
    ),
    claims: {
      'list under a heading': {
        right: list([c, d], heading),
        wrong: { column: list([v, w], heading), row: list([d, c], heading) },
      },
      respectively: {
        right: of([
          `${a} and ${b} have ${c} and ${d} ${count} respectively.`,
          `${capital(count)} in ${a} and ${b} were ${c} and ${d}, respectively.`,
          `${a} and ${b} made ${v} and ${w}.`,
          `${a} and ${b} made ${v} and ${w} from ${c} and ${d} ${count}, respectively.`,
        ]),
        wrong: {
          row: of([
            `${a} and ${b} have ${d} and ${c} ${count} respectively.`,
            `${capital(count)} in ${a} and ${b} were ${d} and ${c}, respectively.`,
            `${a} and ${b} made ${w} and ${v}.`,
            `${a} and ${b} made ${v} and ${w} from ${d} and ${c} ${count}, respectively.`,
          ]),
        },
      },
      pronoun: {
        right: of([
          `${before} ${it} has ${c} ${count}.`,
          `${before} ${it} made ${v}.`,
          `${before} Its ${count} are ${c}.`,
          `${before} ${it} has ${d > c ? d - c : c - d} ${d > c ? 'fewer' : 'more'} ${count} than ${b}.`,
        ]),
        wrong: {
          row: of([
            `${before} ${it} has ${d} ${count}.`,
            `${before} ${it} made ${w}.`,
            `${before} Its ${count} are ${d}.`,
          ]),
        },
      },
      'unit of a column': {
        right: of([money(sign, code, total), money(sign, code, v, a)]),
        wrong: { currency: of([money(otherSign, otherCode, total), money(otherSign, otherCode, v, a)]) },
      },
      'base of a percentage': {
        right: by(percent(base, first)),
        wrong: { base: isFar ? by(percent(first, base)) : undefined },
      },
      'percentage points': { right: apart(points), wrong: { figure: apart(points + 1.5) } },
      'not but': { right: isNot(d, c), wrong: { order: isNot(c, d) } },
      'in words': { right: words(c), wrong: { row: words(d) } },
    },
  }
}

/** One row, in a unit that its column is named by. */
export function unitWorld({ of, from }: Dice): World {
  const [unit, right, wrong] = of([
    ['eur', ['€', 'EUR'], ['$', 'USD']],
    ['usd', ['$', 'USD'], ['€', 'GBP']],
    ['chf', ['CHF ', 'CHF'], ['€', 'EUR']],
  ] as const)
  const [amount, orders] = [from(10_000, 900_000), from(20, 90)]
  const say_ = of<(units: readonly [string, string]) => string>([
    ([sign]) => `The total is ${sign}${say(amount)}.`,
    ([, code]) => `The total is ${say(amount)} ${code}.`,
    ([sign]) => `They made ${sign}${say(amount)} in all.`,
    ([sign]) => `On average, an order brought ${sign}${say(amount / orders)}.`,
  ])
  return {
    table: tableFromArrays(of([[`total_${unit}`, 'orders']]), [[amount, orders]]),
    claims: { 'unit of the only row': { right: say_(right), wrong: { currency: say_(wrong) } } },
  }
}
