import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tableFromArrays, type Table } from '../../core/table.ts'
import { checkSentence } from './check.ts'
import { Evidence } from './evidence.ts'

/**
 * A search for what the check gets wrong: tables and passages made by chance, sentences about them that are right by construction,
 * and invented ones. It is the same search each time; right ones that are taken out and invented ones that pass are counted by kind.
 */
const WORLDS = 600
const SEED = 20_261_122

/** Draws one of a list, or a number from `from` to `to`. */
interface Dice {
  of<T>(list: readonly T[]): T
  from(from: number, to: number): number
  some<T>(list: readonly T[], n: number): T[]
}

function dice(stream: fc.Stream<number>): Dice {
  const next = (below: number): number => stream.next().value! % below
  const some = <T>(list: readonly T[], n: number): T[] => {
    const left = [...list]
    return Array.from({ length: n }, () => left.splice(next(left.length), 1)[0]!)
  }
  return { of: (list) => list[next(list.length)]!, from: (from, to) => from + next(to - from + 1), some }
}

interface World {
  readonly texts?: readonly string[]
  readonly tables?: readonly Table[]
  readonly decimalComma?: boolean
  /** By kind. */
  readonly right: Readonly<Record<string, string>>
  /** By kind; what came to be right after all is undefined. */
  readonly invented: Readonly<Record<string, string | undefined>>
}

const QUESTION = new Evidence({ texts: ['What is said of this in 2025?'], tables: [] })

/** Whether a sentence about a world stays. */
function reader({ texts = [], tables = [], decimalComma = false }: World): (sentence: string) => boolean {
  const grounds = { common: QUESTION, found: [new Evidence({ texts, tables })], decimalComma }
  return (sentence) => checkSentence(sentence, grounds).unfounded.length === 0
}

const LABELS = (
  'Alder,Birch,Cedar,Dogwood,North,South,Rock,Latin,Best Buy,Top Gear,Net Sales Ltd,Total Energy,Customer Care,Most,Hill & Sons,' +
  'Ann Miller,Bob Miller,Long Lane,US,Zürich'
).split(',')
const STRANGERS = ['Nora Quill', 'Acme Holdings', 'Jan van Doorn', 'Éva Ökrös', 'DeShawn Reed']
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const near = (one: number, other: number, by = 0.51): boolean => Math.abs(one - other) <= by

/** One digit is another one. */
function changed(figure: number, { from }: Dice): number {
  const digits = String(figure)
  const at = from(0, digits.length - 1)
  return digits[at] === '.'
    ? figure + 1
    : Number(digits.slice(0, at) + ((Number(digits[at]) + from(1, 9)) % 10) + digits.slice(at + 1))
}

/** All numbers that may be told of the values in one step, in more ways than the check knows. */
function follows(values: readonly number[]): (figure: number) => boolean {
  const sums = values.flatMap((_, i) => values.slice(i).map((_one, length) => sum(values.slice(i, i + length + 1))))
  const total = sum(values)
  const pairs = values.flatMap((a) => values.flatMap((b) => [a + b, Math.abs(a - b), (a + b) / 2]))
  const all = [...sums, ...sums.map((one) => total - one), ...pairs, total / values.length, 0, 1, values.length]
  return (figure) => all.some((one) => near(one, figure)) || figure <= values.length
}

