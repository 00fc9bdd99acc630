import { z } from 'zod'
import { TuttiError } from '../../../domain/errors.ts'
import type { RequestInput } from '../../../domain/request.ts'
import type { ClientMessage } from '../../../memory/recall.ts'

/** Text, as a string or in parts. Other content is rejected: it would be lost silently. */
const text = z.union([
  z.string(),
  z
    .array(z.looseObject({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() }))
    .transform((parts) => parts.map((part) => part.text).join('\n')),
])

/** Client tools are accepted but never called, so tool messages cannot occur. */
const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: text.nullish().transform((given) => given ?? ''),
})
type Message = z.output<typeof message>

const toolChoice = z.enum(['auto', 'none']).nullish().describe('Client tools are never called')
const plainText = z.looseObject({ type: z.literal('text').describe('Answers are plain text') }).nullish()
const model = z.string().min(1).describe('A strategy, a team, or "auto"; see /v1/models')
const none = z.literal(0).nullish()

/** The fields of a chat completion request that are used. Sampling is configured in the installation. */
export const chatSchema = z.looseObject({
  model,
  messages: z.array(message).min(1).max(2_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1).nullish(),
  logprobs: z.literal(false).nullish(),
  top_logprobs: none,
  modalities: z.array(z.literal('text')).nullish(),
  tool_choice: toolChoice,
  function_call: toolChoice,
  response_format: plainText,
})

const item = z.union([
  z.looseObject({ type: z.literal('message').optional(), ...message.shape }),
  z.looseObject({ type: z.literal('item_reference'), id: z.string() }),
])

/** The fields of a response request that are used. */
export const responseRequestSchema = z.looseObject({
  model,
  input: z.union([z.string(), z.array(item).min(1).max(2_000)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  store: z.boolean().nullish().describe('`false`: the response cannot be fetched, cancelled or continued later'),
  top_logprobs: none,
  prompt: z.null().optional().describe('Stored prompts are not supported; send the text'),
  tool_choice: toolChoice,
  text: z.looseObject({ format: plainText }).nullish(),
})
export type ResponseRequest = z.output<typeof responseRequestSchema>

/** A question with the earlier messages. */
export interface ParsedRequest {
  readonly request: RequestInput
  readonly earlier: readonly ClientMessage[]
}

/**
 * Converts messages to a request; the last one is the question. These protocols have no approvals, so calls that need
 * one are skipped.
 * @throws TuttiError `InvalidRequest` if the last message is not the user's
 */
export function parseMessages(messages: readonly Message[], instructions?: string | null): ParsedRequest {
  const rules = messages.flatMap(({ role, content }) => (role === 'system' || role === 'developer' ? [content] : []))
  const systemPrompt = [...(instructions ? [instructions] : []), ...rules].join('\n\n').trim()
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

/** The messages of a response request. Messages referenced by ID are looked up. */
export async function requestMessages(
  { input }: Pick<ResponseRequest, 'input'>,
  find: (id: string) => Promise<string>,
): Promise<readonly Message[]> {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return Promise.all(
    input.map(async (one): Promise<Message> => {
      return 'role' in one ? (one as Message) : { role: 'assistant', content: await find((one as { id: string }).id) }
    }),
  )
}
