import type { z } from 'zod'
import { assertDeclared, oneOf, RULES, type Rules } from './declaration.ts'
import { quotedInput } from './prompt-text.ts'

export interface Message {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

export interface RenderedPrompt {
  /** The system prompt. */
  readonly instructions: string
  /** The last user message, or a whole conversation ending with one. */
  readonly user: string | readonly Message[]
}

/**
 * A model call as a typed function: what goes in, what comes out, how it is worded, and what to do without a model
 * (SPEC B3). A prompt whose output is plain text is streamed; any other output is asked for as JSON by its schema.
 */
export interface Prompt<I, O> {
  /** `actor.verb`, such as `sql.generate`. */
  readonly name: string
  readonly format: 'text' | 'json'
  readonly input: z.ZodType<I>
  readonly output: z.ZodType<O>
  /** Every text of the input comes quoted: no line of it can pass for one of the prompt, see `prompt-text.ts`. */
  readonly render: (input: I) => RenderedPrompt
  /**
   * Fields whose text is the operator's, or that `render` quotes by itself; they come as they are. `systemPrompt` always
   * does.
   */
  readonly verbatim?: readonly string[]
  readonly fallback: (input: I) => O | Promise<O>
  readonly maxOutputTokens?: number
  /** The model is not told of the user and the conversation, which make no difference to this answer. */
  readonly withoutMemory?: boolean
  readonly temperature?: number
}

const PROMPT: Rules = {
  needed: {
    name: RULES.text,
    input: RULES.schema,
    output: RULES.schema,
    render: RULES.run,
    fallback: RULES.run,
  },
  optional: {
    format: oneOf('text', 'json'),
    verbatim: RULES.texts,
    maxOutputTokens: RULES.number,
    temperature: RULES.number,
    withoutMemory: RULES.flag,
  },
}

/**
 * A prompt for `ctx.ask`. Texts of its input are quoted before `render` sees them, unless `verbatim` names them.
 * @throws TuttiError `ConfigurationError` in one sentence for a declaration that is wrong
 */
export function definePrompt<I, O>(prompt: Omit<Prompt<I, O>, 'format'> & { format?: 'text' | 'json' }): Prompt<I, O> {
  assertDeclared('prompt', prompt, PROMPT)
  const verbatim = ['systemPrompt', ...(prompt.verbatim ?? [])]
  const render = (input: I): RenderedPrompt => prompt.render(quotedInput(input, verbatim))
  return Object.freeze({ ...prompt, render, format: prompt.format ?? 'json' })
}
