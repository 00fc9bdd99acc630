import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { JobState, RunState } from '../../core/state.ts'

const jobSchema = z.object({ status: z.string(), answer: z.string().optional(), error: z.string().optional() })

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
          isSame: z.boolean(),
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
    const { actor } = (one ?? other)!
    const isSame = isDeepStrictEqual(outcomeOf(one), outcomeOf(other))
    return { key, actor, isSame, ...(one && { a: shown(one) }), ...(other && { b: shown(other) }) }
  })
  const first = jobs.find(({ isSame }) => !isSame)
  const { strategyReason: _a, ...one } = a.request
  const { strategyReason: _b, ...other } = b.request
  const fields = Object.keys({ ...one, ...other }) as (keyof typeof one)[]
  return {
    request: fields.filter((field) => !isDeepStrictEqual(one[field], other[field])),
    isSamePlan: isDeepStrictEqual(a.plan?.plan, b.plan?.plan),
    isSameAnswer: isDeepStrictEqual(a.answer, b.answer),
    jobs,
    ...(first === undefined ? {} : { firstDifference: first.key }),
  }
}

function outcomeOf(job: JobState | undefined): unknown {
  const { status, answer, tabular, data, error } = job?.result ?? {}
  return [job?.actor, job?.task, status, answer, tabular, data, error]
}

function shown({ status, result }: JobState): z.infer<typeof jobSchema> {
  const { answer, error } = result ?? {}
  return {
    status,
    ...(answer === undefined ? {} : { answer }),
    ...(error === undefined ? {} : { error: error.message }),
  }
}
