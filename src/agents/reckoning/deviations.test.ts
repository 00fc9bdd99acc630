import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tableFromArrays, type Table } from '../../core/table.ts'
import { compute } from './index.ts'

const contracts = (rows: readonly (readonly unknown[])[]): Table =>
  tableFromArrays(['contract_id', 'supplier', 'unit_price', 'currency'], rows)
const invoices = (rows: readonly (readonly unknown[])[]): Table =>
  tableFromArrays(['invoice_id', 'contract_id', 'issued_on', 'unit_price', 'currency'], rows)

const compare = (some: Table, others: Table, question = 'Compare the invoices with the contracts') =>
  compute(question, [
    { name: 'invoices', table: some },
    { name: 'contracts', table: others },
  ])

const price = fc.integer({ min: 1, max: 9 }).map((cents) => cents / 4)
const contract = fc.record({ price, currency: fc.constantFrom('EUR', 'USD') })
/** What is wrong with an invoice, each as likely as nothing. */
const planted = fc.constantFrom('nothing', 'price', 'currency', 'both', 'stranger', 'none')

it('reports exactly the rows that deviate, whatever was planted, however numbers are written', () => {
  const world = fc.record({
    contracts: fc.array(contract, { minLength: 1, maxLength: 8 }),
    invoices: fc.array(fc.record({ of: fc.nat(), is: planted, asText: fc.boolean() }), { minLength: 1, maxLength: 30 }),
  })
  fc.assert(
    fc.property(world, ({ contracts: signed, invoices: sent }) => {
      const rows = sent.map(({ of, is, asText }, i) => {
        const at = of % signed.length
        const { price: agreed, currency } = signed[at]!
        const paid = is === 'price' || is === 'both' ? agreed + 0.25 : agreed
        const other = currency === 'EUR' ? 'USD' : 'EUR'
        const id = is === 'stranger' ? 'C-99' : is === 'none' ? null : `C-${at}`
        return [
          `I-${i}`,
          id,
          '2026-01-01',
          asText ? paid.toFixed(4) : paid,
          is === 'currency' || is === 'both' ? other : currency,
        ]
      })
      const found = compare(
        invoices(rows),
        contracts(signed.map((one, at) => [`C-${at}`, `S-${at}`, one.price, one.currency])),
      )
      if (found.kind !== 'finding') throw new Error(found.reason)
      const wanted = sent.flatMap(({ is }, i) => {
        const columns = { nothing: [], price: ['unit_price'], currency: ['currency'], both: ['unit_price', 'currency'] }
        const own = is === 'stranger' || is === 'none' ? ['contract_id'] : columns[is as keyof typeof columns]
        return own.map((column) => `I-${i} ${column}`)
      })
      expect((found.table?.rows ?? []).map((row) => `${String(row['invoice_id'])} ${String(row['column'])}`)).toEqual(
        wanted,
      )
      const deviant = sent.filter(({ is }) => is !== 'nothing').length
      expect(found.value).toBe(deviant)
      expect(found.answer).toMatch(
        deviant === 0 ? /^None of the \d+ invoices deviates/ : new RegExp(`^${deviant} of the ${sent.length} `),
      )
    }),
    { numRuns: 400, seed: 7 },
  )
})

const ONE = invoices([['I-1', 'C-1', '2026-01-01', 5, 'EUR']])
const SIGNED = contracts([['C-1', 'S', 5, 'EUR']])

it.each([
  ['a table that was cut off', { ...ONE, truncated: true }, SIGNED, 'was cut off'],
  ['the other one that was cut off', ONE, { ...SIGNED, truncated: true }, 'was cut off'],
  ['a table without rows', ONE, contracts([]), 'has no rows'],
  [
    'a key that names several rows',
    ONE,
    contracts([
      ['C-1', 'S', 5, 'EUR'],
      ['C-1', 'T', 6, 'EUR'],
    ]),
    'cannot tell by which column',
  ],
  [
    'tables without a key',
    tableFromArrays(['a', 'b'], [[1, 2]]),
    tableFromArrays(['c', 'd'], [[1, 2]]),
    'cannot tell by which column',
  ],
  [
    'two columns that may be the key',
    tableFromArrays(['nr', 'contract_id', 'old_contract_id'], [[1, 2, 3]]),
    tableFromArrays(['id', 'price'], [[2, 3]]),
    'may name their contracts by contract_id or old_contract_id',
  ],
  [
    'no column to compare',
    tableFromArrays(['nr', 'contract_id'], [[1, 2]]),
    tableFromArrays(['id', 'price'], [[2, 3]]),
    'no column in common',
  ],
])('declines %s rather than guess', (_what, some, others, reason) => {
  expect(compare(some, others)).toMatchObject({ kind: 'refusal', reason: expect.stringContaining(reason) })
})

it('does not compare what only looks like it: other words, one table, days of writing', () => {
  expect(compare(ONE, SIGNED, 'Compare the invoices with the offers').kind).toBe('refusal')
  expect(compare(ONE, SIGNED, 'Compare the invoices of March with the contracts').kind).toBe('refusal')
  const later = tableFromArrays(['contract_id', 'unit_price', 'created_at'], [['C-1', 5, '2020']])
  const created = tableFromArrays(
    ['invoice_id', 'contract_id', 'unit_price', 'created_at'],
    [['I-1', 'C-1', 5, '2026']],
  )
  expect(compare(created, later)).toMatchObject({ kind: 'finding', value: 0 })
})
