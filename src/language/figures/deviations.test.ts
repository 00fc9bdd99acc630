import { expect, it } from 'vitest'
import { compareTables } from '../../agents/reckoning/deviations.ts'
import { tableFromArrays } from '../../core/table.ts'
import { deniedDeviations } from './deviations.ts'

const PRICES = Array.from({ length: 6 }, (_none, n) => [`C-${n}`, 10 + n])
const invoices = (wrong: number) => ({
  name: 'invoices',
  table: tableFromArrays(
    ['invoice_id', 'contract_id', 'price'],
    PRICES.map(([contract, price], n) => [`R-${n}`, contract, n < wrong ? 99 : price]),
    false,
  ),
})
const contracts = { name: 'contracts', table: tableFromArrays(['contract_id', 'price'], PRICES, false) }
const said = (wrong: number) => [{ texts: [compareTables(invoices(wrong), contracts).finding.answer] }]

const DENIALS = [
  'All is well: no invoice deviates from its contract.',
  'No deviations were found.',
  'All 6 invoices match their contracts.',
  'Every invoice is in order.',
  'The invoices do not deviate.',
  'Nothing is wrong with them.',
  'R-0 and R-1 are both fine and may be paid.',
  'R-1 matches its contract.',
]
const OTHERS = [
  'Two invoices deviate: R-0 and R-1.',
  'All other invoices match their contracts.',
  'No invoice but R-0 and R-1 deviates.',
  'R-0 does not match its contract.',
  'R-4 is fine.',
  'No deviation was found in R-3.',
  'R-0 has the price 99; the right one is 10.',
  'Not all invoices match.',
  'The invoices should match their contracts.',
]

it.each(DENIALS)('what a program found is not denied: %s', (sentence) => {
  for (const wrong of [2, 3, 6]) expect(deniedDeviations(sentence, said(wrong))).toEqual([sentence])
  expect(deniedDeviations(sentence, said(0)), 'where none deviates').toEqual([])
  expect(deniedDeviations(sentence, [{ texts: ['There are 6 invoices.'] }]), 'where nobody compared').toEqual([])
})

it.each(OTHERS)('what denies nothing stays: %s', (sentence) => {
  expect(deniedDeviations(sentence, said(2))).toEqual([])
})
