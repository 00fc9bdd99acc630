import type { ChatCompletion } from 'openai/resources/chat/completions'
import { z } from 'zod'
import { DONE, EVENT_STREAM, eventOf, withMediaTypes } from '../../media-types.ts'

/** The fields that the official clients read. OpenAI documents the others. */

const seconds = z.number().int().describe('Seconds since the epoch')
const tokens = z.number().int()

export const modelSchema = z
  .object({ id: z.string(), object: z.literal('model'), created: seconds, owned_by: z.string() })
  .meta({ id: 'OpenAiModel' })

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) })

export const errorSchema = z
  .object({
    error: z.object({
      message: z.string().describe('One sentence that says what to do'),
      type: z.enum(['invalid_request_error', 'server_error']),
      param: z.null(),
      code: z.string().describe('As in docs/errors.md'),
    }),
  })
  .meta({ id: 'OpenAiError' })

const usage = z.looseObject({ prompt_tokens: tokens, completion_tokens: tokens, total_tokens: tokens })
const head = { id: z.string(), created: seconds, model: z.string().describe('As named in the request') }
const end = z.enum(['stop', 'length'])

const completion = z
  .looseObject({
    ...head,
    object: z.literal('chat.completion'),
    choices: z.array(
      z.looseObject({
        index: z.literal(0),
        message: z.looseObject({ role: z.literal('assistant'), content: z.string() }),
        finish_reason: end,
      }),
    ),
    usage,
  })
  .meta({ id: 'OpenAiChatCompletion' }) as unknown as z.ZodType<ChatCompletion>

const chunk = z
  .looseObject({
    ...head,
    object: z.literal('chat.completion.chunk'),
    choices: z.array(
      z.looseObject({
        index: z.literal(0),
        delta: z.looseObject({ role: z.literal('assistant').optional(), content: z.string().optional() }),
        finish_reason: end.nullable(),
      }),
    ),
    usage: usage.nullable().optional(),
  })
  .meta({ id: 'OpenAiChatCompletionChunk' })

export const chatAnswer = withMediaTypes('The completion or, with "stream", its chunks', {
  'application/json': completion,
  [EVENT_STREAM]: eventOf(z.union([chunk, errorSchema, DONE])),
})
