import type { RunFilter, RunRecord } from '../../domain/store.ts'
import type { OwnedRuns } from '../../engine/owned-runs.ts'

/** The latest of somebody's runs that are looked at for those of a conversation. */
const MOST_RUNS = 50

/** The runs of a conversation among the latest that fit; newest first. */
export async function runsOf(
  runs: OwnedRuns,
  conversationId: string,
  filter: Pick<RunFilter, 'status' | 'from' | 'until'>,
): Promise<readonly RunRecord[]> {
  const found: RunRecord[] = []
  for (const run of await runs.runs({ ...filter, isFirst: true, limit: MOST_RUNS })) {
    if ((await runs.state(run.runId)).request.conversationId === conversationId) found.push(run)
  }
  return found
}

/** Those that are under way, or wait for somebody. */
export function openRunsOf(runs: OwnedRuns, conversationId: string): Promise<readonly RunRecord[]> {
  return runsOf(runs, conversationId, { status: ['running', 'waiting'] })
}
