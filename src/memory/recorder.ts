import { defineRole, type Role, type RoleContext } from '../domain/actor.ts'
import type { ConversationStore } from '../domain/conversation.ts'
import { combine } from '../domain/provenance.ts'
import type { Outcome } from '../domain/result.ts'
import { createSecrets, declaredBy } from '../domain/secrets.ts'
import { recordTurnTool } from './tools.ts'

/** Makes an answered run a turn of its conversation. The answer keeps the trust of all that the run has seen. */
export function recorderRole(conversations: ConversationStore): Role {
  const record = recordTurnTool(conversations)
  return defineRole({
    name: 'recorder',
    limits: { timeoutMs: 20_000, retries: 2 },
    async run(ctx): Promise<Outcome> {
      const { request, state } = ctx
      const understood = goesOnFrom(ctx)
      const seen = [...state.jobs.values()].map((job) => job.result?.provenance)
      // What is kept beyond the run is kept without what was secret in it.
      const secrets = createSecrets(declaredBy({ request, secrets: state.secrets }))
      await ctx.call(record, {
        owner: ctx.owner,
        runId: ctx.runId,
        at: Date.parse(state.startedAt),
        conversationId: request.conversationId!,
        question: secrets.text(request.question),
        ...(understood === undefined ? {} : { understood: secrets.text(understood) }),
        answer: secrets.text(state.answer!.text),
        provenance: combine([...seen, state.recollection?.provenance]),
      })
      return { answer: 'Recorded.' }
    },
  })
}

/** What the next question may continue from: this one as it was understood, or where it continued without success, the one before it. */
function goesOnFrom({ state, recollection }: RoleContext): string | undefined {
  const { question, unclear } = state.plan?.understood ?? {}
  const isInVain = state.answer?.isAnswered === false && (question ?? unclear) !== undefined
  const last = isInVain ? recollection.recent.findLast(({ role }) => role === 'user') : undefined
  return last === undefined ? question : (last.understood ?? last.text)
}
