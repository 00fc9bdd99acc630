import { describe, expect, it } from 'vitest'
import { stages, type Task } from '../../domain/plan.ts'
import { NO_USAGE } from '../../domain/usage.ts'
import type { PlannedQuestion } from '../../engine/run/plan-question.ts'
import { planText } from './plan.ts'
import { createStyle } from './style.ts'

const plain = createStyle(false)

function planned(tasks: readonly Task[], more: Partial<PlannedQuestion> = {}): PlannedQuestion {
  return {
    question: 'Compare the budget with benchmarks',
    strategy: 'graph',
    intent: 'find out, then work it out',
    entities: { date_range: { from: '2026-07-01', to: '2026-09-30' }, names: ['Acme', 'Bolt'] },
    tasks,
    stages: more.strategy === 'pipeline' ? tasks.map((task) => [task]) : stages({ tasks }),
    rationale: 'Both are needed.',
    confidence: 0.9,
    guardrails: {},
    usage: NO_USAGE,
    ...more,
  }
}

const task = (id: string, agent: string, dependsOn: string[] = [], more: Partial<Task> = {}): Task => ({
  id,
  agent,
  dependsOn,
  ...more,
})

const DIAMOND = [
  task('rag', 'rag', [], { text: 'Find the budget', tools: ['search_documents'] }),
  task('web', 'web', [], {
    text: 'Find benchmarks',
    entities: { date_range: { from: '2026-01-01' }, names: ['Acme'] },
  }),
  task('code-1', 'code', ['rag', 'web']),
]

describe('a plan in words', () => {
  it('shows the understood request, and the tasks of each stage', () => {
    expect(planText(planned(DIAMOND), plain)).toBe(
      [
        'Intent    find out, then work it out',
        'Entities  date range: 2026-07-01 to 2026-09-30; names: Acme, Bolt',
        'Strategy  graph',
        'Why       Both are needed. (confidence 0.9)',
        '',
        'Stage 1, 2 tasks side by side',
        '  rag',
        '    Find the budget',
        '    with search_documents',
        '  web',
        '    Find benchmarks',
        '    date range: from 2026-01-01; names: Acme',
        '',
        'Stage 2',
        '  code-1 (code), after rag, web',
        '    Compare the budget with benchmarks',
      ].join('\n'),
    )
  })

  it('cannot move the cursor', () => {
    const text = planText(
      planned([task('a', 'rag', [], { text: 'x\u001b[2J\ny' })], { intent: '\u001b]0;t\u0007' }),
      plain,
    )
    expect(text).not.toContain('\u001b')
    expect(text).toContain('    x y')
  })
})
