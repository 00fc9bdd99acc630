import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import type { JobState, RunState } from '../../domain/state.ts'

const jobSchema = z.object({
  status: z.string(),
  answer: z.string().optional(),
  error: z.string().optional(),
  plan: z
    .array(z.object({ id: z.string(), agent: z.string(), dependsOn: z.array(z.string()).readonly() }))
    .readonly()
    .optional()
    .describe('Of whoever made the plan'),
})

/** What came of a job, and of what it came. */
const SIDES = ['actor', 'task', 'status', 'answer', 'table', 'data', 'error'] as const

export const comparisonSchema = z
  .object({
    /** The request's fields that differ. */
    request: z.array(z.string()).readonly(),
    isSamePlan: z.boolean(),
    isSameAnswer: z.boolean(),
    /** Every job of either run, in its order; a side without it did not do it. */
    jobs: z
      .array(
        z.object({
          key: z.string(),
          actor: z.string(),
          text: z.string().optional().describe('What was asked of it, where that is not the whole question'),
          isSame: z.boolean(),
          differs: z.array(z.enum(SIDES)).readonly().describe('In what two that were both done are not the same'),
          a: jobSchema.optional(),
          b: jobSchema.optional(),
        }),
      )
      .readonly(),
    firstDifference: z.string().optional().describe('Key of the first job that is not the same in both'),
  })
  .meta({ id: 'Comparison' })

/** Where two runs part: jobs are the same when they came back with the same. */
export function compareRuns(a: RunState, b: RunState): z.infer<typeof comparisonSchema> {
  const keys = [...new Set([...a.jobs.keys(), ...b.jobs.keys()])]
  const jobs = keys.map((key) => {
    const [one, other] = [a.jobs.get(key), b.jobs.get(key)]
    const { actor, task } = (one ?? other)!
    const [before, after] = [outcomeOf(one), outcomeOf(other)]
    const unlike = SIDES.filter((side) => !isDeepStrictEqual(before[side], after[side]))
    const isSame = unlike.length === 0
    const differs = one === undefined || other === undefined ? [] : unlike
    const sides = { ...(one && { a: shown(one, a) }), ...(other && { b: shown(other, b) }) }
    return { key, actor, ...omitUndefined({ text: task?.text }), isSame, differs, ...sides }
  })
  const first = jobs.find(({ isSame }) => !isSame)
  const [one, other] = [askedOf(a), askedOf(b)]
  const fields = Object.keys({ ...one, ...other }) as (keyof typeof one)[]
  return {
    request: fields.filter((field) => !isDeepStrictEqual(one[field], other[field])),
    isSamePlan: isDeepStrictEqual(a.plan?.plan, b.plan?.plan),
    isSameAnswer: isDeepStrictEqual(a.answer, b.answer),
    jobs,
    ...(first === undefined ? {} : { firstDifference: first.key }),
  }
}

/** Why its strategy was chosen, and the moment, are told of a request and no part of what was asked. */
function askedOf({ request }: RunState) {
  const { strategyReason: _reason, context, ...asked } = request
  const { current_datetime_utc: _moment, ...told } = context
  return { ...asked, context: told }
}

function outcomeOf(job: JobState | undefined): Readonly<Record<(typeof SIDES)[number], unknown>> {
  const { status, answer, tabular, data, error } = job?.result ?? {}
  return { actor: job?.actor, task: job?.task, status, answer, table: tabular, data, error }
}

function shown({ status, result }: JobState, { plan }: RunState): z.infer<typeof jobSchema> {
  const { answer, error } = result ?? {}
  const planned = answer !== undefined && answer === plan?.rationale ? plan.plan.tasks : undefined
  const tasks = planned?.map(({ id, agent, dependsOn }) => ({ id, agent, dependsOn }))
  return { status, ...omitUndefined({ answer, error: error?.message, plan: tasks }) }
}
