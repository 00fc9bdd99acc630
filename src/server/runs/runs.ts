import { z } from 'zod'
import { assertProviders } from '../../app/models.ts'
import { TuttiError } from '../../domain/errors.ts'
import { taskSchema } from '../../domain/plan.ts'
import { runDetailView, retryableJob } from '../../domain/run-view.ts'
import { isFinal } from '../../domain/store.ts'
import { plannedQuestion, type PlannedQuestion } from '../../engine/run/plan-question.ts'
import { omitUndefined } from '../../shared/json.ts'
import { isOver } from '../../domain/state.ts'
import { EVENT_STREAM, withMediaTypes } from '../media-types.ts'
import type { Resource } from '../context.ts'
import { id, moment } from '../schemas.ts'
import { sendEvents } from '../sse.ts'
import { compareRuns, comparisonSchema } from './compare.ts'
import { logEvents, positionOf, runEvents, logEventSchema, runEventSchema } from './events.ts'
import { askSchema, responseSchema, runSchema } from './schema.ts'
import { startOnce } from './start.ts'

const begun = z.object({ runId: z.string() })
const asked = begun.extend({ conversationId: z.string().optional() })
const planSchema = z.looseObject({ tasks: z.array(taskSchema).readonly() }) as unknown as z.ZodType<PlannedQuestion>

