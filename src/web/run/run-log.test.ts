import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LiveText, RunEvent } from '../../client/run.ts'
import { outcomeIn } from '../../server/runs/outcomes.ts'
import { RunLog } from './run-log.ts'

const AT = '2026-11-23T10:00:00.000Z'
const BY_USER = { author: 'user', private: false, sources: [] } as const

function log(...bodies: readonly object[]): RunEvent[] {
  return bodies.map((body, at) => ({ runId: 'r', seq: at + 1, at: AT, v: 1, ...body }) as RunEvent)
}

const STARTED = { type: 'run.started', request: { question: 'How many?', context: {}, strategy: 'pipeline' } }
const TEXT = 'Goods that arrive damaged are paid back. 🎁 [1]'

describe('the log of a run, as the app reads it', () => {
  it('has nothing to show before the first event', () => {
    expect(new RunLog().view()).toBeUndefined()
  })

  it('takes each event once, however often it comes', () => {
    const events = log(
      STARTED,
      { type: 'job.started', key: 'sql', actor: 'sql', attempt: 1 },
      { type: 'call.finished', key: 'sql', path: 'sql@1/x', kind: 'tool', name: 'mcp_db_query', latencyMs: 1 },
      {
        type: 'job.settled',
        key: 'sql',
        result: { status: 'succeeded', answer: '3', provenance: BY_USER, latencyMs: 2 },
      },
      { type: 'run.finished' },
    )
    const run = new RunLog()
    for (const event of [...events.slice(0, 3), ...events]) run.apply(event)
    const view = run.view()!
    expect(view.events).toEqual(events)
    expect(view.calls.get('sql')).toHaveLength(1)
    expect(view.isOver).toBe(true)
  })

  it('has the turns of a job with their text, calls and results', () => {
    const call = { type: 'tool-call', id: 'c', name: 'look_up', input: { word: 'one' } }
    const reply = { role: 'assistant', parts: [{ type: 'text', text: 'I look.' }, call] }
    const usage = { inputTokens: 9, outputTokens: 2 }
    const about = { type: 'turn.finished', key: 'a', turn: 1, latencyMs: 5, provenance: BY_USER }
    const run = new RunLog()
    for (const event of log(
      STARTED,
      { type: 'job.started', key: 'a', actor: 'a', attempt: 1 },
      { type: 'transcript.started', key: 'a', head: { instructions: '', tools: [], messages: [] } },
      { ...about, requests: 1, error: { type: 'ModelError', message: 'no' } },
      { ...about, reply, requests: 1, usage, model: 'p:m', finishReason: 'tool-calls' },
      { type: 'call.answered', key: 'a', turn: 1, index: 0, name: 'look_up', text: '3' },
    )) {
      run.apply(event)
    }
    const [failed, answered] = run.view()!.calls.get('a')!
    expect(failed).toMatchObject({ kind: 'model', error: { type: 'ModelError' }, turn: { number: 1, calls: [] } })
    const calls = [{ name: 'look_up', input: { word: 'one' }, result: '3', isError: false }]
    expect(answered).toMatchObject({ model: 'p:m', usage, turn: { number: 1, text: 'I look.', calls } })
  })

  it('reads the same text from any pieces: live, logged, repeated, earlier', () => {
    const pieces = fc.array(fc.nat(TEXT.length), { maxLength: 8 })
    fc.assert(
      fc.property(pieces, fc.infiniteStream(fc.boolean()), (cuts, isRepeated) => {
        const run = new RunLog()
        run.apply(log(STARTED)[0]!)
        const edges = [0, ...cuts.toSorted((a, b) => a - b), TEXT.length]
        for (const [at, end] of edges.slice(1).entries()) {
          const repeated = isRepeated.next().value === true
          const start = repeated ? 0 : edges[at]!
          run.apply(live(1, start, TEXT.slice(start, end)))
        }
        expect(run.view()!.text).toBe(TEXT)
      }),
      { seed: 11 },
    )
  })

  it('has the same outcome as in lists of runs, for any results of its tasks', () => {
    const declined = { status: 'failed', error: { type: 'PlanningDeclined', message: 'Not known.' } }
    const ends = [
      { status: 'succeeded', answer: '3' },
      { status: 'succeeded', answer: '3', unanswered: ['and why'] },
      declined,
      { status: 'failed', error: { type: 'ApprovalDenied', message: 'Denied.' } },
      { status: 'skipped' },
    ]
    const job = fc.record({ text: fc.constantFrom('How many?', 'and why', undefined), end: fc.constantFrom(...ends) })
    const seen = new Set<string>()
    fc.assert(
      fc.property(fc.array(job, { minLength: 1, maxLength: 3 }), fc.boolean(), (jobs, isAnswered) => {
        const tasks = jobs.map(({ text }, i) => ({ id: `t${i}`, agent: 'sql', dependsOn: [], text }))
        const events = log(
          STARTED,
          { type: 'plan.set', plan: { tasks }, by: 'planner', rationale: '' },
          ...jobs.flatMap(({ end }, i) => [
            { type: 'job.started', key: `t${i}`, actor: 'sql', attempt: 1, task: tasks[i] },
            { type: 'job.settled', key: `t${i}`, result: { provenance: BY_USER, latencyMs: 2, ...end } },
          ]),
          { type: 'answer.composed', text: '3', by: 'rules', isAnswered, citations: [] },
          { type: 'run.finished' },
        )
        const run = new RunLog()
        for (const event of events) run.apply(event)
        const shown = { all: 'answered', partly: 'partly', nothing: 'declined' }[run.view()!.answered]
        seen.add(shown)
        expect(shown).toBe(outcomeIn(events))
      }),
      { seed: 11 },
    )
    expect([...seen].toSorted()).toEqual(['answered', 'declined', 'partly'])
  })

  it('starts over with a new part, and ignores a late piece of the previous one', () => {
    const run = new RunLog()
    run.apply(log(STARTED)[0]!)
    run.apply(live(1, 0, 'It is 12.'))
    run.apply(live(2, 0, 'It is 1'))
    run.apply(live(1, 9, ' Surely.'))
    run.apply(live(2, 7, '5.'))
    expect(run.view()!.text).toBe('It is 15.')
  })

  it('shows no text with a gap: later text waits for the missing part', () => {
    const run = new RunLog()
    run.apply(log(STARTED)[0]!)
    run.apply(live(1, 6, '15.'))
    expect(run.view()!.text).toBe('')
    run.apply(live(1, 0, 'It is 15.'))
    expect(run.view()!.text).toBe('It is 15.')
  })
})

function live(part: number, offset: number, text: string): LiveText {
  return { type: 'live.text', part, offset, text }
}
