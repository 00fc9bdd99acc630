import type { EventBody, RunEvent } from '../domain/events.ts'
import { jobStarted, type Job } from '../domain/job.ts'
import { BY_USER } from '../domain/provenance.ts'
import { parseRequest, type RunRequest } from '../domain/request.ts'
import type { Outcome } from '../domain/result.ts'
import { applyEvent, fold, isSettled, type RunState } from '../domain/state.ts'
import { isFinish, type Finish, type Strategy } from '../domain/strategy.ts'

export interface Simulated {
  /** Jobs in the order in which they were started. */
  readonly jobs: readonly Job[]
  readonly finish: Finish
  readonly state: RunState
}

/**
 * Runs a strategy without an engine: one job at a time, with the result of `act`. A result may contain a plan or an
 * answer.
 * @param asked a request, or a question alone
 * @throws Error for a strategy that decides differently on the same state, returns a job twice, or stops before the end
 */
export function simulate(
  strategy: Strategy,
  asked: RunRequest | string,
  act: (job: Job, state: RunState) => Outcome & { readonly events?: readonly EventBody[] },
): Simulated {
  const request = typeof asked === 'string' ? parseRequest({ question: asked }, new Set()) : asked
  const at = new Date(0).toISOString()
  const state = fold([{ type: 'run.started', request, runId: 'r', seq: 1, at, v: 1 }])
  const push = (body: EventBody): void => {
    applyEvent(state, { ...body, runId: 'r', seq: state.seq + 1, at, v: 1 } as RunEvent)
  }
  const jobs: Job[] = []
  for (;;) {
    const decision = strategy.next(state)
    const again = strategy.next(state)
    if (JSON.stringify(again) !== JSON.stringify(decision)) throw new Error('The same state gave another decision.')
    if (isFinish(decision)) return { jobs, finish: decision, state }
    const job = decision.find(({ key }) => !isSettled(state.jobs.get(key)))
    if (job === undefined) throw new Error('Nothing is due, and the run is not over.')
    if (jobs.some(({ key }) => key === job.key)) throw new Error(`Job ${job.key} is due twice.`)
    jobs.push(job)
    push(jobStarted(job))
    const { events = [], ...outcome } = act(job, state)
    for (const event of events) push(event)
    const result = { status: 'succeeded' as const, ...outcome, provenance: BY_USER, latencyMs: 0 }
    push({ type: 'job.settled', key: job.key, result })
  }
}
