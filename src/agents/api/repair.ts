import type { Endpoint } from './catalogue/types.ts'
import type { CallPlan } from './request/call-plan.ts'
import { dateValue } from './rules/dates.ts'
import type { Reply } from './response/reply.ts'

const TEMPORAL = [
  { name: 'startDateTime', key: 'current_date_start_hour', end: 'from' },
  { name: 'endDateTime', key: 'current_date_end_hour', end: 'to' },
] as const

/**
 * The plan with `startDateTime` and `endDateTime` added from the temporal context, after a 400 (SPEC P7); undefined when
 * they were there, or have nothing to do with this endpoint. Written as the catalogue says, else as in the context.
 */
export function withTemporalParams(
  plan: CallPlan,
  reply: Reply,
  endpoint: Endpoint | undefined,
  context: Readonly<Record<string, unknown>>,
): CallPlan | undefined {
  const said = `${reply.text ?? ''}${JSON.stringify(reply.json ?? '')}`
  const added: Record<string, string> = {}
  for (const { name, key, end } of TEMPORAL) {
    const param = endpoint?.params.find((candidate) => candidate.in === 'query' && candidate.name === name)
    const fits = endpoint === undefined || param !== undefined || said.includes(name)
    const value = context[key]
    const given = plan.queryParams[name]
    if (!fits || typeof value !== 'string' || (given !== undefined && given !== null && given !== '')) continue
    added[name] = param?.type.format === undefined ? value : dateValue(value.slice(0, 10), end, param.type.format)
  }
  if (Object.keys(added).length === 0) return undefined
  return { ...plan, queryParams: { ...plan.queryParams, ...added } }
}