function tableWorld(draw: Dice): World {
  const { of, from, some } = draw
  const decimalComma = of([false, true])
  const tag = decimalComma ? of(['de-DE', 'es-ES']) : of(['en-US', 'en-IN'])
  const say = (figure: number): string => figure.toLocaleString(tag, { maximumFractionDigits: 2 })
  const n = from(3, 8)
  const names = some(LABELS, n)
  const orders = Array.from({ length: n }, () => from(0, of([12, 60])))
  const revenue = some(
    Array.from({ length: 400 }, (_, i) => 1_000 + 223 * i + (i % 7)),
    n,
  ).map((value) => of([value, value + 0.25]))
  const share = orders.map((one) => Math.round((1_000 * one) / Math.max(1, sum(orders))) / 10)
  const hasShares = of([false, true])
  const table = tableFromArrays(
    ['name', 'orders', 'revenue', ...(hasShares ? ['share_percent'] : [])],
    names.map((name, i) => [name, orders[i], revenue[i], ...(hasShares ? [share[i]] : [])]),
  )
  const [i, j] = some(
    names.map((_, place) => place),
    2,
  ) as [number, number]
  const [a, b] = [names[i]!, names[j]!]
  const [most, least] = [Math.max(...revenue), Math.min(...revenue)]
  const [top, low] = [names[revenue.indexOf(most)]!, names[revenue.indexOf(least)]!]
  const isRight = (figure: number): boolean =>
    follows(revenue.map(Math.round))(figure) ||
    revenue.some((one) => orders.some((few) => near(Math.abs(one - figure), few)))
  const bad = changed(revenue[i]!, draw)
  const own = (100 * revenue[i]!) / sum(revenue)
  const other = Math.round((1_000 * revenue[j]!) / sum(revenue)) / 10
  const ratio = revenue[i]! / revenue[j]!
  /** A figure of row j that cannot be told of row i. */
  const swapped = orders[j]! !== orders[i]! && orders[j]! !== n && orders[j]! > 1 ? orders[j]! : undefined
  const parts = (100 * orders[j]!) / Math.max(1, sum(orders))
  const isOther = hasShares && !near(share[i]!, share[j]!, 0.6) && !near(own, share[j]!, 0.6) && parts > 0
  const of2 = { a: say(orders[i]!), b: say(orders[j]!) }
  return {
    tables: [table],
    decimalComma,
    right: {
      cell: of([`${a} has ${of2.a} orders.`, `**${a}**: ${of2.a}`, `- ${a} (${of2.a} orders)`]),
      amount: of([`${a} made ${say(revenue[i]!)}.`, `| ${a} | ${of2.a} | ${say(revenue[i]!)} |`]),
      'two rows': `${a} has ${of2.a} orders and ${b} ${of2.b}.`,
      'two columns': `${a} made ${say(revenue[i]!)} with ${of2.a} orders.`,
      rounded: `${a} made about ${say(Number(revenue[i]!.toPrecision(2)))}.`,
      thousands: `${a} made ${say(Math.round(revenue[i]! / 100) / 10)}k.`,
      total: `All of them made ${say(sum(revenue))}.`,
      together: `${a} and ${b} have ${say(orders[i]! + orders[j]!)} orders together.`,
      difference: `${a} differs from ${b} by ${say(Math.abs(orders[i]! - orders[j]!))} orders.`,
      'own share': `${a} made ${say(Math.round(10 * own) / 10)}% of the revenue.`,
      ...(hasShares ? { share: `${a} has ${say(share[i]!)}% and ${b} ${say(share[j]!)}%.` } : {}),
      ...(ratio < 1 ? {} : { ratio: `${a} made ${say(Math.round(10 * ratio) / 10)} times as much as ${b}.` }),
      ...(ratio > 1.97 && ratio < 2.03 ? { twice: `${a} made twice as much as ${b}.` } : {}),
      rank: `${a} is the ${of(['1st', '2nd', '3rd'])} of the ${n} names.`,
      most: of([
        `${top} made the most revenue.`,
        `The highest revenue is that of ${top}.`,
        `${top} leads with the most revenue, ${say(most)}.`,
      ]),
      least: of([`${low} made the least revenue.`, `The lowest revenue is ${say(least)}.`]),
      'most of several': `${top} made the most revenue, ahead of ${names.find((name) => name !== top)!}.`,
      heading: of([`**Net Sales** were ${say(most)} for ${top}.`, `**Customer Service** is at ${top}.`]),
    },
    invented: {
      digit: isRight(Math.round(bad)) || isRight(Math.floor(bad)) ? undefined : `${a} made ${say(bad)}.`,
      'swapped row': of([
        `${a} made ${say(revenue[j]!)}.`,
        `| ${a} | ${say(revenue[j]!)} |`,
        `${b} made ${say(revenue[i]!)} and ${a} ${say(revenue[j]!)}.`,
      ]),
      'swapped small': swapped === undefined ? undefined : of([`${a} has ${swapped} orders.`, `${a}: ${swapped}`]),
      'swapped cell': swapped === undefined ? undefined : `| ${a} | ${say(revenue[i]!)} | ${swapped} |`,
      'swapped share': isOther ? `${a} has ${say(share[j]!)}%.` : undefined,
      'swapped own share':
        Number.isInteger(other) || near(own, other, 0.06) || share.some((one) => near(one, other, 0.11))
          ? undefined
          : `${a} made ${say(other)}% of the revenue.`,
      ratio:
        ratio > 0.2 && ratio < 5
          ? `${a} made ${say(Math.round(10 * ratio) / 10 + 1.7)} times as much revenue as ${b}.`
          : undefined,
      twice:
        ratio > 1.8 && ratio < 2.2
          ? undefined
          : of([`${a} made twice as much revenue as ${b}.`, `Compared with ${b}, revenue of ${a} doubled.`]),
      most: a === top ? undefined : of([`${a} made the most revenue.`, `The highest revenue is that of ${a}.`]),
      least: a === low ? undefined : of([`${a} made the least revenue.`, `The lowest revenue is that of ${a}.`]),
      best: [orders, revenue, ...(hasShares ? [share] : [])].some((column) =>
        [Math.max(...column), Math.min(...column)].includes(column[i]!),
      )
        ? undefined
        : of([`${a} is the best of them.`, `Top name: ${a}.`]),
      'most of several': a === top ? undefined : `${a} made the most revenue, ahead of ${b}.`,
      name: of([`${of(STRANGERS)} has ${of2.a} orders.`, `**${of(STRANGERS)}** is the owner of ${a}.`]),
    },
  }
}

