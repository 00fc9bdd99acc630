import type { Message, RenderedPrompt } from '../core/prompt.ts'
import type { JsonSchema } from './json-schema.ts'

export interface Wording {
  readonly instructions: string
  readonly messages: readonly Message[]
}

/** Longest part of a faulty answer that is shown to the model again, in characters. */
const MOST_SHOWN = 4000

/**
 * The conversation that is sent. Where the provider takes no schema, the schema goes into the instructions.
 * @param schema absent for plain text
 */
export function wordingOf(rendered: RenderedPrompt, schema: JsonSchema | undefined): Wording {
  const { user } = rendered
  const messages = typeof user === 'string' ? [{ role: 'user' as const, text: user }] : user
  if (schema === undefined) return { instructions: rendered.instructions, messages }
  const rule = `Answer with one JSON value alone, without any other text, that fits this JSON schema:\n${JSON.stringify(schema)}`
  return { instructions: `${rendered.instructions}\n\n${rule}`.trim(), messages }
}

/** What is known of the user goes under the instructions, before what is said of the answer's form. */
export function withPreamble(rendered: RenderedPrompt, preamble: string | undefined): RenderedPrompt {
  if (preamble === undefined) return rendered
  return { ...rendered, instructions: `${rendered.instructions}\n\n${preamble}`.trim() }
}

/** The same conversation, with the faulty answer and what is wrong with it. */
export function askAgain(wording: Wording, answer: string, fault: string, format: 'text' | 'json'): Wording {
  const shown = answer.length > MOST_SHOWN ? `${answer.slice(0, MOST_SHOWN)}…` : answer
  const wanted = format === 'json' ? 'the corrected JSON alone, without any other text' : 'the corrected text alone'
  const complaint = `Your answer cannot be used: ${fault}. Answer again with ${wanted}.`
  return {
    ...wording,
    messages: [...wording.messages, { role: 'assistant', text: shown }, { role: 'user', text: complaint }],
  }
}

export function textsOf(wording: Wording): string[] {
  return [wording.instructions, ...wording.messages.map((message) => message.text)]
}
