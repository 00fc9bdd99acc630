import { z } from 'zod'
import type { Message } from '@ag-ui/core'
import { TuttiError } from '../../domain/errors.ts'
import { requestSchema } from '../../domain/request.ts'
import { DONE, eventOf } from '../media-types.ts'
import type { StreamFormat } from '../query/query.ts'
import { agUiEvents } from './ag-ui.ts'
import { uiMessageChunks } from './ui-message-stream.ts'

/**
 * The client's conversation ID is used as Tutti's. Earlier messages are read from the store; those in the request are
 * ignored.
 */
const threadId = requestSchema.shape.conversationId.unwrap()
/** Additional fields of the request. */
const more = z.record(z.string(), z.unknown())

const uiBody = z.looseObject({
  id: threadId.describe('ID of the chat'),
  messages: z
    .array(
      z.looseObject({
        role: z.string(),
        parts: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
      }),
    )
    .min(1)
    .max(2_000),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional(),
  messageId: z.string().nullish(),
})

/** For `useChat` of the AI SDK. Its transport may add fields of a Tutti request to the body. */
const ui: StreamFormat<z.output<typeof uiBody>> = {
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  body: uiBody,
  event: eventOf(z.union([z.looseObject({ type: z.string() }), DONE])).meta({
    id: 'UIMessageEvent',
    description: 'A chunk of the UI message stream of the AI SDK',
  }),
  parse({ id, messages, trigger: _trigger, messageId: _messageId, ...rest }) {
    const { parts } = lastOfUser(messages)
    const files = parts.filter(({ type }) => type !== 'text' && !type.startsWith('data-'))
    if (files.length > 0) throw new TuttiError('InvalidRequest', 'File attachments are not supported. Send text only.')
    const question = parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n')
    return { request: { ...rest, question }, threadId: id }
  },
  async *events(runs, runId, options) {
    for await (const chunk of uiMessageChunks(runs.stream(runId, options))) yield { data: JSON.stringify(chunk) }
    yield { data: '[DONE]' }
  },
}

const agUiBody = z.looseObject({
  threadId,
  runId: z.string().min(1).max(200),
  messages: z
    .array(z.looseObject({ role: z.string(), content: z.unknown() }))
    .min(1)
    .max(2_000),
  forwardedProps: more.nullish().describe('Fields of a Tutti request, such as strategy'),
})

/** For AG-UI clients. Client tools are accepted and never called. */
const agUi: StreamFormat<z.output<typeof agUiBody>> = {
  body: agUiBody,
  event: eventOf(z.looseObject({ type: z.string() })).meta({ id: 'AgUiEvent', description: 'An event of AG-UI' }),
  parse({ threadId: id, messages, forwardedProps }) {
    const { content } = lastOfUser(messages)
    const parts = z.array(z.looseObject({ type: z.literal('text'), text: z.string() })).safeParse(content)
    const question = typeof content === 'string' ? content : parts.data?.map(({ text }) => text).join('\n')
    if (question === undefined) throw new TuttiError('InvalidRequest', 'The message contains no text. Add one.')
    return { request: { ...forwardedProps, question }, threadId: id }
  },
  async *events(runs, runId, options, body) {
    const { threadId: thread = runId, runId: run = runId, messages = [] } = body ?? {}
    const input = { threadId: thread, runId: run, messages: messages as Message[] }
    for await (const event of agUiEvents(runs.stream(runId, options), input)) yield { data: JSON.stringify(event) }
  },
}

/** Values of `POST /query/stream?format=`. */
export const FORMATS = { ui, 'ag-ui': agUi } as Readonly<Record<string, StreamFormat>>

function lastOfUser<M extends { readonly role: string }>(messages: readonly M[]): M {
  const last = messages.at(-1)!
  if (last.role === 'user') return last
  throw new TuttiError('InvalidRequest', 'The last message must be a question of the user.')
}
