import { z } from 'zod'
import type { App } from '../../app/user-app.ts'
import { createPairWriter, verifiedPair, type AnsweredPair } from '../../app/verified-pairs.ts'
import { TuttiError } from '../../domain/errors.ts'
import { assertRunAnswered, THUMBS, type Feedback } from '../../domain/feedback.ts'
import { omitUndefined } from '../../shared/json.ts'
import { caseOfRun } from '../../evaluation/cases.ts'
import { isPermitted } from '../../accounts/permissions.ts'
import { toPage, pageSchema, pageQuery, parseCursor } from '../paging.ts'
import type { Resource } from '../context.ts'
import { time } from '../schemas.ts'

const feedbackFields = {
  thumb: z.enum(THUMBS),
  reason: z.string().trim().min(1).max(2_000).optional(),
  correction: z.string().trim().min(1).max(10_000).optional().describe('The right answer'),
}
const feedbackSchema = z.object({ ...feedbackFields, runId: z.string(), givenAt: time }).meta({ id: 'Feedback' })
const pairSchema = z.object({ question: z.string(), database: z.string(), sql: z.string() })
const caseSchema = z.looseObject({ id: z.string().optional(), question: z.string().optional() })

/** Feedback on answers, and what it provides: cases for `tutti eval`, and verified questions. */
export const feedback: Resource = async (routes, { app, clock }) => {
  const keepPair = createPairWriter()
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
  routes.get(
    '/feedback',
    {
      access: 'admin',
      summary: 'Ratings of all users, latest first, with the cases and queries that can be made from them',
      query: pageQuery.extend({ thumb: z.enum(THUMBS).optional() }),
      response: pageSchema(
        feedbackSchema.extend({
          owner: z.string(),
          question: z.string().optional(),
          case: caseSchema.optional().describe('For a wrong answer: a case for `tutti eval`'),
          pair: pairSchema.optional().describe('For a right answer: the question and its query'),
        }),
      ),
    },
    async ({ query: { limit, cursor, thumb } }) => {
      const place = parseCursor(cursor)
      const after = place === undefined ? {} : { after: { givenAt: place.at, runId: place.id } }
      const found = await app.feedback.list({ thumb, limit: limit + 1, ...after })
      const page = toPage(found, limit, ({ givenAt, runId }) => ({ at: givenAt, id: runId }))
      return {
        ...page,
        items: await Promise.all(page.items.map(async (one) => ({ ...one, ...(await offerOf(app, one)) }))),
      }
    },
  )
  routes.get(
    '/runs/:runId/case',
    {
      access: 'read',
      summary: 'The run as a case for `tutti eval`; the correction is its expected answer',
      response: caseSchema,
    },
    async ({ caller: { userId }, params: { runId } }) => caseOf(app, userId, runId),
  )
  routes.post(
    '/runs/:runId/verified',
    {
      access: 'documents',
      summary: 'Save the question and its query as verified in the terms of the database; for users who may edit them',
      response: { 201: pairSchema.extend({ file: z.string() }) },
    },
    async ({ caller, params: { runId } }) => {
      const { userId, role } = caller
      const record = await app.store.run(runId)
      // Admins can use questions that other users rated.
      const isAsked = record !== undefined && role === 'admin' && (await app.feedback.get(record.owner, runId))
      const pair = await pairOfRun(app, isAsked ? record.owner : userId, runId)
      const grants = (await app.people.groups.grants()).get(`database:${pair.database}`) ?? []
      if (!isPermitted(caller, 'edit', { grants })) {
        throw new TuttiError('NotAllowed', `You may not change the terms of "${pair.database}"; ask an admin.`)
      }
      const file = await keepPair(app.databases, pair)
      await app.people.recordAudit({
        by: userId,
        action: 'keep verified question',
        target: `database:${pair.database}`,
        detail: { runId },
      })
      return { ...pair, file }
    },
  )
}

/** What can be made from a rated answer; nothing if its run was deleted. */
async function offerOf(app: App, { owner, runId, thumb }: Feedback) {
  const record = await app.as(owner).runs.run(runId)
  if (record === undefined) return {}
  const { question } = record
  if (thumb === 'down') return { question, case: await caseOf(app, owner, runId) }
  const pair = await pairOfRun(app, owner, runId).catch((thrown: unknown): undefined => {
    if (!TuttiError.is(thrown, 'InvalidRequest')) throw thrown
  })
  return { question, pair }
}

async function pairOfRun(app: App, owner: string, runId: string): Promise<AnsweredPair> {
  const { runs, response } = app.as(owner)
  const { request } = await runs.state(runId)
  return verifiedPair(request, await response(runId))
}

async function caseOf(app: App, owner: string, runId: string): Promise<z.output<typeof caseSchema>> {
  const correction = (await app.feedback.get(owner, runId))?.correction
  return caseOfRun(await app.as(owner).runs.state(runId), omitUndefined({ judge: correction })) as never
}
