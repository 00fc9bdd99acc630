import { defineRole, type Role } from '../../core/actor.ts'
import { recollectionOf, unsummarised, type ConversationStore } from '../../core/conversation.ts'
import { BY_USER } from '../../core/provenance.ts'
import type { Outcome } from '../../core/result.ts'
import { LONGEST_SUMMARY, summariseByRules, turnsOf } from '../../memory/summary.ts'
import { recordSummaryTool } from '../../memory/tools.ts'
import { limitsModels } from './memory-extractor.ts'
import { summariseConversation } from './summarizer-prompt.ts'

/** Characters of one message that the model is shown. */
const LONGEST_MESSAGE = 3_000

/** Brings the summary of the conversation up to its last turn (SPEC R9), beside the planning. */
export function summarizerRole(conversations: ConversationStore): Role {
  const record = recordSummaryTool(conversations)
  return defineRole({
    name: 'summarizer',
    limits: { timeoutMs: 30_000, retries: 1 },
    async run(ctx): Promise<Outcome> {
      const { recollection, request } = ctx
      const messages = unsummarised(recollection)
      const turns = turnsOf(messages).map(({ question, answer }) => ({
        question: question.slice(0, LONGEST_MESSAGE),
        answer: answer.slice(0, LONGEST_MESSAGE),
      }))
      const earlier = recollection.summary?.text ?? ''
      const text = limitsModels(ctx)
        ? summariseByRules(earlier, turns)
        : (await ctx.ask(summariseConversation, { earlier, turns })).value
      await ctx.call(record, {
        owner: ctx.owner,
        runId: ctx.runId,
        at: Date.parse(ctx.state.startedAt),
        conversationId: request.conversationId!,
        text: text.trim().slice(0, LONGEST_SUMMARY),
        turns: messages.at(-1)!.turn,
        // Of what it was made from, not of what this run has come across.
        provenance: recollectionOf(undefined, recollection.summary, messages).provenance ?? BY_USER,
      })
      return { answer: `Summarised the conversation up to turn ${messages.at(-1)!.turn}.` }
    },
  })
}