/** Units with how many of the first of its kind one is. */
const UNITS: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  day: [
    ['day', 1],
    ['week', 7],
  ],
  month: [
    ['month', 1],
    ['year', 12],
    ['quarter', 3],
  ],
  second: [
    ['second', 1],
    ['minute', 60],
    ['hour', 3600],
  ],
  gram: [
    ['g', 1],
    ['kg', 1000],
    ['tonne', 1_000_000],
  ],
  metre: [
    ['cm', 0.01],
    ['m', 1],
    ['km', 1000],
  ],
  byte: [
    ['MB', 1e6],
    ['GB', 1e9],
  ],
}
const MONEY = {
  EUR: ['# EUR', '€#', '# €', '# euros'],
  USD: ['# USD', '$#', '# dollars', 'US$#'],
  GBP: ['# GBP', '£#', '# pounds'],
}
const SMALL = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

function passageWorld(draw: Dice): World {
  const { of, from, some } = draw
  const spell = (figure: number): string =>
    Number.isInteger(figure) && figure > 1 && figure <= 12 ? of([SMALL[figure]!, String(figure)]) : String(figure)
  const withUnit = (figure: number, unit: string): string =>
    `${spell(figure)} ${unit}${unit.length > 2 && figure !== 1 ? 's' : ''}`
  const [kind, otherKind] = some(Object.keys(UNITS), 2) as [string, string]
  const [unit, size] = of(UNITS[kind]!)
  const amount = from(2, 48)
  const bigger = UNITS[kind]!.find(([, one]) => one > size && (amount * size) % one === 0)
  const smaller = UNITS[kind]!.find(([, one]) => one < size)
  const [sameKind] = of(UNITS[kind]!.filter(([name]) => name !== unit))
  const [currency, otherCurrency] = some(Object.keys(MONEY) as (keyof typeof MONEY)[], 2) as [
    keyof typeof MONEY,
    keyof typeof MONEY,
  ]
  const fee = of([from(50, 99), from(50, 99) + 0.5, from(1_000, 9_999)])
  const pay = (figure: number, form: string): string =>
    form.replace('#', figure.toLocaleString('en-US', { minimumFractionDigits: figure % 1 === 0 ? 0 : 2 }))
  const section = `${from(1, 9)}.${from(1, 9)}`
  const day = new Date(Date.UTC(from(2019, 2024), from(0, 11), from(13, 28)))
  const other = new Date(day.getTime() + 86_400_000 * of([1, -3, 31, 365]))
  const long = (date: Date, tag: string): string => date.toLocaleDateString(tag, { dateStyle: 'long', timeZone: 'UTC' })
  const [name, stranger] = some(['Mary Jones', 'Omar Haddad', 'Lena Vogt', 'Total Energy'], 2) as [string, string]
  const rate = of([5, 7, 19, 20])
  const seats = from(50, 99)
  const bad = changed(amount, draw)
  const texts = [
    `Section ${section} of the manual. The limit is ${withUnit(amount, unit)} in all cases.`,
    `A fee of ${pay(fee, of(MONEY[currency]))} applies. The net price is ${pay(3 * fee, of(MONEY[currency]))}, VAT ${rate}%. There are ${seats} seats.`,
    `The rule changed on ${of([long(day, 'en-GB'), day.toISOString().slice(0, 10), long(day, 'en-US')])}. It was written by ${name}.`,
  ]
  const vat = Math.round(3 * fee * rate) / 100
  return {
    texts,
    right: {
      unit: `The limit is ${withUnit(amount, unit)}.`,
      ...(bigger === undefined
        ? {}
        : { 'bigger unit': `The limit is ${withUnit((amount * size) / bigger[1], bigger[0])}.` }),
      ...(smaller === undefined
        ? {}
        : {
            'smaller unit': `The limit is ${withUnit(amount, unit)} (${(amount * size) / smaller[1]} ${smaller[0]}${smaller[0].length > 2 ? 's' : ''}).`,
          }),
      hyphen: `It is a ${amount}-${unit} limit.`,
      money: `The fee is ${pay(fee, of(MONEY[currency]))}.`,
      'rounded money': `The fee is about ${pay(Math.round(fee), of(MONEY[currency]))}.`,
      vat: `VAT is ${pay(vat, of(MONEY[currency]))}.`,
      gross: `The gross price is ${pay(3 * fee + vat, of(MONEY[currency]))}.`,
      counted: `There are ${seats} seats.`,
      section: `It is in Section ${section}.`,
      date: `It changed on ${of([long(day, 'en-GB'), long(day, 'en-US'), long(day, 'de-DE'), day.toLocaleDateString('en-GB', { timeZone: 'UTC' })])}.`,
      name: of([`It was written by **${name}** in all.`, `${name} is the author of it.`]),
    },
    invented: {
      digit: bad === amount || bad <= 1 || amount % bad === 0 ? undefined : `The limit is ${withUnit(bad, unit)}.`,
      'other unit': `The limit is ${withUnit(amount, sameKind)}.`,
      'unit of another kind': `The limit is ${withUnit(amount, of(UNITS[otherKind]!)[0])}.`,
      'unit as money': `The fee is ${pay(amount, of(MONEY[currency]))}.`,
      'money as unit': `The limit is ${withUnit(fee, unit)}.`,
      'unit as count': `There are ${amount} seats.`,
      'count as unit': `The limit is ${withUnit(seats, unit)}.`,
      'one unit': `The limit is one ${unit}.`,
      'other currency': `The fee is ${pay(fee, of(MONEY[otherCurrency]))}.`,
      'section as unit': `The limit is ${withUnit(Number(section), unit)}.`,
      'sum of kinds': amount * 2 === seats ? undefined : `It is ${withUnit(amount + seats, unit)} in all.`,
      date: `It changed on ${long(other, of(['en-GB', 'en-US']))}.`,
      name: of([`It was written by ${stranger} of the team.`, `- **${stranger}** is the author of it.`]),
    },
  }
}

