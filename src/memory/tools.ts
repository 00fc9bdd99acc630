import { z } from 'zod'
import type { ConversationStore } from '../domain/conversation.ts'
import { PROFILE_FIELDS, type ProfileChange, type ProfileStore, type ProfileValues } from '../domain/profile.ts'
import { BY_USER, type Provenance } from '../domain/provenance.ts'
import { defineTool, type Tool } from '../domain/tool.ts'

export const provenance: z.ZodType<Provenance, Provenance> = z.object({
  author: z.enum(['user', 'own', 'outside']),
  private: z.boolean(),
  sources: z.array(z.string()),
  outside: z.array(z.string()).exactOptional(),
})

/** Owner, run, and start time of the run: the same for every repetition of the call. */
const runFields = { owner: z.string().min(1), runId: z.string().min(1), at: z.number() }

const value = z.union([z.string(), z.array(z.string())])
const values: z.ZodType<ProfileValues, ProfileValues> = z.partialRecord(z.enum(PROFILE_FIELDS), value)
const rememberInput = z.object({ ...runFields, values })

/** Tool that stores what users said about themselves in a run. Idempotent per run. */
export function rememberTool(profiles: ProfileStore): Tool<z.infer<typeof rememberInput>, readonly ProfileChange[]> {
  return defineTool({
    name: 'remember',
    description: 'Keeps what the user said of themself, for later runs.',
    input: rememberInput,
    effect: 'write',
    reach: 'inside',
    provenance: BY_USER,
    run: ({ owner, runId, at, values: said }) =>
      profiles.update(owner, { values: said, source: { by: 'run', runId, at }, key: runId }),
  })
}

const turnInput = z.object({
  ...runFields,
  conversationId: z.string(),
  question: z.string(),
  understood: z.string().optional(),
  answer: z.string(),
  provenance,
})

/** Tool that adds the question and answer of a run to its conversation. Idempotent. */
export function recordTurnTool(conversations: ConversationStore): Tool<z.infer<typeof turnInput>, null> {
  return defineTool({
    name: 'record_turn',
    description: 'Adds question and answer to the conversation.',
    input: turnInput,
    effect: 'write',
    reach: 'inside',
    provenance: BY_USER,
    run: async ({ owner, ...turn }) => {
      await conversations.addTurn(owner, turn)
      return null
    },
  })
}

const summaryInput = z.object({
  ...runFields,
  conversationId: z.string(),
  text: z.string().min(1),
  turns: z.number().int().positive(),
  provenance,
})

/**
 * Tool that stores the summary of a conversation up to a turn. If there is one for that number of turns already, it is
 * kept.
 */
export function recordSummaryTool(conversations: ConversationStore): Tool<z.infer<typeof summaryInput>, null> {
  return defineTool({
    name: 'record_summary',
    description: 'Keeps a summary of the earlier turns of the conversation.',
    input: summaryInput,
    effect: 'write',
    reach: 'inside',
    provenance: BY_USER,
    run: async ({ owner, ...summary }) => {
      await conversations.addSummary(owner, summary)
      return null
    },
  })
}
