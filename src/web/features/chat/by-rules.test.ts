import { expect, it } from 'vitest'
import type { RunEvent } from '../../../client/run.ts'
import { RunLog } from '../../run/run-log.ts'
import { byRulesOf } from './by-rules.ts'

const DOWN = 'scripted cannot be reached (ECONNREFUSED)'

/** A run whose model calls went so, and whose answer is this. */
function told(calls: readonly object[], answer: object, hasModel = true): ReturnType<typeof byRulesOf> {
  const run = new RunLog()
  const bodies: readonly object[] = [
    { type: 'run.started', request: { question: 'A joke?', context: {}, strategy: 'pipeline' } },
    ...calls.map((call) => ({ type: 'call.finished', kind: 'model', key: 'sql', name: 'sql.generate', ...call })),
    { type: 'answer.composed', answer: 'This could not be answered.', by: 'fallback', isAnswered: false, ...answer },
  ]
  for (const [at, body] of bodies.entries())
    run.apply({ runId: 'r', seq: at + 1, at: '2026-11-23T10:00:00.000Z', v: 1, ...body } as RunEvent)
  return byRulesOf(run.view()!, hasModel)
}

const worked = { by: 'model' }
const missed = { by: 'fallback', reason: DOWN }

it('says of a question that was not answered that the model was not to be had', () => {
  expect(told([missed], {})).toEqual({ did: 'all', why: DOWN })
  expect(told([worked, missed], {})).toEqual({ did: 'some', why: DOWN })
})

it('says nothing of it where a model did all, where it made no difference, or where none is set up', () => {
  expect(told([worked], {})).toBeUndefined()
  expect(told([{ ...missed, key: 'remember:1', name: 'memory.extract' }], {})).toBeUndefined()
  expect(told([missed], {}, false)).toBeUndefined()
  expect(told([missed], { isAnswered: true })).toBeUndefined()
})

it('says why rules put an answer into words', () => {
  expect(told([missed], { isAnswered: true, reason: DOWN })).toEqual({ did: 'wording', why: DOWN })
  expect(told([worked], { isAnswered: true, by: 'model', reason: 'left out' })).toBeUndefined()
})
