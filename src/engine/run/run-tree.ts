import type { Clock } from '../../shared/clock.ts'
import { callWithin } from '../../domain/effects.ts'
import { TuttiError } from '../../domain/errors.ts'
import { isTerminal, type RunEvent, type RunId } from '../../domain/events.ts'
import type { RunStore } from '../../domain/store.ts'
import { withTimestamp } from '../log/run-log.ts'

/** An irreversible call of a job, identified by `callWithin` of its path. */
export interface Claim {
  readonly call: string
  readonly job: string
}

/**
 * Jobs under one outermost run that have started an identical call before. With `isMade`, this call is recorded as
 * started, too. The log of the outermost run decides which was first, even if the runs are in different processes.
 * @throws TuttiError `Cancelled` when the outermost run is over
 */
export async function claimCall(
  { store, clock }: { readonly store: RunStore; readonly clock: Clock },
  runId: RunId,
  { call, job }: Claim,
  isMade: boolean,
): Promise<readonly string[]> {
  const first = await outermost(store, runId)
  const log: RunEvent[] = []
  for (;;) {
    log.push(...(await store.read(first, log.at(-1)?.seq)))
    if (log.length === 0 || log.some(({ type }) => isTerminal(type))) throw isOver()
    const isOwn = (event: RunEvent): boolean =>
      event.type === 'effect.claimed' && event.by === runId && event.job === job && event.call === call
    const place = log.findIndex(isOwn)
    const before = new Map<string, string>()
    for (const event of place === -1 ? log : log.slice(0, place)) {
      const claim = madeIn(event, first)
      const isOwnJob = claim?.by === runId && claim.job === job
      // A call that was claimed and then made counts once.
      if (claim?.call === call && !isOwnJob) before.set(JSON.stringify([claim.by, claim.job]), claim.job)
    }
    const jobs = [...before.values()]
    if (place !== -1 || !isMade) return jobs
    const events = withTimestamp(clock, [{ type: 'effect.claimed', by: runId, job, call }])
    const [outcome] = await store.append([{ runId: first, afterSeq: log.at(-1)!.seq, events }], { durable: true })
    if (outcome === 'appended') return jobs
    if (outcome === 'lost') throw isOver()
  }
}

/** Calls of the outermost run may be from before there was another one, and were not claimed then. */
function madeIn(event: RunEvent, first: RunId): (Claim & { readonly by: RunId }) | undefined {
  if (event.type === 'effect.claimed') return event
  if (event.type !== 'effect.intended') return undefined
  return { by: first, job: event.key, call: callWithin(event.key, event.path) }
}

async function outermost(store: RunStore, runId: RunId): Promise<RunId> {
  const parentId = (await store.run(runId))?.parentId
  return parentId === undefined ? runId : outermost(store, parentId)
}

function isOver(): TuttiError {
  return new TuttiError('Cancelled', 'The run that this one is a part of is over.')
}
