import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppOf } from '../../../app/user-app.ts'
import { toTuttiError, TuttiError } from '../../../domain/errors.ts'
import type { RequestInput } from '../../../domain/request.ts'
import type { RunState } from '../../../domain/state.ts'
import type { LiveItem } from '../../../engine/readers/live.ts'
import type { Resource } from '../../context.ts'
import { toProblem, openAiError } from '../../problems.ts'
import { startOnce } from '../../runs/start.ts'
import { sendEvents, clientAbortSignal, type ServerSentEvent } from '../../sse.ts'
import { chatAnswer, modelListSchema, modelSchema, responseAnswer, responseSchema } from './answers.ts'
import { chatChunks, chatCompletion } from './chat.ts'
import { modelNameOf, findModel, listModels, type Model } from './models.ts'
import {
  parseMessages,
  responseRequestSchema,
  chatSchema,
  requestMessages,
  type ParsedRequest,
  type ResponseRequest,
} from './request.ts'
import { responseEvents, runOf, wholeResponse } from './responses.ts'

const notStreamed = z.looseObject({
  stream: z.literal('false').optional().describe('Streaming is requested in the body, not here'),
})

/** OpenAI-compatible API: chat completions, responses, and the strategies as models. */
export const openAi: Resource = async (routes, parts) => {
  const { app, closing } = parts
  const offering = { strategies: app.strategies, teams: app.teams }
  const modelView = ({ name }: Pick<Model, 'name'>) => ({
    id: name,
    object: 'model' as const,
    created: 0,
    owned_by: 'tutti',
  })

  routes.get(
    '/v1/models',
    { access: 'follow', summary: 'The strategies and the caller’s teams, as models', response: modelListSchema },
    async ({ caller }) => ({
      object: 'list' as const,
      data: (await listModels(offering, caller.userId)).map(modelView),
    }),
  )
  routes.get(
    '/v1/models/:model',
    { access: 'follow', summary: 'A model', response: modelSchema },
    async ({ params, caller }) => modelView(await findModel(offering, caller.userId, params.model)),
  )

  routes.post(
    '/v1/chat/completions',
    {
      access: 'ask',
      summary: 'Ask with an OpenAI chat completion',
      idempotency: 'own',
      body: chatSchema,
      response: { 200: chatAnswer },
    },
    async (request, reply) => {
      const { model, messages, stream, stream_options: wanted } = request.body
      const mine = app.as(request.caller.userId)
      const { request: question, earlier } = parseMessages(messages)
      const asked = (await findModel(offering, request.caller.userId, model)).asked(question)
      const runId = await startOnce(mine, asked, request, reply, earlier)
      const options = { model, includeUsage: wanted?.include_usage === true }
      if (stream !== true)
        return waitForAnswer(
          request,
          chatCompletion(mine.runs.stream(runId, { signal: clientAbortSignal(reply, closing) }), options),
        )
      return sendEvents(reply, (signal) => chatEvents(mine.runs.stream(runId, { signal }), options, request.id), parts)
    },
  )

  routes.post(
    '/v1/responses',
    {
      access: 'ask',
      summary: 'Ask with an OpenAI response',
      idempotency: 'own',
      body: responseRequestSchema,
      response: { 200: responseAnswer },
    },
    async (request, reply) => {
      const { model, instructions, previous_response_id: previous, stream, background } = request.body
      const mine = app.as(request.caller.userId)
      if (background === true && request.body.store === false) {
        throw new TuttiError('InvalidRequest', 'A background response is fetched by ID: leave out "store": false.')
      }
      const wanted = await findModel(offering, request.caller.userId, model)
      const { request: question, earlier } = await parseResponseRequest(mine, request.body)
      const asked = wanted.asked(question)
      const runId = await startOnce(mine, asked, request, reply, earlier)
      const options = {
        model,
        ...(instructions ? { instructions } : {}),
        ...(previous ? { previousResponseId: previous } : {}),
      }
      if (background === true && stream !== true) return currentResponse(mine, runId, model)
      if (stream !== true)
        return waitForAnswer(
          request,
          wholeResponse(mine.runs.stream(runId, { signal: clientAbortSignal(reply, closing) }), options),
        )
      return sendEvents(
        reply,
        (signal) => namedEvents(responseEvents(mine.runs.stream(runId, { signal }), options)),
        parts,
      )
    },
  )

  routes.get(
    '/v1/responses/:id',
    { access: 'follow', summary: 'A response in its current state', query: notStreamed, response: responseSchema },
    async ({ params: { id: response }, caller }) => currentResponse(app.as(caller.userId), runOf(response)),
  )
  routes.post(
    '/v1/responses/:id/cancel',
    { access: 'ask', summary: 'Cancel a response and its run', response: responseSchema },
    async ({ params: { id: response }, caller: { userId } }) => {
      const mine = app.as(userId)
      await storedRun(mine, runOf(response))
      await mine.runs.cancel(runOf(response), userId)
      return currentResponse(mine, runOf(response))
    },
  )
}

