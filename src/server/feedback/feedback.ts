import { z } from 'zod'
import { assertRunAnswered, THUMBS } from '../../domain/feedback.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Resource } from '../context.ts'
import { time } from '../schemas.ts'

const feedbackFields = {
  thumb: z.enum(THUMBS),
  reason: z.string().trim().min(1).max(2_000).optional(),
}
const feedbackSchema = z.object({ ...feedbackFields, runId: z.string(), givenAt: time }).meta({ id: 'Feedback' })

/** Feedback on answers. */
export const feedback: Resource = async (routes, { app, clock }) => {
  routes.post(
    '/runs/:runId/feedback',
    {
      access: 'ask',
      summary: 'Rate an answer; replaces an earlier rating',
      body: z.strictObject(feedbackFields),
      response: feedbackSchema,
    },
    async ({ caller: { userId }, params: { runId }, body: { thumb, ...why } }) => {
      assertRunAnswered(await app.as(userId).runs.state(runId))
      const one = { runId, owner: userId, thumb, ...omitUndefined(why), givenAt: clock.now() }
      await app.feedback.give(one)
      return one
    },
  )
  routes.get(
    '/runs/:runId/feedback',
    {
      access: 'read',
      summary: 'The caller’s rating of an answer, if any',
      response: z.object({ feedback: feedbackSchema.optional() }),
    },
    async ({ caller: { userId }, params: { runId } }) => {
      const one = await app.feedback.get(userId, runId)
      // Throws `RunNotFound` if the run does not belong to the caller.
      if (one === undefined) await app.as(userId).runs.state(runId)
      return { feedback: one }
    },
  )
}
