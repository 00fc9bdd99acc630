import { expect, it } from 'vitest'
import { BY_USER } from '../../domain/provenance.ts'
import type { ToolIo } from '../../domain/tool.ts'
import { chartTool } from './chart.ts'

const MONTHS = [
  { month: '2026-01', revenue: '120.50', cost: 80 },
  { month: '2026-02', revenue: 150, cost: null },
]

function draw(input: Readonly<Record<string, unknown>>, results: Readonly<Record<string, unknown>> = {}) {
  const { tool } = chartTool()
  const io: ToolIo = {
    signal: new AbortController().signal,
    idempotencyKey: 'k',
    provenance: BY_USER,
    epoch: 0,
    earlier: [],
    result: (id) => results[id],
  }
  return tool.run({ type: 'bar', title: 'Revenue', x: 'month', series: ['revenue'], ...input }, io)
}

it('keeps the cells that are drawn, numbers as numbers', async () => {
  expect(await draw({ type: 'line', series: ['revenue', 'cost'], rows: MONTHS })).toMatchObject({
    rows: [
      { month: '2026-01', revenue: 120.5, cost: 80 },
      { month: '2026-02', revenue: 150, cost: null },
    ],
  })
  expect(await draw({ rows: MONTHS })).not.toHaveProperty('rows.0.cost')
})

it('takes the rows of an earlier result', async () => {
  const tabular = { columns: ['month', 'revenue'], rows: MONTHS, rowCount: 2 }
  expect(await draw({ result: 's1' }, { s1: { tabular } })).toMatchObject({ rows: [{ month: '2026-01' }, {}] })
})

it.each([
  ['an unknown column', { series: ['profit'], rows: MONTHS }, 'Available: month, revenue, cost.'],
  ['a series of texts', { series: ['month'], x: 'revenue', rows: MONTHS }, 'Row 1 of "month" is no number: "2026-01"'],
  ['too many points', { rows: Array.from({ length: 201 }, (_none, month) => ({ month, revenue: 1 })) }, 'aggregate'],
  ['several rows for one place', { rows: [...MONTHS, MONTHS[0]] }, '"2026-01" is in several rows of "month"'],
  ['a pie of two series', { type: 'pie', series: ['revenue', 'cost'], rows: MONTHS }, 'one series'],
  ['a pie with a negative part', { type: 'pie', rows: [{ month: 'a', revenue: -1 }] }, 'from zero on'],
  ['no rows', {}, 'either as result or as rows'],
])('reports the fault of %s', async (_name, input, message) => {
  await expect(draw(input)).rejects.toMatchObject({ code: 'ToolError', message: expect.stringContaining(message) })
})
