import { toTuttiError } from '../../core/errors.ts'
import { isTerminal, type EventBody } from '../../core/events.ts'
import { TRUSTED } from '../../core/provenance.ts'
import { endOtherwise, reopen, type RunState } from '../../core/state.ts'
import type { Children } from './engine-parts.ts'
import type { RunLog } from '../log/run-log.ts'

/** Cancelled while the end of the run was on its way to the log: who cancelled was told that it will be. */
export function endAsCancelled(log: RunLog, state: RunState): void {
  const end = log.events.findIndex((event) => isTerminal(event.type))
  if (end === -1) return
  const cancelled = { type: 'run.cancelled', at: log.events[end]!.at } as const
  log.events[end] = cancelled
  endOtherwise(state, cancelled)
  log.status = state.status
}

/** The plan was changed while the end of the run was on its way to the log: there is more to do. False for a run that failed. */
export function goOnAfterAll(log: RunLog, state: RunState): boolean {
  const end = log.events.findIndex((event) => event.type === 'run.finished')
  if (end === -1) return false
  log.events.splice(end, 1)
  log.status = 'running'
  reopen(state)
  return true
}

/** Nobody can decide any more on a call of a job that is over. */
export function expiredApprovals({ openApprovals }: RunState, isConcerned: (key: string) => boolean): EventBody[] {
  return [...openApprovals.values()].flatMap(({ approvalId, key }): EventBody[] =>
    isConcerned(key) ? [{ type: 'approval.decided', approvalId, decision: 'expired', by: 'engine' }] : [],
  )
}

/** The note on an approval whose end at its time could not be written. */
export function notExpired(thrown: unknown): EventBody {
  const message = `An approval could not be ended at its time: ${toTuttiError(thrown).message}`
  return { type: 'note', kind: 'ERROR', message }
}

export const PLAN_CHANGED = 'The plan was changed while this was at work.'

const CUT_OFF =
  'It was interrupted half-way and may already have happened. The plan was changed, so it is not gone on with.'

/** The end of jobs that the plan was changed under and that no process has at work any more. */
export function outdatedEnds({ jobs, effects }: RunState): EventBody[] {
  return [...jobs.values()].flatMap(({ key, isOutdated, result, effects: paths = [] }): EventBody[] => {
    if (isOutdated !== true || result !== undefined) return []
    const cutOff = paths.flatMap((path): EventBody[] => {
      const { state, origin } = effects.get(path)!
      return state === 'intended' ? [{ type: 'effect.unknown', key, path, tool: origin.tool, reason: CUT_OFF }] : []
    })
    const error = { type: 'Cancelled', message: PLAN_CHANGED } as const
    const ended = { status: 'skipped', error, provenance: TRUSTED, latencyMs: 0 } as const
    return [...cutOff, { type: 'job.settled', key, result: ended }]
  })
}

/**
 * Cancels the runs that this one has started, or some of its jobs have; gives a note on each that could not be.
 */
export async function cancelChildren(
  { cancelling, children }: RunState,
  cancel: Children['cancel'],
  jobs?: readonly string[],
): Promise<EventBody[]> {
  const by = cancelling?.by ?? (jobs === undefined ? 'the end of the parent run' : 'a change of the plan')
  const isConcerned = (path: string): boolean =>
    jobs === undefined || jobs.some((key) => path.startsWith(`${key}/`) || path.startsWith(`${key}@`))
  const ids = [...children].flatMap(([path, id]) => (isConcerned(path) ? [id] : []))
  const outcomes = await Promise.allSettled(ids.map((id) => cancel(id, by)))
  return outcomes.flatMap((outcome, i): EventBody[] => {
    if (outcome.status === 'fulfilled') return []
    const message = `Child run ${ids[i]} could not be cancelled: ${toTuttiError(outcome.reason).message}`
    return [{ type: 'note', kind: 'ERROR', message }]
  })
}
