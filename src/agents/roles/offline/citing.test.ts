import { describe, expect, it } from 'vitest'
import type { AgentResult } from '../../../core/response.ts'
import type { Source } from '../../../core/result.ts'
import { numberSources, resolveMarks, withMarks } from './citing.ts'

const source = (name: string, kind: Source['kind'] = 'document'): Source => ({ kind, name })

function result(
  agent: string,
  answer: string,
  sources: readonly Source[],
  more: Partial<AgentResult> = {},
): AgentResult {
  return { agent, task: agent, status: 'succeeded', answer, sources, ...more }
}

describe('numbers of sources', () => {
  it('hold for the whole run, and go on from agent to agent', () => {
    const { citations, answers } = numberSources([
      result('rag', 'Seven days [1]. With photographs [2].', [source('a.pdf'), source('b.pdf')]),
      result('web', 'Elsewhere it is ten [1].', [source('news', 'web')]),
    ])
    expect(citations.map(({ n, source: { name }, agent }) => [n, name, agent])).toEqual([
      [1, 'a.pdf', 'rag'],
      [2, 'b.pdf', 'rag'],
      [3, 'news', 'web'],
    ])
    expect(answers.get('web')).toBe('Elsewhere it is ten [3].')
  })

  it('are given once to a place that two agents found', () => {
    const both = [
      result('one', 'A [1].', [source('a.pdf')]),
      result('two', 'B [1][2].', [source('b.pdf'), source('a.pdf')]),
    ]
    const { citations, answers } = numberSources(both)
    expect(citations).toHaveLength(2)
    expect(answers.get('two')).toBe('B [2][1].')
  })

  it('tell passages of one document apart', () => {
    const at = (start: number): Source => ({ ...source('a.pdf'), passage: { documentId: 'd', start, end: start + 9 } })
    expect(numberSources([result('rag', 'A [1]. B [2].', [at(0), at(50)])]).citations).toHaveLength(2)
  })

  it('are not read into the results of agents that do not cite, nor of those that failed', () => {
    const { citations, answers } = numberSources([
      result('rag', 'x [1]', [source('a.pdf')], { status: 'failed' }),
      result('computation', 'The list is [1].', [source('Python', 'computation')]),
    ])
    expect(answers.get('computation')).toBe('The list is [1].')
    expect(citations.map(({ agent }) => agent)).toEqual(['computation'])
  })
})

describe('marks', () => {
  it('are put behind an answer that has none of its own', () => {
    expect(withMarks('87 orders.', [2, 3])).toBe('87 orders. [2][3]')
    expect(withMarks('87 orders [2].', [2, 3])).toBe('87 orders [2].')
    expect(withMarks('87 orders.', [])).toBe('87 orders.')
  })

  it('that stand for nothing are taken out and told', () => {
    const { citations } = numberSources([result('rag', '[1] [2]', [source('a.pdf'), source('b.pdf')])])
    expect(resolveMarks('Seven days [2][7]. Ten [9, 1].', citations)).toEqual({
      answer: 'Seven days [2]. Ten [1].',
      cited: citations,
      removed: [7, 9],
    })
  })

  it('never leave one behind, however they are nested', () => {
    const { citations } = numberSources([result('rag', '[1]', [source('a.pdf')])])
    expect(resolveMarks('[[9]8] [7[9]] [6[9], 5]', citations).answer).not.toMatch(/\[\d+(\s*,\s*\d+)*\]/)
  })
})
