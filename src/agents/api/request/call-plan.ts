import { z } from 'zod'

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

const value: z.ZodType<Value> = z.lazy(() => z.union([scalar, z.array(scalar), z.record(z.string(), value)]))

/** The value of a parameter; the parameter's style defines how lists and objects are written. */
type Value = z.output<typeof scalar> | readonly z.output<typeof scalar>[] | { readonly [name: string]: Value }

/** The plan of one HTTP call. */
export const callPlanSchema = z.object({
  makeRequest: z.boolean().default(true).describe('false when no endpoint can do what is asked'),
  api: z.string().default('').describe('name of the API'),
  method: z.string().default('GET').describe('GET, POST, PUT, PATCH, DELETE or HEAD'),
  path: z.string().default('').describe('as listed, placeholders included, such as /orders/{id}'),
  pathParams: z.record(z.string(), value).default({}).describe('values of the placeholders'),
  queryParams: z.record(z.string(), value).default({}).describe('query parameters of the endpoint'),
  jsonBody: z
    .union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.null()])
    .default(null)
    .describe('request body'),
  headers: z.record(z.string(), value).default({}).describe('header parameters of the endpoint; the sign-in is added'),
  reason: z.string().default('').describe('one sentence: why this call'),
  failureReason: z.string().nullable().default(null).describe('what is missing, when makeRequest is false'),
})

export type CallPlan = z.infer<typeof callPlanSchema>

/** A plan to make no call, and why. */
export function declined(failureReason: string): CallPlan {
  return callPlanSchema.parse({ makeRequest: false, method: '', failureReason })
}

const DOCUMENTATION_ONLY = /documentation|not documented|not specif|cannot invent|can't invent/i

/**
 * Overrides a model's refusal of a GET or POST that only cites missing documentation. Calls that are not plain reads
 * still need approval.
 */
export function shouldForceAttempt(plan: CallPlan): boolean {
  if (plan.makeRequest || !plan.path.startsWith('/')) return false
  if (!['GET', 'POST'].includes(plan.method.toUpperCase())) return false
  return DOCUMENTATION_ONLY.test(`${plan.failureReason ?? ''} ${plan.reason}`)
}
