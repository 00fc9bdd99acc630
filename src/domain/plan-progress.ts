import type { Plan, Task } from './plan.ts'
import { plannedAttempt } from './job.ts'
import { withdraw } from './blackboard.ts'
import type { StateDraft } from './reduce.ts'
import type { JobState, RunState } from './state.ts'

/**
 * The progress of a plan, updated as its jobs settle, so that no step of a run has to search all tasks for due ones.
 */
export interface PlanProgress {
  /** Unsettled tasks without open dependencies, in plan order; includes tasks in progress. */
  readonly ready: readonly Task[]
  /** Place in the plan of the first task that has not settled; the number of tasks when all have. */
  readonly next: number
  /** Place of each task in the plan. */
  readonly places: ReadonlyMap<string, number>
  /** How many dependencies each task that is not ready still waits for. */
  readonly waitsFor: ReadonlyMap<string, number>
  /** Tasks that depend on a job, by its key. */
  readonly dependents: ReadonlyMap<string, readonly Task[]>
}

type Draft = {
  -readonly [K in keyof PlanProgress]: PlanProgress[K] extends ReadonlyMap<infer A, infer B>
    ? Map<A, B>
    : PlanProgress[K]
}

/** The progress of a plan that has just been set. */
export function planProgress({ tasks }: Plan, isSettled: (key: string) => boolean): PlanProgress {
  const dependents = new Map<string, Task[]>()
  const waitsFor = new Map<string, number>()
  const ready: Task[] = []
  for (const task of tasks) {
    const open = new Set(task.dependsOn.filter((key) => !isSettled(key)))
    for (const key of open) {
      const waiting = dependents.get(key)
      if (waiting === undefined) dependents.set(key, [task])
      else waiting.push(task)
    }
    if (open.size > 0) waitsFor.set(task.id, open.size)
    else if (!isSettled(task.id)) ready.push(task)
  }
  const places = new Map(tasks.map((task, place) => [task.id, place]))
  const progress: Draft = { ready, next: 0, places, waitsFor, dependents }
  advanceNext(progress, tasks, isSettled)
  return progress
}

/** Updates the progress after a job has settled, in place; `isSettled` must already return true for it. */
export function noteSettled(
  progress: PlanProgress,
  { tasks }: Plan,
  key: string,
  isSettled: (key: string) => boolean,
): void {
  const draft = progress as Draft
  const ready = draft.ready as Task[]
  const at = placeIn(ready, draft, key)
  if (ready[at]?.id === key) ready.splice(at, 1)
  for (const task of draft.dependents.get(key) ?? []) {
    const remaining = draft.waitsFor.get(task.id)! - 1
    if (remaining > 0) draft.waitsFor.set(task.id, remaining)
    else {
      draft.waitsFor.delete(task.id)
      if (!isSettled(task.id)) ready.splice(placeIn(ready, draft, task.id), 0, task)
    }
  }
  draft.dependents.delete(key)
  advanceNext(draft, tasks, isSettled)
}

function advanceNext(progress: Draft, tasks: readonly Task[], isSettled: (key: string) => boolean): void {
  while (progress.next < tasks.length && isSettled(tasks[progress.next]!.id)) progress.next++
}

/** The position of a task among the ready ones, or where to insert it. */
function placeIn(ready: readonly Task[], { places }: PlanProgress, id: string): number {
  const place = places.get(id)
  if (place === undefined) return ready.length
  let [low, high] = [0, ready.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (places.get(ready[middle]!.id)! < place) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The user's plan, if it wins over the plan that a job sets: the job started before the user's change and does not know
 * it. The two may be in the log in either order.
 */
export function currentPlan({ plan: now }: StateDraft, { upon }: { readonly upon?: number }): RunState['plan'] {
  return upon !== undefined && now?.by === 'user' && upon < now.round ? now : undefined
}

/** Tasks of earlier plans, and of the plan just set, that are not part of the current plan unchanged. */
export function retiredTasks({ plan: before }: StateDraft, { tasks }: Plan, set: Plan): readonly Task[] {
  const current = new Set(tasks.map((task) => JSON.stringify(task)))
  const all = [...(before?.retired ?? []), ...(before?.plan.tasks ?? []), ...set.tasks]
  const retired = new Map(all.map((task) => [JSON.stringify(task), task]))
  return [...retired].flatMap(([text, task]) => (current.has(text) ? [] : [task]))
}

/**
 * Marks a job as outdated if its task was retired or if it depends on an outdated job. Called in the order of the jobs'
 * start.
 */
export function markOutdated(
  { jobs, plan, shared }: StateDraft,
  job: { -readonly [K in keyof JobState]: JobState[K] },
): void {
  const { key, task, dependsOn = [] } = job
  if (job.isOutdated === true || task === undefined) return
  const text = JSON.stringify(task)
  const isRetired = plan!.retired!.some((other) => JSON.stringify(other) === text)
  if (!isRetired && !dependsOn.some((id) => jobs.get(id)?.isOutdated === true && !plannedAttempt({ jobs }, id))) return
  job.isOutdated = true
  withdraw(shared, key)
}

/** Whether a task, or another job, is done with. */
export function isDone(draft: StateDraft, id: string): boolean {
  return plannedAttempt(draft, id)?.result !== undefined
}
