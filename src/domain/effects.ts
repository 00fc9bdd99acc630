import { omitUndefined } from '../shared/json.ts'
import type { ErrorInfo } from './errors.ts'
import type { EventBody } from './events.ts'
import type { Provenance } from './provenance.ts'
import type { CallPosition } from './transcript.ts'
import { inputJobs, latestAttempt, type Job } from './job.ts'
import type { CallRecord, JobState, RunState } from './state.ts'

/** The job and attempt that started an irreversible call. */
interface EffectOrigin {
  readonly key: string
  readonly tool: string
  readonly attempt: number
  /** The exact input, secrets masked. */
  readonly payload?: unknown
}

/** A call's path without scope, ordinal and position: equal for the same tool and input in every job. */
export function callWithin(scope: string, path: string): string {
  return path.slice(scope.length).replace(/(?:#\d+|@\d+\.\d+)$/, '')
}

/** The path of a call of a transcript: the same in all attempts of its job. */
export function positionPath(key: string, call: string, { turn, index }: CallPosition): string {
  return `${key}/${call}@${turn}.${index}`
}

/** Whether a path is that of the call at this position of its job's transcript. */
export function isPathAt(path: string, { turn, index }: CallPosition): boolean {
  return path.endsWith(`@${turn}.${index}`)
}

/** The step, that is the job and turn, that a call of a transcript belongs to; undefined for other calls. */
export function stepOfPath(key: string, path: string): string | undefined {
  const turn = turnOfPath(path)
  return turn === undefined ? undefined : `${key}@${turn}`
}

/** The turn that requested a call of a transcript; undefined for other calls. */
export function turnOfPath(path: string): number | undefined {
  const turn = /@(\d+)\.\d+$/.exec(path)?.[1]
  return turn === undefined ? undefined : Number(turn)
}

/** The state of an irreversible call, from the log. */
export type EffectState = { readonly origin: EffectOrigin } & (
  | {
      readonly state: 'intended'
      readonly idempotencyKey: string
      /** How often the call was started; more than once if a user allowed its repetition after a crash. */
      readonly times: number
    }
  | { readonly state: 'done'; readonly output?: unknown; readonly error?: ErrorInfo; readonly provenance?: Provenance }
)

export function intendedEffect(
  before: EffectState | undefined,
  job: { readonly attempt: number } | undefined,
  event: Extract<EventBody, { type: 'effect.intended' }>,
): EffectState {
  const { key, tool, payload, idempotencyKey } = event
  const origin: EffectOrigin = { key, tool, attempt: job?.attempt ?? 1, ...omitUndefined({ payload }) }
  return { state: 'intended', origin, idempotencyKey, times: before?.state === 'intended' ? before.times + 1 : 1 }
}

export function doneEffect(
  before: EffectState | undefined,
  { key, output, error, provenance }: Extract<EventBody, { type: 'effect.done' }>,
): EffectState {
  return {
    state: 'done',
    // Always there, but in a log that was written by hand.
    origin: before?.origin ?? { key, tool: '', attempt: 1 },
    ...omitUndefined({ output, error, provenance }),
  }
}

/** A call that changed something, or may have, as the log has it. */
export interface Action {
  readonly tool: string
  readonly effect: 'write' | 'irreversible' | 'unknown'
  /** Secrets masked. */
  readonly input?: unknown
  /** Why it is not certain that it took place. */
  readonly error?: string
}

const unknownRun = (error: string): Action => ({ tool: 'a nested run', effect: 'unknown', error })

/** Of a call of a tool that writes. */
export function actionOf({ name: tool, input, error }: CallRecord): Action {
  return { tool, effect: 'write', input, ...omitUndefined({ error: error?.message }) }
}

/** Adds actions to a job, in place. */
export function noteActions({ jobs }: Pick<RunState, 'jobs'>, key: string, actions: readonly Action[]): void {
  const job = jobs.get(key) as { actions?: readonly Action[] } | undefined
  if (job === undefined) return
  const before = job.actions ?? []
  // One unknown action per tool is enough.
  const isNew = ({ tool, effect }: Action): boolean => effect !== 'unknown' || !before.some((one) => one.tool === tool)
  const added = actions.filter(isNew)
  if (added.length > 0) job.actions = [...before, ...added]
}

type Ledger = Pick<RunState, 'jobs' | 'effects' | 'children' | 'finishedChildren' | 'endedAt'>

/** Calls of a job, and of runs within it, that changed something. */
function actionsOf({ key, result, actions = [], effects = [] }: JobState, state: Ledger): readonly Action[] {
  const isAtWork = result === undefined && state.endedAt === undefined
  const irreversible = effects.map((path): Action => {
    const effect = state.effects.get(path)!
    const { tool, payload: input } = effect.origin
    const error = effect.state === 'done' ? effect.error?.message : isAtWork ? 'not finished yet' : 'cut off half-way'
    return { tool, effect: 'irreversible', input, ...omitUndefined({ error }) }
  })
  // A nested run reports its actions when it ends; once the job is over, nothing waits for that.
  const isOpen = ([path, id]: readonly [string, string]): boolean =>
    path.startsWith(`${key}/`) && !state.finishedChildren.has(id)
  const reason = isAtWork ? 'it is at work, and what it has done is not known yet' : 'cut off; what it did is not known'
  const runs = [...state.children].filter(isOpen).map(() => unknownRun(reason))
  return [...actions, ...irreversible, ...runs]
}

/** The same of all agents of a run. What roles store, such as the conversation, is not part of the work. */
export function actionsIn(state: Ledger): readonly Action[] {
  return [...state.jobs.values()].flatMap((job) => (job.task === undefined ? [] : actionsOf(job, state)))
}

/** The same of the jobs that a job depends on, directly or through others, and of their earlier attempts. */
export function actionsBefore(job: Job, state: Ledger): readonly Action[] {
  const before = new Map<string, JobState>()
  const add = (one: JobState | undefined): void => {
    if (one === undefined || before.has(one.key)) return
    before.set(one.key, one)
    add(state.jobs.get(one.replaces ?? ''))
    for (const key of one.dependsOn ?? []) add(latestAttempt(state, key))
  }
  for (const input of inputJobs(job, state)) add(input)
  add(state.jobs.get(job.replaces ?? ''))
  return [...before.values()].flatMap((one) => actionsOf(one, state))
}
