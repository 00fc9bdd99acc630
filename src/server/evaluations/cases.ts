import { z } from 'zod'
import { assertContextAllowed } from '../../domain/context.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { caseOfRun, type CaseInput } from '../../evaluation/cases.ts'
import { parseStoredCases } from '../../evaluation/stored/parse-cases.ts'
import type { Resource } from '../context.ts'
import { id, nameUpTo, itemsSchema } from '../schemas.ts'

const caseSchema = z
  .looseObject({
    set: z.string(),
    id: z.string(),
    turns: z.array(z.looseObject({ question: z.string(), expect: z.array(z.looseObject({})).optional() })),
  })
  .meta({ id: 'EvalCase' })

const value = z.string().trim().min(1).max(10_000)

/** Cases: added from a file, or made from a run. */
export const evaluationCases: Resource = async (routes, { app }) => {
  const { cases } = app.evaluations
  routes.get(
    '/evaluations/cases',
    { access: 'read', summary: 'The cases of the caller, by set', response: itemsSchema(caseSchema) },
    async ({ caller: { userId } }) => ({ items: (await cases.list(userId)) as never }),
  )
  routes.post(
    '/evaluations/cases',
    {
      access: 'ask',
      summary: 'Add the cases of a file; replaces those with the same set and ID',
      body: z.strictObject({
        cases: z.string().max(1_000_000).describe('One JSON object per line, see docs/evaluation.md'),
        set: nameUpTo(100).min(1).default('all').describe('Default set'),
      }),
      response: { 201: z.object({ kept: z.number().int() }) },
    },
    async ({ caller: { userId }, body }) => {
      const read = parseStoredCases(body.cases, body.set)
      // The cases are text, so the check of request bodies does not cover them.
      assertContextAllowed(read, app.config.server.allowContextKeys)
      await cases.save(userId, read)
      return { kept: read.length }
    },
  )
  routes.delete(
    '/evaluations/cases',
    {
      access: 'manage',
      summary: 'Delete a set, or one case of it; earlier evaluations are kept',
      query: z.object({ set: z.string().min(1).max(200), id: id.optional() }),
    },
    async ({ caller: { userId }, query }) => cases.remove(userId, query.set, query.id),
  )
  routes.post(
    '/runs/:runId/case',
    {
      access: 'ask',
      summary: 'Make a case from a run: its question, and the expected answer',
      body: z.strictObject({
        set: nameUpTo(100).min(1).default('runs'),
        number: z.array(z.number()).min(1).max(50).optional(),
        contains: z.array(value).min(1).max(50).optional(),
        excludes: z.array(value).min(1).max(50).optional(),
        judge: value.optional().describe('The expected content, which a model compares with the answer'),
        refusal: z.literal(true).optional(),
      }),
      response: { 201: caseSchema },
    },
    async ({ caller: { userId }, params: { runId }, body: { set, ...expect } }) => {
      const state = await app.as(userId).runs.state(runId)
      if ((state.request.attached ?? []).length > 0) {
        const why =
          'This question has attached files, which a case cannot have. Add them to the documents and ask again.'
        throw new TuttiError('InvalidRequest', why)
      }
      const one: CaseInput = { ...caseOfRun(state, omitUndefined(expect) as never), set }
      const [kept] = parseStoredCases(JSON.stringify(one), set)
      await cases.save(userId, [kept!])
      return kept as never
    },
  )
}
