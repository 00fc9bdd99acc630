import type { RunFilter, RunRecord } from '../../domain/store.ts'
import type { OwnedRuns } from '../../engine/owned-runs.ts'

/** Number of the latest runs that are searched. */
const MAX_RUNS = 50

/** Runs of a conversation among the latest that match the filter; newest first. */
export async function conversationRuns(
  runs: OwnedRuns,
  conversationId: string,
  filter: Pick<RunFilter, 'status' | 'from' | 'until'>,
): Promise<readonly RunRecord[]> {
  const found: RunRecord[] = []
  for (const run of await runs.runs({ ...filter, isFirst: true, limit: MAX_RUNS })) {
    if ((await runs.state(run.runId)).request.conversationId === conversationId) found.push(run)
  }
  return found
}

/** Runs that are running or waiting for approval. */
export function openConversationRuns(runs: OwnedRuns, conversationId: string): Promise<readonly RunRecord[]> {
  return conversationRuns(runs, conversationId, { status: ['running', 'waiting'] })
}
