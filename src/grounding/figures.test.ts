import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { FigureCheck } from '../core/check.ts'
import type { Evidence } from './evidence.ts'
import { checkFigures } from './figures.ts'
import { writtenNumbers } from './numbers.ts'

interface Given {
  readonly question: string
  readonly columns?: readonly string[]
  readonly rows?: readonly Readonly<Record<string, unknown>>[]
  readonly text?: string
  readonly json?: unknown
}

const file = new URL('../../test/fixtures/figures/sentences.json', import.meta.url)
/** True sentences over tables and texts, as people and models write them. */
const { tables, cases } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly tables: Readonly<Record<string, Given>>
  readonly cases: readonly { readonly table: string; readonly text: string }[]
}

function checked(table: string, text: string): readonly FigureCheck[] {
  const { question, columns, rows, text: passage, json } = tables[table]!
  return checkFigures(text, question, [{ value: passage ?? json ?? { tabular: { columns, rows } }, sources: ['s1'] }])
}

it('marks at most 3 % of true figures', () => {
  const figures = cases.flatMap(({ table, text }) => checked(table, text))
  const marked = figures.filter(({ status }) => status === 'not_found')
  expect(figures.length).toBeGreaterThan(400)
  expect(marked.length / figures.length, marked.map(({ text }) => text).join('; ')).toBeLessThan(0.03)
})

/** Numbers that look random and are the same in each run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

type Plant = (figure: string, random: (below: number) => number) => string

const CLASSES: readonly [string, Plant][] = [
  [
    'another digit',
    (figure, random) => {
      const places = [...figure.matchAll(/\d/g)].map(({ index }) => index)
      const at = places[random(places.length)]!
      const digit = String(((Number(figure[at]) + random(8)) % 9) + 1)
      return figure.slice(0, at) + digit + figure.slice(at + 1)
    },
  ],
  ['two digits swapped', (figure) => figure.replace(/(\d)(?!\1)([1-9])/, '$2$1')],
  ['made up', (figure, random) => figure.replace(/\d/g, (_, at) => String(at === 0 ? 1 + random(9) : random(10)))],
]

it.each(CLASSES)('finds at least 80 %% of figures with an error, from four digits on: %s', (_name, plant) => {
  const random = randomOf(7)
  const found = cases.flatMap(({ table, text }) =>
    writtenNumbers(text).flatMap(({ start, end, text: figure, significantDigits }) => {
      const wrong = plant(figure, random)
      if (significantDigits < 4 || wrong === figure) return []
      const checks = checked(table, text.slice(0, start) + wrong + text.slice(end))
      return [checks.some((check) => check.start === start && check.status === 'not_found')]
    }),
  )
  expect(found.length).toBeGreaterThan(150)
  expect(found.filter(Boolean).length / found.length).toBeGreaterThan(0.8)
})

it.each([
  'Dated 2019-03-12, 12.03.2019, 12/03/2019 and since 1987, at 14:35.',
  'Call +49 30 5550199, see [12] and https://example.org/4711/99.75.',
  'Use `limit 4711` or\n```sql\nselect 99.75\n```',
  '1. First\n23. Second\n7 days, 45 people',
  'Invoice INV-2019-0815 of version 2.11.4, part AB1234.',
])('is no figure: %s', (text) => expect(checkFigures(text, '', [])).toEqual([]))

it.each([
  ['1,234.5', '1234.5'],
  ['1.234,5', '1234.5'],
  ['1 234,5', '1234.5'],
  ['12,34,567', '1234567'],
  ["1'234.50", '1234.5'],
  ['1.23 million', '1234567'],
  ['1,2 Mio.', '1234567'],
  ['1235k', '1234567'],
  ['12.35 lakh', '1234567'],
  ['12.3 %', '0.1234'],
])('a number is known in any notation: %s', (written, value) => {
  const [figure] = checkFigures(`It is ${written}`, '', [{ value: Number(value), sources: ['s2'] }])
  expect(figure).toMatchObject({ status: 'found', sources: ['s2'] })
})

it('tells where a figure stands, and how it is supported', () => {
  const rows = [
    { city: 'Rome', sales: 1_250 },
    { city: 'Bari', sales: 3_140 },
  ]
  const text = 'Rome sold 1,250, both 4,390, and Oslo 7,771.'
  const figures = checkFigures(text, '', [{ value: { tabular: { columns: ['city', 'sales'], rows } } }])
  expect(figures.map(({ status }) => status)).toEqual(['found', 'derived', 'not_found'])
  expect(figures.map(({ start, end }) => text.slice(start, end))).toEqual(['1,250', '4,390', '7,771'])
})

it('a computation counts only where its numbers were found', () => {
  const computed = (expression: string, value: number) => ({
    value,
    isComputed: true,
    input: { expressions: [expression] },
  })
  const rows = { value: { tabular: { columns: ['net'], rows: [{ net: 1543.5 }] } }, sources: ['s1'] }
  const statuses = (...evidence: Evidence[]) => checkFigures('It is 7,654.5', '', evidence).map(({ status }) => status)
  expect(statuses(rows, computed('1543.5 * 4 + 1480.5', 7654.5))).toEqual(['not_found'])
  expect(statuses(rows, computed('1543.5 * 4 + 1543.5', 7654.5))).toEqual(['derived'])
  expect(statuses(computed('7600 + 54.5', 7654.5))).toEqual(['not_found'])
})

it('nothing follows from figures that were not found', () => {
  const figures = checkFigures('Of 2,000 m he walked 60 a minute, which makes 33.3 minutes.', '', [])
  expect(figures.map(({ text, status }) => [text, status])).toEqual([['33.3', 'not_found']])
})

it('a computed value is derived', () => {
  expect(checkFigures('It is 78.54', '', [{ value: 78.54, isComputed: true }])[0]!.status).toBe('derived')
})

const numbers = (count: number, between: string): string =>
  Array.from({ length: count }, (_, i) => 123_457 + i * 3_001).join(between)
const tableOf = (columns: number): string =>
  [(i: number) => `c${i}`, ...Array.from('aabbab', (cell) => () => cell)]
    .map((cellOf) => Array.from({ length: columns }, (_, i) => cellOf(i)).join(','))
    .join('\n')

it.each<[string, (size: number) => [answer: string, question: string, evidence: string]]>([
  ['figures in one sentence', (size) => [numbers(size / 7, ' '), '', '']],
  ['figures of question and answer', (size) => [numbers(size / 8, '.\n'), 'word 777777 '.repeat(size / 12), '']],
  ['columns', (size) => ['It is 12,345.', '', tableOf(size / 12)]],
  ['zeros within a number', (size) => ['It is 12,345.', '', `1${'0'.repeat(size * 3)}1`]],
  ['marks within a cell', (size) => ['It is 12,345.', '', `a,b\n1${'*'.repeat(size * 3)}x,2`]],
])('takes linear time for %s', (_name, textsOf) => {
  const costOf = (size: number): number => {
    const [answer, question, value] = textsOf(size)
    const costs = [1, 2, 3].map(() => {
      const before = process.cpuUsage()
      checkFigures(answer, question, [{ value }])
      return process.cpuUsage(before).user
    })
    return Math.min(...costs)
  }
  // Of four times the text. Linear time is 4 times as long, quadratic 16 times.
  expect(costOf(16_000)).toBeLessThan(8 * costOf(4_000) + 50_000)
})
