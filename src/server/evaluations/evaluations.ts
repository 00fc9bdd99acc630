import { z } from 'zod'
import { omitUndefined } from '../../shared/json.ts'
import type { EvaluationWithResults } from '../../evaluation/stored/evaluations.ts'
import { EVALUATION_STATUSES } from '../../evaluation/stored/types.ts'
import { caseResultSchema, changesBetween, totalsBySet, sumTotals, sortWorstFirst } from '../../evaluation/results.ts'
import { toPage, pageSchema, pageQuery, parseCursor } from '../paging.ts'
import type { Resource } from '../context.ts'
import { id, iso, time } from '../schemas.ts'

const totalsSchema = z.object({
  cases: z.number().int(),
  right: z.number().int(),
  declined: z.number().int(),
  wrong: z.number().int(),
  failed: z.number().int(),
  score: z.number().describe('Share of right cases, 0 to 1'),
  calls: z.number().describe('Number of model calls'),
  costUsd: z.number(),
  medianMs: z.number().describe('p50 of the duration'),
  slowMs: z.number().describe('p95 of the duration; the maximum if there are fewer than 20 cases'),
})

const evaluationSchema = z
  .object({
    evaluationId: z.string(),
    status: z.enum(EVALUATION_STATUSES),
    strategy: z.string().optional(),
    model: z.string().optional(),
    startedAt: time,
    endedAt: time.optional(),
    asked: z.number().int().describe('Number of its cases; `totals.cases` of them have a result'),
    totals: totalsSchema,
    sets: z.array(z.object({ set: z.string(), totals: totalsSchema })),
  })
  .meta({ id: 'Evaluation' })

const resultSchema = caseResultSchema.meta({ id: 'CaseResult' })
const comparedSchema = z.object({
  set: z.string(),
  id: z.string(),
  before: resultSchema.optional(),
  after: resultSchema.optional(),
})

/** Evaluations with questions whose answers are known. Right, declined and wrong are counted separately. */
export const evaluations: Resource = async (routes, { app }) => {
  const all = app.evaluations
  routes.get(
    '/evaluations',
    {
      access: 'read',
      summary: 'The evaluations of the caller, latest first',
      query: pageQuery,
      response: pageSchema(evaluationSchema),
    },
    async ({ caller: { userId }, query: { limit, cursor } }) => {
      const place = parseCursor(cursor)
      const after = place === undefined ? undefined : { createdAt: place.at, evaluationId: place.id }
      const list = await all.list(userId, limit + 1, after)
      const items = list.map(evaluationView)
      return toPage(items, limit, ({ startedAt, evaluationId }) => ({ at: startedAt, id: evaluationId }))
    },
  )
  routes.post(
    '/evaluations',
    {
      access: 'ask',
      summary: 'Start an evaluation of some sets, or of all; it runs in the background',
      body: z.strictObject({
        sets: z.array(z.string().min(1).max(200)).min(1).max(200).optional(),
        strategy: z.string().max(100).optional().describe('Overrides the strategy of a case'),
        model: z.string().max(200).optional().describe('`provider:model`'),
      }),
      response: { 202: evaluationSchema },
    },
    async ({ caller: { userId }, body }) => {
      const evaluationId = await all.start(userId, omitUndefined(body))
      return evaluationView(await all.get(userId, evaluationId))
    },
  )
  routes.get(
    '/evaluations/compare',
    {
      access: 'read',
      summary: 'Compare two evaluations: changed cases first, worst on top',
      query: z.object({ before: id, after: id }),
      response: z.object({
        before: evaluationSchema,
        after: evaluationSchema,
        cases: z.array(comparedSchema),
      }),
    },
    async ({ caller: { userId }, query }) => {
      const [before, after] = await Promise.all([query.before, query.after].map((one) => readEvaluation(userId, one)))
      const key = (one: { readonly set: string; readonly id: string }): string => JSON.stringify([one.set, one.id])
      const changed = new Set(changesBetween(before!.run, after!.run).map(key))
      const earlier = new Map(before!.run.cases.map((one) => [key(one), one]))
      const later = new Map(after!.run.cases.map((one) => [key(one), one]))
      const pairs = [...new Set([...later.keys(), ...earlier.keys()])].map((name) => {
        const [was, is] = [earlier.get(name), later.get(name)]
        const { set, id: caseId } = (is ?? was)!
        return { set, id: caseId, before: was, after: is }
      })
      const sorted = sortWorstFirst(pairs, (pair) => (pair.after ?? pair.before)?.verdict)
      const cases = [
        ...sorted.filter((one) => changed.has(key(one))),
        ...sorted.filter((one) => !changed.has(key(one))),
      ]
      return { before: before!.evaluation, after: after!.evaluation, cases }
    },
  )
  routes.get(
    '/evaluations/:evaluationId',
    {
      access: 'read',
      summary:
        'An evaluation with the results of its cases, wrong answers first; `tutti eval --compare` accepts it, too',
      response: evaluationSchema.extend({
        version: z.literal(1),
        files: z.array(z.string()),
        models: z.record(z.string(), z.string()),
        cases: z.array(resultSchema),
      }),
    },
    async ({ caller: { userId }, params: { evaluationId } }) => {
      const { evaluation, run } = await readEvaluation(userId, evaluationId)
      return { ...run, ...evaluation, cases: sortWorstFirst(run.cases, ({ verdict }) => verdict) }
    },
  )
  routes.post(
    '/evaluations/:evaluationId/cancel',
    { access: 'ask', summary: 'Cancel the remaining cases; results so far are kept', response: evaluationSchema },
    async ({ caller: { userId }, params: { evaluationId } }) => {
      await all.cancel(userId, evaluationId)
      return evaluationView(await all.get(userId, evaluationId))
    },
  )
  routes.delete(
    '/evaluations/:evaluationId',
    { access: 'manage', summary: 'Delete an evaluation; the runs of its cases are kept' },
    async ({ caller: { userId }, params: { evaluationId } }) => all.remove(userId, evaluationId),
  )
  /** An evaluation for lists, and in the format of `tutti eval --json`. */
  const readEvaluation = async (userId: string, evaluationId: string) => {
    const one = await all.get(userId, evaluationId)
    const { strategy, model, createdAt, sets } = one
    const models: Record<string, string> = model === undefined ? {} : { default: model }
    const cases = await all.results(userId, evaluationId)
    const run = {
      version: 1 as const,
      files: [...sets],
      startedAt: iso(createdAt),
      models,
      cases,
      ...omitUndefined({ strategy }),
    }
    return { evaluation: evaluationView(one), run }
  }
}

function evaluationView({ createdAt, cases, ...one }: EvaluationWithResults) {
  return { ...one, startedAt: createdAt, totals: sumTotals(cases), sets: totalsBySet(cases) }
}
