import type { RunRequest } from '../../core/request.ts'
import { isOver, type RunState } from '../../core/state.ts'
import { digest } from './call-paths.ts'
import { jobPath, type CallSite } from './call-site.ts'

/**
 * `ctx.startRun`: a nested run (teams). Its id follows from parent, job and request, so a resumed parent finds the child
 * it had started; its approvals stand in the one table like any other.
 */
export async function runChild(site: CallSite, request: RunRequest): Promise<RunState> {
  const { call, attempt } = site
  const { host, job } = call
  const path = jobPath(site, 'run', request)
  const childId = host.state.children.get(path) ?? `${host.state.runId}.${digest(path)}`
  if (!host.state.children.has(path)) {
    host.push({ type: 'child.started', key: job.key, path, childId })
    await host.flush()
    attempt.assertAlive()
  }
  // It exists before the parent may leave memory: the child's end is what wakes the parent again.
  const inherited = host.state.request.interactive === false ? { ...request, interactive: false } : request
  const isDone = await host.children.start(childId, job.key, inherited, call.provenance)
  const outcome = (): Promise<RunState> => host.children.outcome(childId, attempt.signal)
  const child = await (isDone ? outcome() : attempt.parking(outcome))
  attempt.assertAlive()
  if (!isOver(child)) throw new Error(`Child run ${childId} came back unfinished.`)
  for (const settled of child.jobs.values()) call.hasSeen(settled.result?.provenance)
  return child
}
