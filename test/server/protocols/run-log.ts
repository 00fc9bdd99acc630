/** Random logs of runs as a stream returns them: restarted texts, approvals, every final status. */
import fc from 'fast-check'
import type { EventBody, RunEvent } from '../../../src/domain/events.ts'
import { parseRequest } from '../../../src/domain/request.ts'
import type { LiveItem } from '../../../src/engine/readers/live.ts'

const RUN = '6f0e1f5a-0000-4000-8000-000000000001'
const ZERO = Date.UTC(2026, 0, 31)

export interface RandomRun {
  readonly items: readonly LiveItem[]
  /** The last answer that was composed. */
  readonly answer: string | undefined
  readonly end: 'run.finished' | 'run.failed' | 'run.cancelled'
}

/** Words with citation marks. Texts may share a prefix. */
const words = fc.constantFrom('Paris', ' had', ' 42', ' shops', ' [1]', ' [1, 2]', ' 🦊', '\n\n', ' ', '.', ' London')
const text = fc.array(words, { maxLength: 12 }).map((parts) => parts.join(''))

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('text' as const), text, size: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('task' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('approval' as const),
      decision: fc.constantFrom('approved', 'denied', 'timed_out', undefined),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('compose' as const), answer: fc.option(text, { nil: undefined }) }),
  },
)

export const randomRun: fc.Arbitrary<RandomRun> = fc
  .record({
    steps: fc.array(step, { maxLength: 8 }),
    end: fc.constantFrom(
      'run.finished' as const,
      'run.finished' as const,
      'run.failed' as const,
      'run.cancelled' as const,
    ),
    hasTable: fc.boolean(),
  })
  .map(({ steps, end, hasTable }) => {
    const log = new Log()
    log.add({
      type: 'run.started',
      request: parseRequest({ question: 'How many?', conversationId: 'c/1'.replace('/', '-') }, new Set()),
    })
    log.add({ type: 'job.started', key: 'plan:1', actor: 'planner', attempt: 1 })
    log.add({ type: 'plan.set', plan: { tasks: [] }, by: 'planner', rationale: 'as it is' })
    log.settle('plan:1')
    let part = 0
    let shown = ''
    let answer: string | undefined
    for (const [i, one] of steps.entries()) {
      if (one.do === 'text') {
        part++
        shown = one.text
        for (let offset = 0; offset < shown.length; offset += one.size) {
          log.items.push({ type: 'live.text', part, offset, text: shown.slice(offset, offset + one.size) })
        }
      }
      if (one.do === 'task') {
        log.add({
          type: 'job.started',
          key: `t${i}`,
          actor: 'sql',
          attempt: 1,
          task: { id: `t${i}`, agent: 'sql', dependsOn: [] },
        })
        if (i % 2 === 0) log.settle(`t${i}`)
      }
      if (one.do === 'approval') {
        const approvalId = `a~/${i}`
        const asked = { key: 'plan:1', path: 'p', tool: 'send_email', payload: { to: 'x' }, reason: 'it leaves' }
        log.add({
          type: 'approval.requested',
          approvalId,
          ...asked,
          provenance: { author: 'own', private: true, sources: [] },
          expiresAt: ZERO,
        })
        if (one.decision !== undefined) {
          log.add({ type: 'approval.decided', approvalId, decision: one.decision as 'approved', by: 'ada' })
        }
      }
      if (one.do === 'compose') {
        answer = one.answer ?? shown
        log.add({
          type: 'answer.composed',
          answer,
          by: 'model',
          citations: [
            { n: 1, agent: 'web', source: { kind: 'web', name: 'A page', url: 'https://example.com/a' } },
            { n: 2, agent: 'sql', source: { kind: 'database', name: 'shop', detail: 'SELECT 1' } },
          ],
          ...(hasTable ? { data: { columns: ['a', 'b|c'], rows: [{ a: 1, 'b|c': null }], rowCount: 1 } } : {}),
        })
      }
    }
    // A run without an answer is not finished.
    if (end === 'run.finished' && answer === undefined) {
      answer = shown
      log.add({ type: 'answer.composed', answer, by: 'model' })
    }
    if (end === 'run.failed') log.add({ type: end, error: { type: 'ModelUnavailable', message: 'No model answers.' } })
    else log.add({ type: end })
    return { items: log.items, answer, end }
  })

class Log {
  readonly items: LiveItem[] = []
  private seq = 0

  add(body: EventBody): void {
    this.seq++
    const at = new Date(ZERO + this.seq * 1_000).toISOString()
    this.items.push({ ...body, runId: RUN, seq: this.seq, at, v: 1 } as RunEvent)
  }

  settle(key: string): void {
    this.add({
      type: 'job.settled',
      key,
      result: {
        status: 'succeeded',
        answer: 'done',
        latencyMs: 1,
        provenance: { author: 'user', private: false, sources: [] },
      },
    })
  }
}

/** In the order of a reader. */
export async function* streamed<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) {
    await Promise.resolve()
    yield item
  }
}

export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
