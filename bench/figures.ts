/** What the check of figures costs: 200 sentences over a table, a third of them with a figure that is nowhere. */
import { checkFigures } from '../src/grounding/figures.ts'
import { median } from './measure.ts'

const ROWS = 60
const SENTENCES = 200
const ROUNDS = 15

/** Milliseconds for one answer, median of several after the first third. */
export function figuresCost(): number {
  const rows = Array.from({ length: ROWS }, (_, i) => ({
    customer: `Customer ${i} Ltd`,
    revenue: 10_000 + ((i * 7_919) % 90_000) + 0.25,
    orders: 100 + ((i * 31) % 400),
  }))
  const evidence = [{ value: { tabular: { columns: ['customer', 'revenue', 'orders'], rows } }, sources: ['s1'] }]
  const answer = Array.from({ length: SENTENCES }, (_, i) => {
    const { customer, revenue, orders } = rows[i % ROWS]!
    const figure = i % 3 === 0 ? revenue * 1.0137 : revenue / orders
    return `${customer} bought for ${revenue.toFixed(2)} in ${orders} orders, which is ${figure.toFixed(2)}.`
  }).join('\n')
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    checkFigures(answer, 'How much did each customer buy?', evidence)
    return performance.now() - start
  })
  return median(times.slice(ROUNDS / 3))
}