/**
 * Converts a response request. `previous_response_id` and `conversation` refer to Tutti's conversations. Without them,
 * earlier messages are taken from the request, and a single question starts a conversation.
 */
async function parseResponseRequest(
  mine: AppOf,
  body: ResponseRequest,
): Promise<{ readonly request: RequestInput; readonly earlier: ParsedRequest['earlier'] | undefined }> {
  const find = async (item: string): Promise<string> =>
    (await storedRun(mine, item.replace(/^msg_/, ''))).answer?.text ?? ''
  const { request: asked, earlier } = parseMessages(await requestMessages(body, find), body.instructions)
  const request = body.store === false ? { ...asked, store: false } : asked
  const { previous_response_id: previous, conversation } = body
  const named = typeof conversation === 'string' ? conversation : conversation?.id
  const before = previous ? (await storedRun(mine, runOf(previous))).request.conversationId : undefined
  if (previous && before === undefined) {
    throw new TuttiError(
      'InvalidRequest',
      `Response ${previous} belongs to no conversation; send the earlier messages.`,
    )
  }
  const conversationId = named ?? before
  if (conversationId === undefined)
    return { request, earlier: earlier.length > 0 || body.store === false ? earlier : undefined }
  if (earlier.length === 0) return { request: { ...request, conversationId }, earlier: undefined }
  throw new TuttiError('InvalidRequest', 'The conversation already has the earlier messages; send only the question.')
}

/** @param model as requested; default: the strategy or team of the run */
async function currentResponse(mine: AppOf, runId: string, model?: string) {
  const state = await storedRun(mine, runId)
  return wholeResponse(streamItems(await mine.runs.events(runId)), { model: model ?? modelNameOf(state) })
}

/**
 * The run of a stored response.
 * @throws TuttiError `RunNotFound`; `NotFound` if it was requested with `store: false`
 */
async function storedRun({ runs }: AppOf, runId: string): Promise<RunState> {
  const state = await runs.state(runId)
  if (state.request.store !== false) return state
  throw new TuttiError('NotFound', 'This response was not stored; ask again without "store": false.')
}

async function* streamItems(items: readonly LiveItem[]): AsyncGenerator<LiveItem> {
  yield* items
}

async function* chatEvents(
  items: AsyncIterable<LiveItem>,
  options: Parameters<typeof chatChunks>[1],
  requestId: string,
): AsyncGenerator<ServerSentEvent> {
  try {
    for await (const chunk of chatChunks(items, options)) yield { data: JSON.stringify(chunk) }
    yield { data: '[DONE]' }
  } catch (thrown) {
    // The status 200 was already sent, and clients of this protocol cannot resume.
    yield { data: JSON.stringify(openAiError(toProblem(toTuttiError(thrown), requestId))) }
  }
}

async function* namedEvents(events: ReturnType<typeof responseEvents>): AsyncGenerator<ServerSentEvent> {
  for await (const event of events) yield { event: event.type, data: JSON.stringify(event) }
}

/**
 * Waits for the answer, then checks the permission of the caller again.
 * @throws TuttiError `NotSignedIn`, `NotAllowed`
 */
async function waitForAnswer<T>(request: FastifyRequest, answer: Promise<T>): Promise<T> {
  const whole = await answer
  await request.admit()
  return whole
}
