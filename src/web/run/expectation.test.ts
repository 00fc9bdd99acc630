import { describe, expect, it } from 'vitest'
import { RUNS } from '../../../test/web/gallery/runs.ts'
import { responseOf } from '../../domain/response.ts'
import { fold } from '../../domain/state.ts'
import { checksOf } from '../../evaluation/scorers.ts'
import { defaultExpectation } from './expectation.ts'

const OVER = Object.entries(RUNS).filter(([, events]) => fold(events).status === 'finished')

describe('the expectation of an evaluation case', () => {
  it.each(OVER)('matches its own answer: %s', (_name, events) => {
    const state = fold(events)
    const { kind, text } = defaultExpectation(state)
    const { data } = state.answer!
    const response = { ...responseOf(events), ...(data === undefined ? {} : { data }) }
    expect(kind === 'refusal').toBe(!response.metadata.isAnswered)
    if (kind === 'refusal') return
    expect(text).not.toBe('')
    if (kind === 'judge') return
    const parts = text.split('; ')
    const checks = checksOf(kind === 'number' ? { number: parts.map(Number) } : { contains: parts }, response)
    expect(checks.filter(({ passed }) => !passed)).toEqual([])
    expect(checks.length).toBeGreaterThan(0)
  })

  it('comes from the answer: figures of one row, names of several, else its words', () => {
    const answer = { text: 'It is so [1].', by: 'fallback', citations: [] } as const
    const withRows = (...rows: Record<string, unknown>[]) =>
      defaultExpectation({
        answer: { ...answer, data: { columns: Object.keys(rows[0]!), rows, rowCount: rows.length } },
      })
    expect(withRows({ orders: 3, refunded: '218.09' })).toEqual({ kind: 'number', text: '3; 218.09' })
    expect(withRows({ n: 4, city: 'Leeds' }, { n: 2, city: 'Turin' })).toEqual({
      kind: 'contains',
      text: 'Leeds; Turin',
    })
    expect(withRows({ n: 4 }, { n: 2 })).toEqual({ kind: 'judge', text: 'It is so.' })
    expect(defaultExpectation({ answer: { ...answer, isAnswered: false } })).toEqual({ kind: 'refusal', text: '' })
    expect(defaultExpectation({})).toEqual({ kind: 'number', text: '' })
  })
})
