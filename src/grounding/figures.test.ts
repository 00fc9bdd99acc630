import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { FigureCheck } from '../domain/answer.ts'
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

it('marks at most 2 % of true figures', () => {
  const figures = cases.flatMap(({ table, text }) => checked(table, text))
  const marked = figures.filter(({ status }) => status === 'not_found')
  expect(figures.length).toBeGreaterThan(400)
  expect(marked.length / figures.length, marked.map(({ text }) => text).join('; ')).toBeLessThan(0.02)
})

/** Deterministic pseudo-random numbers. */
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
  'By ISO 14067 and RFC 9110 section 15.',
  'Invoice INV-2019-0815 of version 2.11.4, part AB1234.',
  'Fällig sind Nr. 8 (4.11.), Nr. 9 (5.11.) und INV-2019-0844 und -0846.',
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
  ['Rs.12,34,567.00', '1234567'],
  ['12.3 %', '0.1234'],
])('a number is known in any notation: %s', (written, value) => {
  const [figure] = checkFigures(`It is ${written}`, '', [{ value: Number(value), sources: ['s2'] }])
  expect(figure).toMatchObject({ status: 'found', sources: ['s2'] })
})

it('returns the position of a figure, and its support', () => {
  const rows = [
    { city: 'Rome', sales: 1_250 },
    { city: 'Bari', sales: 3_140 },
  ]
  const text = 'Rome sold 1,250, both 4,390, and Oslo 7,771.'
  const figures = checkFigures(text, '', [{ value: { tabular: { columns: ['city', 'sales'], rows } } }])
  expect(figures.map(({ status }) => status)).toEqual(['found', 'derived', 'not_found'])
  expect(figures.map(({ start, end }) => text.slice(start, end))).toEqual(['1,250', '4,390', '7,771'])
})

it.each([
  ['a list', (mails: object) => mails],
  ['JSON behind other text', (mails: object) => `[s1] 2 mails\n${JSON.stringify(mails, null, 2)}`],
  ['JSON within JSON', (mails: object) => ({ content: [{ type: 'text', text: `Found:\n${JSON.stringify(mails)}` }] })],
])('a sum over two results is derived, also from values in %s', (_name, shown) => {
  const mails = [{ total: '1200.40' }, { total: '437.00' }]
  const orders = { tabular: { columns: ['total'], rows: [{ total: 800 }] } }
  const figures = checkFigures('In total 2,437.40; not 2,473.40.', '', [{ value: shown(mails) }, { value: orders }])
  expect(figures.map(({ status }) => status)).toEqual(['derived', 'not_found'])
})

const result = (...rows: readonly object[]): Evidence => ({
  value: { tabular: { columns: Object.keys(rows[0]!), rows } },
  sources: ['s1'],
})
const deliveries = result(
  ...[4_292.4, 5_428.2, 3_588, 1_852.8, 5_079.4, 9_544.7, 877.8, 4_915.9, 3_645.5].map((total, i) => ({
    id: 110 + 7 * i,
    late: [0, 1, 3, 4, 7, 8].includes(i) ? 3 : 0,
    total,
  })),
)
const years = [183, 253, 309].map((orders, i) => ({ year: `${2024 + i}`, revenue: 176_474 + i * 41_364, orders }))
const overdue = result({ invoices: 10, amount: 6_774.18 })

