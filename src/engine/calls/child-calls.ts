import { actionsIn } from '../../domain/effects.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined, pickDefined } from '../../shared/json.ts'
import type { RunRequest } from '../../domain/request.ts'
import { isOver, type RunState, workMs } from '../../domain/state.ts'
import { digest } from './attempt.ts'
import { jobPath, type CallSite } from './call-site.ts'

/** Runs within runs: a team of teams of teams. */
const MAX_RUN_DEPTH = 3

/**
 * `ctx.startRun`: a nested run (teams). Its id is derived from parent, job and request, so a resumed parent finds the
 * child that it started. Its approvals are listed like any other. Its limits are part of the parent's remaining limits,
 * and its usage counts towards the parent's.
 */
export async function runChild(site: CallSite, request: RunRequest): Promise<RunState> {
  const { call, attempt } = site
  const { host, job } = call
  const { state } = host
  if (state.parent !== undefined && (state.parent.depth ?? 1) >= MAX_RUN_DEPTH) {
    const message = `Runs are nested at most ${MAX_RUN_DEPTH} deep; let the team do this without a team of its own.`
    throw new TuttiError('InvalidRequest', message)
  }
  const path = jobPath(site, 'run', request)
  const known = state.children.get(path)
  const childId = known ?? `${state.runId}.${digest(path)}`
  if (known === undefined) {
    const requestedLimits = { ...request.budget, ...pickDefined(request, ['maxTurns']) }
    const budget = host.budget.slice(requestedLimits, host.timeLeft())
    host.push({ type: 'child.started', key: job.key, path, childId, ...omitUndefined({ budget }) })
    await host.flush()
    attempt.assertAlive()
  }
  // The child must exist before the parent may leave memory, because the child's end wakes the parent.
  const { maxTurns, ...budget } = state.childBudgets.get(childId) ?? {}
  const inherited = { ...request, ...inheritedFrom(state.request), budget, ...omitUndefined({ maxTurns }) }
  const isDone = await host.children.start(childId, job.key, inherited, call.provenance)
  const outcome = (): Promise<RunState> => host.children.outcome(childId, attempt.signal)
  const child = await (isDone ? outcome() : attempt.parking(outcome))
  attempt.assertAlive()
  if (!isOver(child)) throw new Error(`Child run ${childId} came back unfinished.`)
  if (!state.finishedChildren.has(childId)) {
    const actions = actionsIn(child)
    for (const [to, bitsByPath] of child.egressBits) {
      const bits = [...bitsByPath.values()].reduce((sum, one) => sum + one, 0)
      host.push({ type: 'egress.counted', key: job.key, path, to, bits })
    }
    host.push({
      type: 'child.finished',
      key: job.key,
      childId,
      usage: child.usage,
      turns: child.turns,
      actions,
      activeMs: workMs(child),
    })
  }
  for (const settled of child.jobs.values()) call.addLabels(settled.result?.provenance)
  return child
}

/** Settings that a nested run inherits: interactivity, approval timeout, trial mode and the user's words. */
function inheritedFrom(request: RunRequest): Partial<RunRequest> {
  const { interactive, shadow, question, said = question } = request
  return {
    said,
    ...pickDefined(request, ['approvalTimeoutMs']),
    ...(interactive === false ? { interactive } : {}),
    ...(shadow === true ? { shadow } : {}),
  }
}
