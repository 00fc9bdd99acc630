import { isObject } from '../shared/json.ts'

/** Decisions of judging roles, by the value in their data. */
const VERDICTS: Readonly<Record<string, string>> = {
  approve: 'APPROVED',
  approved: 'APPROVED',
  fixed: 'FIXED',
  reject: 'REJECTED',
  rejected: 'REJECTED',
}

/** The decision in the data of a role's result; undefined if there is none. */
export function verdictIn(data: unknown): string | undefined {
  const decision = isObject(data) ? data['decision'] : undefined
  return typeof decision === 'string' ? VERDICTS[decision.toLowerCase()] : undefined
}
