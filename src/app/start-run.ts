import type { ConversationStore } from '../domain/conversation.ts'
import type { RunEvent, RunId } from '../domain/events.ts'
import type { RunRequest } from '../domain/request.ts'
import { responseOf } from '../domain/response.ts'
import { fold } from '../domain/state.ts'
import { contentOfSource } from '../engine/calls/recall.ts'
import { lastSourceId } from '../engine/calls/source-ids.ts'
import type { OwnedRuns } from '../engine/owned-runs.ts'
import type { EarlierAnswer } from '../memory/earlier-results.ts'

/** The parts of a run that later runs of the conversation receive. */
export function earlierAnswer(events: readonly RunEvent[]): EarlierAnswer {
  const state = fold(events)
  return { ...responseOf(events), contentOf: (source) => contentOfSource(state, source), lastId: lastSourceId(state) }
}

/**
 * Starts a request with its memory. If it is refused, the conversation that was created for it is removed.
 * @param asked the request without memory
 * @throws TuttiError as `OwnedRuns.start`
 */
export async function startWithMemory(
  runs: OwnedRuns,
  conversations: Pick<ConversationStore, 'remove'>,
  asked: RunRequest,
  { request, ...options }: { readonly request: RunRequest } & NonNullable<Parameters<OwnedRuns['start']>[1]>,
): Promise<RunId> {
  try {
    return await runs.start(request, options)
  } catch (thrown) {
    const { conversationId } = request
    const isBegun = conversationId !== undefined && conversationId !== asked.conversationId
    // A run of a chosen id may have been begun by another request, and its conversation with it.
    if (isBegun && (await runs.run(conversationId)) === undefined) {
      await conversations.remove(runs.owner, conversationId)
    }
    throw thrown
  }
}