/** Runs. The log names the author of each change by user ID. */
export const runs: Resource = async (routes, parts) => {
  const { app } = parts
  routes.post(
    '/runs',
    {
      access: 'ask',
      summary: 'Start a run without waiting for its answer',
      body: askSchema,
      response: { 202: asked },
    },
    async (request, reply) => {
      const mine = app.as(request.caller.userId)
      const runId = await startOnce(mine, request.body, request, reply)
      const { conversationId } = (await mine.runs.state(runId)).request
      return { runId, conversationId }
    },
  )
  routes.get(
    '/runs/compare',
    { access: 'read', summary: 'Compare two runs', query: z.object({ a: id, b: id }), response: comparisonSchema },
    async ({ caller, query: { a, b } }) => {
      const mine = app.as(caller.userId).runs
      return compareRuns(await mine.state(a), await mine.state(b))
    },
  )
  routes.get(
    '/runs/:runId',
    {
      access: 'follow',
      summary: 'A run with its request, jobs, open approvals and the result so far',
      query: z.object({ trace: z.stringbool().default(false) }),
      response: z.looseObject({
        run: runSchema.loose(),
        request: z.looseObject({ question: z.string() }),
        jobs: z.array(z.looseObject({ key: z.string(), actor: z.string(), status: z.string() })).readonly(),
        approvals: z.array(z.looseObject({ approvalId: z.string(), tool: z.string(), expiresAt: moment })).readonly(),
        response: responseSchema,
      }),
    },
    async ({ caller, params: { runId }, query: { trace } }) => {
      const mine = app.as(caller.userId).runs
      const events = await mine.events(runId)
      return runDetailView((await mine.run(runId))!, events, trace) as never
    },
  )
  routes.get(
    '/runs/:runId/events',
    {
      access: 'follow',
      summary: 'Events of a run as server-sent events, from the start or after Last-Event-ID; 204 after the last event',
      query: z.object({
        after: z.string().max(60).optional().describe('Same as Last-Event-ID, for clients that cannot set headers'),
        format: z
          .enum(['tutti', 'log'])
          .default('tutti')
          .describe('log: the entries of the log, and `live.text` for text while it is being written'),
      }),
      response: {
        200: withMediaTypes('Events until the run ends', {
          [EVENT_STREAM]: z.union([runEventSchema, logEventSchema]),
        }),
        204: z.null(),
      },
      exposeHeadRoute: false,
    },
    async ({ caller, params: { runId }, query: { after, format }, headers }, reply) => {
      const mine = app.as(caller.userId).runs
      const record = await mine.run(runId)
      if (record === undefined) throw new TuttiError('RunNotFound', `There is no run ${runId}.`)
      const position = positionOf(String(headers['last-event-id'] ?? after ?? '0'))
      // An EventSource reconnects for ever unless it gets a 204.
      if (isFinal(record.status) && position.afterSeq! >= record.lastSeq) return reply.code(204).send(null)
      const events = format === 'log' ? logEvents : runEvents
      return sendEvents(reply, (signal) => events(mine, runId, { ...position, signal }), parts)
    },
  )
  routes.get(
    '/runs/:runId/plan',
    { access: 'follow', summary: 'The present plan', response: planSchema },
    async ({ caller, params: { runId } }) => {
      const state = await app.as(caller.userId).runs.state(runId)
      if (state.plan === undefined) throw new TuttiError('RunConflict', 'This run has no plan yet.')
      return plannedQuestion(state, false)
    },
  )
  routes.put(
    '/runs/:runId/plan',
    {
      access: 'ask',
      summary: 'Change the plan of a running run; finished tasks are kept unless they change',
      body: z.strictObject({ tasks: z.array(taskSchema).max(500) }),
      response: planSchema,
    },
    async ({ caller, params: { runId }, body }) => {
      const mine = app.as(caller.userId).runs
      await mine.replan(runId, body, caller.userId)
      return plannedQuestion(await mine.state(runId), false)
    },
  )
  routes.post(
    '/runs/:runId/messages',
    {
      access: 'ask',
      summary: 'Add an instruction to a running run; the model reads it in its next turn',
      body: z.strictObject({ text: z.string().trim().min(1).max(20_000) }),
      response: { 202: begun },
    },
    async ({ caller, params: { runId }, body: { text } }) => {
      await app.as(caller.userId).runs.say(runId, text, caller.userId)
      return { runId }
    },
  )
  routes.post(
    '/runs/:runId/cancel',
    { access: 'ask', summary: 'Stop a run; its results so far are kept', response: { 202: begun } },
    async ({ caller, params: { runId } }) => {
      await app.as(caller.userId).runs.cancel(runId, caller.userId)
      return { runId }
    },
  )
  routes.post(
    '/runs/:runId/fork',
    {
      access: 'ask',
      summary:
        'Fork a run: a new run that shares everything up to one job, and continues from there with the given changes. A changed question is planned anew',
      body: z.strictObject({
        from: id.describe('Key of the job'),
        turn: z.int().min(1).optional().describe('Turn of the job to repeat; earlier turns are kept'),
        question: z.string().trim().min(1).optional(),
        systemPrompt: z.string().trim().min(1).optional(),
        models: z.record(z.string(), z.string().min(1)).optional(),
        context: z.record(z.string(), z.unknown()).optional(),
        plan: z.strictObject({ tasks: z.array(taskSchema).max(500) }).optional(),
      }),
      response: { 201: begun },
    },
    async ({ caller, params: { runId }, body: { from, ...changes } }) => {
      assertProviders(app.models, changes.models ?? {}, 'InvalidRequest')
      const forkId = await app.as(caller.userId).runs.fork(runId, from, omitUndefined(changes))
      return { runId: forkId }
    },
  )
  routes.post(
    '/runs/:runId/retry',
    {
      access: 'ask',
      summary:
        'Retry a run: a new run, and turn of its conversation, that keeps results, repeats failed jobs and continues stopped ones. Repeats all jobs if none failed',
      response: { 201: begun },
    },
    async ({ caller, params: { runId } }) => {
      const mine = app.as(caller.userId).runs
      const state = await mine.state(runId)
      const from = retryableJob(state) ?? [...state.jobs.values()][0]
      if (!isOver(state) || from === undefined) {
        throw new TuttiError('RunConflict', `Run ${runId} is ${state.status}; it can be retried when it has ended.`)
      }
      return { runId: await mine.fork(runId, from.key, {}, { isRetry: true }) }
    },
  )
  routes.delete(
    '/runs/:runId',
    { access: 'manage', summary: 'Delete a run that has ended, with all its data' },
    async ({ caller, params: { runId } }) => app.as(caller.userId).runs.delete(runId),
  )
}
