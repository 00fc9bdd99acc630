import { expect, it } from 'vitest'
import { request } from '../../test/support/engine-world.ts'
import type { ErrorCode, ErrorInfo } from './errors.ts'
import { logOf, planSet } from '../../test/support/strategy-events.ts'
import type { EventBody } from './events.ts'
import { BY_USER } from './provenance.ts'
import { responseOf } from './response.ts'

const START: EventBody = { type: 'run.started', request: request([]) }
const refused = (type: ErrorCode): ErrorInfo => ({ type, message: 'No.' }) as ErrorInfo

/** A run whose only task ended with this error, and whose answer came from the conversation. */
function recalledAfter(type: ErrorCode) {
  const result = { status: 'failed', error: refused(type), provenance: BY_USER, latencyMs: 1 } as const
  return responseOf(
    logOf(
      START,
      planSet([{ id: 'mail', agent: 'mail', text: 'Send it', dependsOn: [] }]),
      { type: 'job.started', key: 'mail', actor: 'mail', attempt: 1 },
      { type: 'job.settled', key: 'mail', result },
      { type: 'answer.composed', answer: 'It is as said before.', by: 'model', isAnswered: true },
    ),
  ).metadata
}

it.each(['ApprovalDenied', 'ApprovalTimedOut', 'ApprovalExpired'] as const)(
  'a call that was not made stays unanswered when the answer comes from the conversation: %s',
  (type) => expect(recalledAfter(type).unanswered).toEqual(['Send it']),
)

it('an answer from the conversation needs no agent', () => {
  expect(recalledAfter('PlanningDeclined')).toMatchObject({ isAnswered: true, unanswered: [] })
})

interface Ended {
  readonly text?: string
  readonly open?: readonly string[]
  readonly error?: ErrorCode
}

/** A run of several tasks that were answered, partly answered, or failed. */
function endedWith(question: string, ends: readonly Ended[]) {
  const tasks = ends.map(({ text }, i) => ({ id: `t${i}`, agent: `a${i}`, dependsOn: [], ...(text && { text }) }))
  const jobs = ends.flatMap(({ open, error }, i): EventBody[] => {
    const outcome =
      error === undefined
        ? ({ status: 'succeeded', answer: 'A passage.' } as const)
        : ({ status: 'failed', error: refused(error) } as const)
    const result = { ...outcome, ...(open && { unanswered: open }), provenance: BY_USER, latencyMs: 1 }
    return [
      { type: 'job.started', key: `t${i}`, actor: `a${i}`, attempt: 1 },
      { type: 'job.settled', key: `t${i}`, result },
    ]
  })
  const start: EventBody = { type: 'run.started', request: { ...request([]), question } }
  const answer: EventBody = { type: 'answer.composed', answer: 'A passage.', by: 'fallback', isAnswered: true }
  const { isAnswered, unanswered } = responseOf(logOf(start, planSet(tasks), ...jobs, answer)).metadata
  return [isAnswered, unanswered]
}

it.each<[string, readonly Ended[], boolean, readonly string[]]>([
  ['a passage beside a failed query', [{ error: 'QueryError' }, {}], false, ['How many mills, and where?']],
  ['the whole in other marks', [{ open: ['how many mills and where'] }], false, ['how many mills and where']],
  [
    'each part',
    [
      { text: 'mills', open: ['Mills?'] },
      { text: 'where', error: 'QueryError' },
    ],
    false,
    ['where', 'Mills?'],
  ],
  ['one of two parts', [{ text: 'mills', open: ['mills'] }, { text: 'where' }], true, ['mills']],
  ['a part of one', [{ text: 'mills and their owners', open: ['their owners'] }], true, ['their owners']],
  ['the whole by an agent that declined it', [{ error: 'PlanningDeclined' }, { text: 'mills' }], true, []],
  ['nothing', [{}], true, []],
])('is answered unless all parts are open: %s', (_what, ends, isAnswered, unanswered) => {
  expect(endedWith('How many mills, and where?', ends)).toEqual([isAnswered, unanswered])
})

/** Notices of a run of the assistant whose turns each made one call of a tool, with or without an error. */
function noticesAfter(...calls: (readonly [name: string, error?: ErrorInfo])[]) {
  const key = 'assistant'
  const turns = calls.flatMap(([name, error], at): EventBody[] => {
    const reply = {
      role: 'assistant' as const,
      model: 'm',
      parts: [{ type: 'tool-call' as const, id: `c${at}`, name, input: {} }],
    }
    return [
      { type: 'turn.finished', key, turn: at + 1, reply, requests: 1, latencyMs: 1, provenance: BY_USER },
      { type: 'call.answered', key, name, turn: at + 1, index: 0, text: '', ...(error && { error }) },
    ]
  })
  const log = logOf(
    START,
    { type: 'job.started', key, actor: key, attempt: 1 },
    { type: 'transcript.started', key, head: { instructions: '', tools: [], messages: [] } },
    ...turns,
    { type: 'answer.composed', answer: 'So.', by: 'model', isWhole: true },
  )
  return responseOf(log).notices.map(({ code, text }) => [code, text])
}

it('failed queries are one short notice, and none after a later success', () => {
  const failed = (n: number): ErrorInfo => ({ type: 'QueryError', message: `no such column: c${n}\nGenerate another.` })
  const notices = noticesAfter(['query', failed(1)], ['query', failed(2)])
  expect(notices).toEqual([['remark', 'A call gave no result: the query to the database failed.']])
  expect(noticesAfter(['query', failed(1)], ['query'])).toEqual([])
})

it('a denied call is a notice until a similar one was made', () => {
  const error: ErrorInfo = { type: 'ApprovalDenied', message: 'You denied sending this mail.' }
  expect(noticesAfter(['send_email'], ['send_email', error])).toEqual([['denied', error.message]])
  expect(noticesAfter(['send_email', error], ['send_email'])).toEqual([])
})

it('a result has its dependencies, confidence and usage, and with a trace its own lines', () => {
  const tasks = ['a', 'b'].map((id) => ({ id, agent: id, text: id, dependsOn: id === 'b' ? ['a'] : [] }))
  const usage = { calls: 1, inputTokens: 1, outputTokens: 2, costUsd: 0 }
  const result = { status: 'succeeded', confidence: 0.3, usage, provenance: BY_USER, latencyMs: 1 } as const
  const jobs = tasks.flatMap(({ id: key, dependsOn }): EventBody[] => [
    { type: 'job.started', key, actor: key, attempt: 1, dependsOn },
    { type: 'note', key, actor: key, kind: 'TOOL', message: `Work of ${key}`, data: {} },
    { type: 'job.settled', key, result },
  ])
  const start: EventBody = { type: 'run.started', request: { ...request([]), trace: true } }
  const { agentResults, trace } = responseOf(logOf(start, planSet(tasks), ...jobs))
  expect(agentResults[0]).not.toHaveProperty('dependencies')
  expect(agentResults[1]).toMatchObject({ task: 'b', dependencies: ['a'], confidence: 0.3, usage })
  expect(agentResults[1]!.trace!.map(({ message }) => message)).toEqual(['Started', 'Work of b', 'Finished: succeeded'])
  expect(trace).toHaveLength(8)
})
