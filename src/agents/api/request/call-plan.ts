import { z } from 'zod'

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** One HTTP call as it is planned. */
export const callPlanSchema = z.object({
  makeRequest: z.boolean().describe('whether a request can answer the question'),
  api: z.string().describe('name of the API, as given in brackets'),
  method: z.string().describe('GET, POST, PUT, PATCH, DELETE or HEAD'),
  path: z.string().describe('the path as listed, placeholders included, such as /orders/{id}'),
  pathParams: z.record(z.string(), scalar).describe('values of the placeholders'),
  queryParams: z
    .record(z.string(), z.union([scalar, z.array(scalar), z.record(z.string(), z.union([scalar, z.array(scalar)]))]))
    .describe('query parameters'),
  jsonBody: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.null()]).describe('body, or null'),
  headers: z.record(z.string(), z.string()).describe('header parameters of the endpoint; never authorization'),
  reason: z.string().describe('one sentence: why this call answers the question'),
  failureReason: z.string().nullable().describe('what is missing when makeRequest is false, else null'),
})

export type CallPlan = z.infer<typeof callPlanSchema>

/** A plan to make no call, and why. */
export function declined(failureReason: string): CallPlan {
  return {
    makeRequest: false,
    api: '',
    method: '',
    path: '',
    pathParams: {},
    queryParams: {},
    jsonBody: null,
    headers: {},
    reason: '',
    failureReason,
  }
}

const DOCUMENTATION_ONLY = /documentation|not documented|not specif|cannot invent|can't invent/i

/**
 * The rule of SPEC P6: a refusal of a GET or POST that is only about missing documentation is overridden. What
 * is not a plain read still needs a person's approval.
 */
export function shouldForceAttempt(plan: CallPlan): boolean {
  if (plan.makeRequest || !plan.path.startsWith('/')) return false
  if (!['GET', 'POST'].includes(plan.method.toUpperCase())) return false
  return DOCUMENTATION_ONLY.test(`${plan.failureReason ?? ''} ${plan.reason}`)
}
