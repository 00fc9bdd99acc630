import { z } from 'zod'
import { TuttiError } from '../../../domain/errors.ts'
import type { RequestInput } from '../../../domain/request.ts'
import type { Said } from '../../../memory/recall.ts'

/** A text, alone or in parts; what is no text is refused, since it would be lost without a word. */
const text = z.union([
  z.string(),
  z
    .array(z.looseObject({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() }))
    .transform((parts) => parts.map((part) => part.text).join('\n')),
])

/** Agents have tools of their own: those of a client are offers that nobody takes up, so no message is of one. */
const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: text.nullish().transform((given) => given ?? ''),
})
type Message = z.output<typeof message>

const toolChoice = z.enum(['auto', 'none']).nullish().describe('None of the client’s tools is ever called')
const plainText = z.looseObject({ type: z.literal('text').describe('Answers are written in words') }).nullish()
const model = z.string().min(1).describe('A strategy, a team, or "auto"; see /v1/models')
const none = z.literal(0).nullish()

/** What of a chat completion request matters here; how a model samples is left to the installation. */
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

/** What of a request for a response matters here. */
export const askedSchema = z.looseObject({
  model,
  input: z.union([z.string(), z.array(item).min(1).max(2_000)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  store: z.boolean().nullish().describe('`false`: the response cannot be fetched, cancelled or gone on from'),
  top_logprobs: none,
  prompt: z.null().optional().describe('Prompts of OpenAI are not known here; send the words'),
  tool_choice: toolChoice,
  text: z.looseObject({ format: plainText }).nullish(),
})
export type ResponseRequest = z.output<typeof askedSchema>

/** A question with what was said before it. */
export interface Asked {
  readonly request: RequestInput
  readonly said: readonly Said[]
}

/**
 * What messages ask: the last is the question. Nobody can be asked over these protocols, so what needs an approval is skipped.
 * @throws TuttiError `InvalidRequest` when the last is not the user's
 */
export function askedBy(messages: readonly Message[], instructions?: string | null): Asked {
  const rules = messages.flatMap(({ role, content }) => (role === 'system' || role === 'developer' ? [content] : []))
  const systemPrompt = [...(instructions ? [instructions] : []), ...rules].join('\n\n').trim()
  const said = messages.flatMap(({ role, content }): Said[] =>
    role === 'user' || role === 'assistant' ? [{ role, text: content }] : [],
  )
  const question = said.pop()
  if (question?.role !== 'user') {
    throw new TuttiError('InvalidRequest', 'The last message must be a question of the user.')
  }
  return {
    request: {
      question: question.text,
      interactive: false,
      ...(systemPrompt === '' ? {} : { systemPrompt }),
    },
    said,
  }
}

/** The messages of a request for a response; those that were named by an id are looked up. */
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
