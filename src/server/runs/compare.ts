import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { JobState, RunState } from '../../domain/state.ts'

const jobSchema = z.object({
  status: z.string(),
  answer: z.string().optional(),
  error: z.string().optional(),
  plan: z
    .array(z.object({ id: z.string(), agent: z.string(), dependsOn: z.array(z.string()).readonly() }))
    .readonly()
    .optional()
    .describe('Plan, if the job is the planner'),
})

/** The fields of a job that are compared: its input and its result. */
const SIDES = ['actor', 'task', 'status', 'answer', 'table', 'data', 'error'] as const

export const comparisonSchema = z
  .object({
    /** Names of the request fields that differ. */
    request: z.array(z.string()).readonly(),
    isSamePlan: z.boolean(),
    isSameAnswer: z.boolean(),
    /** The jobs of both runs, in order. A job that only one run has is absent on the other side. */
    jobs: z
      .array(
        z.object({
          key: z.string(),
          actor: z.string(),
          text: z.string().optional().describe('Task of the job, if it is not the whole question'),
          isSame: z.boolean(),
          differs: z.array(z.enum(SIDES)).readonly().describe('Fields that differ, if both runs have the job'),
          a: jobSchema.optional(),
          b: jobSchema.optional(),
        }),
      )
      .readonly(),
  })
  .meta({ id: 'Comparison' })

/** Compares two runs. Jobs are the same if their inputs and results are. */
export function compareRuns(a: RunState, b: RunState): z.infer<typeof comparisonSchema> {
  const keys = [...new Set([...a.jobs.keys(), ...b.jobs.keys()])]
  const jobs = keys.map((key) => {
    const [one, other] = [a.jobs.get(key), b.jobs.get(key)]
    const { actor, task } = (one ?? other)!
    const [before, after] = [outcomeOf(one), outcomeOf(other)]
    const unlike = SIDES.filter((side) => !isDeepStrictEqual(before[side], after[side]))
    const isSame = unlike.length === 0
    const differs = one === undefined || other === undefined ? [] : unlike
    const sides = { ...(one && { a: jobView(one, a) }), ...(other && { b: jobView(other, b) }) }
    return { key, actor, text: task?.text, isSame, differs, ...sides }
  })
  const [one, other] = [comparedRequest(a), comparedRequest(b)]
  const fields = Object.keys({ ...one, ...other }) as (keyof typeof one)[]
  return {
    request: fields.filter((field) => !isDeepStrictEqual(one[field], other[field])),
    isSamePlan: isDeepStrictEqual(a.plan?.plan, b.plan?.plan),
    isSameAnswer: isDeepStrictEqual(a.answer, b.answer),
    jobs,
  }
}

/** The request without fields that the user did not set: the reason of the strategy and the current time. */
function comparedRequest({ request }: RunState) {
  const { strategyReason: _reason, context, ...asked } = request
  const { current_datetime_utc: _moment, ...rest } = context
  return { ...asked, context: rest }
}

function outcomeOf(job: JobState | undefined): Readonly<Record<(typeof SIDES)[number], unknown>> {
  const { status, answer, tabular, data, error } = job?.result ?? {}
  return { actor: job?.actor, task: job?.task, status, answer, table: tabular, data, error }
}

function jobView({ status, result }: JobState, { plan }: RunState): z.infer<typeof jobSchema> {
  const { answer, error } = result ?? {}
  const planned = answer !== undefined && answer === plan?.rationale ? plan.plan.tasks : undefined
  const tasks = planned?.map(({ id, agent, dependsOn }) => ({ id, agent, dependsOn }))
  return { status, answer, error: error?.message, plan: tasks }
}
