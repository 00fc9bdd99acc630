import { defineRole, type Role, type RoleContext } from '../domain/actor.ts'
import type { ConversationStore } from '../domain/conversation.ts'
import { combine } from '../domain/provenance.ts'
import type { Outcome } from '../domain/result.ts'
import { createSecrets, declaredBy } from '../domain/secrets.ts'
import { recordTurnTool } from './tools.ts'

/**
 * Adds an answered run to its conversation as a turn. The answer has the trust level of everything that the run has
 * read.
 */
export function recorderRole(conversations: ConversationStore): Role {
  const record = recordTurnTool(conversations)
  return defineRole({
    name: 'recorder',
    limits: { timeoutMs: 20_000, retries: 2 },
    async run(ctx): Promise<Outcome> {
      const { request, state } = ctx
      const understood = followedQuestion(ctx)
      const labels = [...state.jobs.values()].map((job) => job.result?.provenance)
      // Mask secrets in everything that is kept after the run.
      const secrets = createSecrets(declaredBy({ request, secrets: state.secrets }))
      await ctx.call(record, {
        owner: ctx.owner,
        runId: ctx.runId,
        at: Date.parse(state.startedAt),
        conversationId: request.conversationId!,
        question: secrets.text(request.question),
        ...(understood === undefined ? {} : { understood: secrets.text(understood) }),
        answer: secrets.text(state.answer!.text),
        provenance: combine([...labels, state.recollection?.provenance]),
      })
      return { answer: 'Recorded.' }
    },
  })
}

/**
 * The question that a follow-up would refer to: this one, as it was understood; or the previous one, if this one was
 * itself a follow-up and not answered.
 */
function followedQuestion({ state, recollection }: RoleContext): string | undefined {
  const { question, unclear } = state.plan?.understood ?? {}
  const isInVain = state.answer?.isAnswered === false && (question ?? unclear) !== undefined
  const last = isInVain ? recollection.recent.findLast(({ role }) => role === 'user') : undefined
  return last === undefined ? question : (last.understood ?? last.text)
}
