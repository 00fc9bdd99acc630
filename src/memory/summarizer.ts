import { defineRole, type Role } from '../domain/actor.ts'
import {
  createRecollection,
  unsummarizedMessages,
  type ConversationMessage,
  type ConversationStore,
} from '../domain/conversation.ts'
import { BY_USER } from '../domain/provenance.ts'
import type { Outcome } from '../domain/result.ts'
import { recordSummaryTool } from './tools.ts'
import { limitsModels } from './extractor.ts'
import { summariseConversation } from './prompts.ts'

/** Maximum length of a message in the prompt, in characters. */
const MAX_MESSAGE_CHARS = 3_000
/** Maximum length of a summary in characters; the oldest text is dropped. */
const MAX_SUMMARY_CHARS = 1_500

/** Updates the summary of the conversation up to its last turn, in parallel to planning. */
export function summarizerRole(conversations: ConversationStore): Role {
  const record = recordSummaryTool(conversations)
  return defineRole({
    name: 'summarizer',
    limits: { timeoutMs: 30_000, retries: 1 },
    async run(ctx): Promise<Outcome> {
      const { recollection, request } = ctx
      const messages = unsummarizedMessages(recollection)
      const turns = pairTurns(messages)
      const earlier = recollection.summary?.text ?? ''
      const text = limitsModels(ctx) ? undefined : (await ctx.ask(summariseConversation, { earlier, turns })).value
      if (text === undefined) return { answer: 'Nothing was summarised.' }
      await ctx.call(record, {
        owner: ctx.owner,
        runId: ctx.runId,
        at: Date.parse(ctx.state.startedAt),
        conversationId: request.conversationId!,
        text: text.trim().slice(0, MAX_SUMMARY_CHARS),
        turns: messages.at(-1)!.turn,
        // Provenance of the summarised messages, not of data that this run has read.
        provenance: createRecollection(undefined, recollection.summary, messages).provenance ?? BY_USER,
      })
      return { answer: `Summarised the conversation up to turn ${messages.at(-1)!.turn}.` }
    },
  })
}

/** Pairs messages into turns; a question without an answer is a turn of its own. */
function pairTurns(messages: readonly ConversationMessage[]) {
  const turns = new Map<number, { question: string; answer: string }>()
  for (const { turn, role, text } of messages) {
    const entry = turns.get(turn) ?? { question: '', answer: '' }
    entry[role === 'user' ? 'question' : 'answer'] = text.slice(0, MAX_MESSAGE_CHARS)
    turns.set(turn, entry)
  }
  return [...turns.values()]
}
