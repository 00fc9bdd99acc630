import type { ConversationStore } from '../core/conversation.ts'
import type { RunId } from '../core/events.ts'
import type { RunRequest } from '../core/request.ts'
import type { OwnedRuns } from '../engine/owned-runs.ts'

/**
 * Starts a request with what is remembered for it. Where it is refused, the conversation that was begun for it goes again.
 * @param asked the request before that
 * @throws TuttiError as `OwnedRuns.start`
 */
export async function startRecalled(
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
