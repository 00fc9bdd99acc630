import { omitUndefined, truncate } from '../shared/json.ts'
import type { AskOptions } from '../domain/model.ts'
import type { Message, RenderedPrompt } from '../domain/prompt.ts'
import type { JsonSchema } from './json-schema.ts'

export interface Wording {
  /** The constant part of a prompt. */
  readonly instructions: string
  /** The user's profile and the conversation; it changes with the conversation and follows the instructions. */
  readonly preamble?: string
  /** Constant text; it comes first in the first message. */
  readonly stable?: string
  readonly messages: readonly Message[]
}

/** Longest part of a faulty answer that is shown to the model again, in characters. */
const MAX_SHOWN_CHARS = 4000

/** The messages of a request, from constant text to new text, since providers cache a common beginning of two calls. */
export function wordingOf(
  { instructions, stable, user }: RenderedPrompt,
  { preamble, feedback }: Pick<AskOptions, 'preamble' | 'feedback'>,
): Wording {
  const [first, ...later] = typeof user === 'string' ? [{ role: 'user' as const, text: user }] : user
  const correction =
    feedback === undefined || first === undefined ? first : { ...first, text: `${feedback}\n\n${first.text}` }
  return {
    instructions,
    ...omitUndefined({ preamble, stable }),
    messages: correction === undefined ? [] : [correction, ...later],
  }
}

/** Asks for JSON if the provider supports no schema in the request. */
export function schemaRule(schema: JsonSchema): string {
  return `Answer with one JSON value alone, without any other text, that fits this JSON schema:\n${JSON.stringify(schema)}`
}

/** The same conversation, with the faulty answer and its problem appended. */
export function repairWording(wording: Wording, answer: string, fault: string, format: 'text' | 'json'): Wording {
  const shown = truncate(answer, MAX_SHOWN_CHARS)
  const expected = format === 'json' ? 'the corrected JSON alone, without any other text' : 'the corrected text alone'
  const complaint = `Your answer cannot be used: ${fault}. Answer again with ${expected}.`
  return {
    ...wording,
    messages: [...wording.messages, { role: 'assistant', text: shown }, { role: 'user', text: complaint }],
  }
}
