import { inputJobs, latestAttempt } from './attempts.ts'
import { omitUndefined } from '../shared/omit-undefined.ts'
import type { Job } from './job.ts'
import type { CallRecord, JobState, RunState } from './state.ts'

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
  const why = isAtWork ? 'it is at work, and what it has done is not known yet' : 'cut off; what it did is not known'
  const runs = [...state.children].filter(isOpen).map(() => unknownRun(why))
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
