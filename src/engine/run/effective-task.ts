import { z } from 'zod'
import { definePrompt } from '../../domain/prompt.ts'
import { quoteLines } from '../../domain/prompt-text.ts'
import type { EffectiveTask } from '../../domain/result.ts'

type Intent = EffectiveTask['intent']

const input = z.object({ task: z.string(), instructions: z.string() })
const output = z.object({ intent: z.enum(['enhance', 'override']) })

const RULES = `A user approved an action of an assistant and added instructions. Say how they relate to the task:
- "enhance": they add to the task, narrow it or say how it should be done. The task is still to be done.
- "override": they ask for something else in place of the task.
In doubt, say "enhance".`

/** Classifies instructions: an addition to the task, or a replacement. */
export const classifyInstructions = definePrompt<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'approval.classify',
  about: {
    purpose: 'Tells whether what a person added to an approval comes on top of the task or in its place.',
    when: 'an approval came with instructions',
    failure: 'the instructions come on top of the task',
  },
  wording: RULES,
  data: 'the task and the instructions',
  input,
  output,
  temperature: 0,
  maxOutputTokens: 500,
  withoutMemory: true,
  render: ({ task, instructions }) => ({
    user: `Task:\n${quoteLines([task])}\n\nInstructions:\n${quoteLines([instructions])}`,
  }),
})

/** One instruction of a user. */
export interface UserInstruction {
  readonly text: string
  readonly intent: Intent
  readonly by?: 'model' | 'fallback'
}

/**
 * The task for the agent. Of several instructions, the last one that overrides replaces those before it; later ones are
 * added to it.
 */
export function effectiveTaskOf(original: string, given: readonly UserInstruction[]): EffectiveTask {
  const last = given.findLastIndex((one) => one.intent === 'override')
  const textFrom = (from: number): string =>
    given
      .slice(from)
      .map(({ text }) => text)
      .join('\n')
  return last === -1
    ? { intent: 'enhance', text: enhanced(original, textFrom(0)) }
    : { intent: 'override', text: overridden(original, textFrom(last)) }
}

function enhanced(original: string, instructions: string): string {
  return [
    'Complete BOTH the original task AND the additional user instructions below.',
    `### Original Task\n${original}`,
    `### User Enhanced Instructions\n${instructions}`,
  ].join('\n\n')
}

function overridden(original: string, instructions: string): string {
  return [
    'IMPORTANT — The user wants you to follow these override instructions\nINSTEAD of the original task.',
    `### User Override Instructions\n${instructions}`,
    `### Original Task (for reference only)\n${original}`,
  ].join('\n\n')
}