it.each<[string, string, string, ...Evidence[]]>([
  ['complement of a percentage', '42.2 % were closed in time. The other 57.8 % were not.', '57.8', result({ p: 42.2 })],
  ['complement of a share that is not told', 'It took longer for 57.8 %.', '57.8', result({ p: 0.422 })],
  ['ratio of two results', 'It is €677 each.', '677', result({ n: 10 }), result({ amount: 6_774.18 })],
  ['sum of the first rows', 'The first three cost 13,308.60.', '13,308.60', deliveries],
  ['sum of rows with the same number', 'The late ones cost €25,214 in all.', '25,214', deliveries],
  ['sum of rows in the middle', 'The third to the fifth cost 10,520.20.', '10,520.20', deliveries],
  [
    'sum of rows that the answer lists',
    'Drop these:\n\n| id | total |\n|---|---|\n| 110 | 4,292.40 |\n| 131 | 1,852.80 |\n| 152 | 877.80 |\n\nTogether they cost 7,023.00.',
    '7,023.00',
    deliveries,
  ],
  ['share of the first rows', 'That is 40.8 % of the first three.', '40.8', deliveries],
  ['round number below a difference', 'They are a little over 126,000 apart.', '126,000', result(...years)],
  ['half of a computed value', 'Half of it is €10.69.', '10.69', { value: { freight: 21.38 }, isComputed: true }],
  [
    'growth between computed values',
    'It grows by 6.53 %.',
    '6.53',
    { value: '{"margin":114813.77,"new":122310.46}', isComputed: true },
  ],
  [
    'ratio to a figure at the beginning',
    'Revenue is €259,202.\n\nWorries:\n\n1. **Stock**: low.\n2. **Invoices**: 10, €6,774 in all; that is only 2.6 %.',
    '2.6',
    result(...years),
    overdue,
  ],
  [
    'change against the same quarter of the year before',
    'The first quarter grew by 26.3 %.',
    '26.3',
    result(...[60_640.43, 71_114, 80_201, 83_930.69, 76_592.99, 77_311, 81_005, 95_862.56].map((total) => ({ total }))),
  ],
  ['mean of the first rows', 'The first three cost 4,436.20 on average.', '4,436.20', deliveries],
  ['sum of rows that numbers name', 'Numbers 110, 131 and 152 cost 7,023.00.', '7,023.00', deliveries],
  [
    'product within a calculation',
    'Service costs 7,250.',
    '7,250',
    { value: 'The fee is 1450 a year, the machine 48900.', sources: ['s1'] },
    { value: 56_150, isComputed: true, input: { expressions: ['48900 + 5 * 1450'] } },
  ],
  [
    'second step from a rounded figure',
    'A day costs 5.04.\n\nIn 261 days of a year that makes 1,316.',
    '1,316',
    result({ refunds: 1_094.47, days: 217 }),
    result({ days: 261 }),
  ],
  [
    'rounding of a figure beside it',
    'Ten bring about 17,400: 10 × 1,740.80 = 17,408.',
    '17,400',
    result({ p: 1_740.8 }),
  ],
  [
    'half, rounded to the nearest 5',
    'That leaves 1,748, two orders of about 875.',
    '875',
    result({ kg: 4_252, of: 6_000 }),
  ],
  [
    'total of what follows from the question and a policy',
    '| item | calculation | amount |\n|---|---|---|\n| hotel | 3 × 165 | 495.00 |\n| car | 420 × 0.42 | 176.40 |\n| meals | 4 × 48 | 192.00 |\n| total | | 863.40 |',
    '863.40',
    result({ hotel: 165, km: 0.42, meals: 48, driven: 420 }),
  ],
  ['sum of rows in another unit', 'The first three weigh 13.3 tonnes.', '13.3', deliveries],
])('is derived, and a changed figure is not: %s', (_name, answer, figure, ...evidence) => {
  const statusOf = (text: string, written: string) =>
    checkFigures(text, '', evidence).find((one) => one.text === written)?.status
  expect(statusOf(answer, figure)).toBe('derived')
  const wrong = figure.replace(/\d/g, (digit) => String((Number(digit) + 4) % 10 || 9))
  expect(statusOf(answer.replace(figure, wrong), wrong)).toBe('not_found')
})

it('a computation counts only if its numbers were found', () => {
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

it('a two-digit number in a program that computes with results does not disqualify its output', () => {
  const code = 'for k in range(19, 24): print(k, 250 / k, k * 12 + (k - 1) * 4)'
  const printed = { value: { stdout: '21 11.9 332' }, isComputed: true, input: { code } }
  expect(checkFigures('It takes 332 minutes.', 'How long for 250 kg?', [printed])[0]!.status).toBe('derived')
})

it('figures that were not found support no others', () => {
  const figures = checkFigures('Of 2,000 m he walked 60 a minute, which makes 33.3 minutes.', '', [])
  expect(figures.map(({ text, status }) => [text, status])).toEqual([['33.3', 'not_found']])
})

it('a computed value is derived', () => {
  expect(checkFigures('It is 78.54', '', [{ value: 78.54, isComputed: true }])[0]!.status).toBe('derived')
})