it('right sentences stay, and invented ones are caught', () => {
  const counts: Record<string, number> = {}
  const count = (name: string): number => (counts[name] = (counts[name] ?? 0) + 1)
  const misses: string[] = []
  const totals = { right: 0, gone: 0, invented: 0, passed: 0 }
  for (const stream of fc.sample(fc.infiniteStream(fc.noBias(fc.nat())), { numRuns: WORLDS, seed: SEED })) {
    const draw = dice(stream)
    for (const world of [tableWorld(draw), passageWorld(draw)]) {
      const stays = reader(world)
      for (const [kind, sentence] of Object.entries(world.right)) {
        totals.right++
        if (stays(sentence)) continue
        totals.gone++
        if (count(`gone: ${kind}`) <= 3)
          misses.push(`gone: ${kind}: ${sentence} ${JSON.stringify(world.tables?.[0]?.rows ?? world.texts)}`)
      }
      for (const [kind, sentence] of Object.entries(world.invented)) {
        if (sentence === undefined) continue
        totals.invented++
        if (!stays(sentence)) continue
        totals.passed++
        if (count(`passed: ${kind}`) <= 3)
          misses.push(`passed: ${kind}: ${sentence} ${JSON.stringify(world.tables?.[0]?.rows ?? world.texts)}`)
      }
    }
  }
  const told = [JSON.stringify(totals), JSON.stringify(counts, undefined, 1), ...misses].join('\n')
  expect(totals.invented).toBeGreaterThan(10 * WORLDS)
  expect(totals.gone / totals.right, told).toBeLessThan(0.005)
  expect(totals.passed / totals.invented, told).toBeLessThan(0.001)
})
