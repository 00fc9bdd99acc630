import { defineRole, type Role } from '../../core/actor.ts'
import type { ConversationStore } from '../../core/conversation.ts'
import { combine } from '../../core/provenance.ts'
import type { Outcome } from '../../core/result.ts'
import { createSecrets, declaredBy } from '../../core/secrets.ts'
import { recordTurnTool } from '../../memory/tools.ts'

/** Makes an answered run a turn of its conversation. The answer keeps the trust of all that the run has seen (SPEC B6). */
export function recorderRole(conversations: ConversationStore): Role {
  const record = recordTurnTool(conversations)
  return defineRole({
    name: 'recorder',
    limits: { timeoutMs: 20_000, retries: 2 },
    async run(ctx): Promise<Outcome> {
      const { request, state } = ctx
      const understood = state.plan?.understood?.question
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
