import { expect, it } from 'vitest'
import type { RunEvent } from '../../domain/events.ts'
import { ProgressLines } from './progress-lines.ts'

it('reports once that a run continues, until there is progress', () => {
  const lines = new ProgressLines()
  const resumed = { type: 'run.resumed', worker: 'w', runId: 'abcdefgh1', seq: 2, at: '', v: 1 } as RunEvent
  const limit = {
    type: 'budget.exhausted',
    limit: 'calls',
    message: 'Enough.',
    runId: 'abcdefgh1',
    seq: 3,
    at: '',
    v: 1,
  }
  const said = [resumed, resumed, limit as RunEvent, resumed].map((event) => lines.take(event)?.text)
  expect(said).toEqual(['Run abcdefgh continues', undefined, 'Enough.', 'Run abcdefgh continues'])
})

it('reports nothing for a run that its own process left waiting', () => {
  const resumed = { type: 'run.resumed', worker: 'w', after: 'wait', runId: 'abcdefgh1', seq: 2, at: '', v: 1 }
  expect(new ProgressLines().take(resumed as RunEvent)).toBeUndefined()
})
