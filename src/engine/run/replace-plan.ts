import { isDeepStrictEqual } from 'node:util'
import { TuttiError } from '../../domain/errors.ts'
import { plannedAttempt } from '../../domain/job.ts'
import type { Plan } from '../../domain/plan.ts'
import { fold, isOver, type RunState } from '../../domain/state.ts'
import { pickDefined } from '../../shared/json.ts'
import type { RunStore } from '../../domain/store.ts'
import type { RunCommands } from './commands.ts'

/** Replaces the plan of a running run. @throws TuttiError `RunConflict` for a run without a plan or a run that is over */
export async function replacePlan(
  { store, commands }: { readonly store: RunStore; readonly commands: RunCommands },
  state: RunState,
  plan: Plan,
  by: string,
): Promise<void> {
  const { runId, plan: current } = state
  if (current === undefined) {
    throw new TuttiError('RunConflict', `Run ${runId} has no plan yet; try again in a moment.`)
  }
  // A user who changes a plan has not checked each of its words, so its labels stay.
  const change = { rationale: `Changed by ${by}.`, ...pickDefined(current, ['provenance']) }
  const isAccepted = await commands.send(runId, { type: 'plan.set', plan, by: 'user', ...change })
  const after = fold(await store.read(runId))
  const isDone = after.plan!.plan.tasks.every(({ id }) => plannedAttempt(after, id)?.result !== undefined)
  if (isAccepted && (!isOver(after) || (isDone && isDeepStrictEqual(after.plan!.plan, plan)))) return
  throw new TuttiError('RunConflict', `Run ${runId} is already ${after.status}. Fork it instead.`)
}
