import { z } from 'zod'
import { TuttiError } from '../../../domain/errors.ts'
import type { RequestInput } from '../../../domain/request.ts'
import type { ClientMessage } from '../../../memory/recall.ts'

/** Text, as a string or in parts. Other content is rejected: it would be lost silently. */
const text = z.union([
  z.string(),
  z
    .array(z.looseObject({ type: z.literal('text'), text: z.string() }))
    .transform((parts) => parts.map((part) => part.text).join('\n')),
])

/** Client tools are accepted but never called, so tool messages cannot occur. */
const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: text.nullish().transform((given) => given ?? ''),
})

const toolChoice = z.enum(['auto', 'none']).nullish().describe('Client tools are never called')

/** The fields of a chat completion request that are used. Sampling is configured in the installation. */
export const chatSchema = z.looseObject({
  model: z.string().min(1).describe('A strategy, a team, or "auto"; see /v1/models'),
  messages: z.array(message).min(1).max(2_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1).nullish(),
  logprobs: z.literal(false).nullish(),
  top_logprobs: z.literal(0).nullish(),
  modalities: z.array(z.literal('text')).nullish(),
  tool_choice: toolChoice,
  function_call: toolChoice,
  response_format: z.looseObject({ type: z.literal('text').describe('Answers are plain text') }).nullish(),
})

/**
 * Converts messages to a request and its earlier messages; the last one is the question. The protocol has no approvals,
 * so calls that need one are skipped.
 * @throws TuttiError `InvalidRequest` if the last message is not the user's
 */
export function parseMessages(messages: readonly z.output<typeof message>[]): {
  readonly request: RequestInput
  readonly earlier: readonly ClientMessage[]
} {
  const rules = messages.flatMap(({ role, content }) => (role === 'system' || role === 'developer' ? [content] : []))
  const systemPrompt = rules.join('\n\n').trim()
  const earlier = messages.flatMap(({ role, content }): ClientMessage[] =>
    role === 'user' || role === 'assistant' ? [{ role, text: content }] : [],
  )
  const question = earlier.pop()
  if (question?.role !== 'user') {
    throw new TuttiError('InvalidRequest', 'The last message must be a question of the user.')
  }
  return {
    request: {
      question: question.text,
      interactive: false,
      ...(systemPrompt === '' ? {} : { systemPrompt }),
    },
    earlier,
  }
}
