import type { RunResponse } from '../domain/response.ts'
import type { Expectation } from './cases.ts'
import type { Check } from './scorers.ts'

/**
 * Verdict on an answer. `declined`: not answered, and the response states this. `wrong`: another answer was given,
 * which is worse. `failed`: there is no answer to judge.
 */
export type Verdict = 'right' | 'declined' | 'wrong' | 'failed'

/** From best to worst. A case of several turns gets the worst of their verdicts. */
export const VERDICTS: readonly Verdict[] = ['right', 'declined', 'failed', 'wrong']

/** Computes the verdict on one expectation from its checks. */
export function readingVerdict(expectation: Expectation, response: RunResponse, checks: readonly Check[]): Verdict {
  const { status, isAnswered } = response.metadata
  if (status !== 'finished') return 'failed'
  if (expectation.refusal === true) {
    const rest = checks.filter(({ scorer }) => scorer !== 'refusal')
    return !isAnswered && rest.every(({ passed }) => passed) ? 'right' : 'wrong'
  }
  // The answer contains something that it must not.
  if (checks.some(({ scorer, passed }) => scorer === 'excludes' && !passed)) return 'wrong'
  // Declined even if the expected text occurs in the passages that are shown instead of an answer.
  if (!isAnswered && expectation.passage !== true) return 'declined'
  if (checks.every(({ passed }) => passed)) return 'right'
  return isAnswered && !isPartial(response, checks) ? 'wrong' : 'declined'
}

/** Whether one part is right and the rest was not answered. */
function isPartial({ status }: RunResponse, checks: readonly Check[]): boolean {
  return status === 'partly' && checks.some(({ passed, scorer }) => passed && scorer !== 'excludes')
}
