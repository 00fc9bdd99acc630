import type { FastifyRequest } from 'fastify'
import { toTuttiError } from '../../../domain/errors.ts'
import type { LiveItem } from '../../../engine/readers/live.ts'
import type { Resource } from '../../context.ts'
import { toProblem, openAiError } from '../../problems.ts'
import { startOnce } from '../../runs/start.ts'
import { sendEvents, clientAbortSignal, type ServerSentEvent } from '../../sse.ts'
import { chatAnswer, modelListSchema, modelSchema } from './answers.ts'
import { chatChunks, chatCompletion } from './chat.ts'
import { findModel, listModels, type Model } from './models.ts'
import { parseMessages, chatSchema } from './request.ts'

/** OpenAI-compatible API: chat completions, and the strategies as models. */
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
      body: chatSchema,
      response: { 200: chatAnswer },
    },
    async (request, reply) => {
      const { model, messages, stream, stream_options: wanted } = request.body
      const mine = app.as(request.caller.userId)
      const { request: question, earlier } = parseMessages(messages)
      const asked = (await findModel(offering, request.caller.userId, model)).applyTo(question)
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

/**
 * Waits for the answer, then checks the permission of the caller again.
 * @throws TuttiError `NotSignedIn`, `NotAllowed`
 */
async function waitForAnswer<T>(request: FastifyRequest, answer: Promise<T>): Promise<T> {
  const whole = await answer
  await request.admit()
  return whole
}
