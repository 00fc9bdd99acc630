import type { RunResponse } from '../domain/response.ts'
import type { Expectation } from './cases.ts'
import type { Check } from './scorers.ts'

/**
 * What came of a question. `declined`: it was not answered, and that is said. `wrong`: something else was answered, which is
 * worse. `failed`: there was no answer to judge.
 */
export type Verdict = 'right' | 'declined' | 'wrong' | 'failed'

/** From the best to the worst; a case of several turns is as good as the worst of them. */
export const VERDICTS: readonly Verdict[] = ['right', 'declined', 'failed', 'wrong']

/** Judges one reading by its checks. */
export function readingVerdict(expectation: Expectation, response: RunResponse, checks: readonly Check[]): Verdict {
  const { status, isAnswered } = response.metadata
  if (status !== 'finished') return 'failed'
  if (expectation.refusal === true) {
    const rest = checks.filter(({ scorer }) => scorer !== 'refusal')
    return !isAnswered && rest.every(({ passed }) => passed) ? 'right' : 'wrong'
  }
  // What must not be said was said.
  if (checks.some(({ scorer, passed }) => scorer === 'excludes' && !passed)) return 'wrong'
  // Also where the words looked for stand in what is shown as no answer.
  if (!isAnswered && expectation.passage !== true) return 'declined'
  if (checks.every(({ passed }) => passed)) return 'right'
  return isAnswered && !isPartial(response, checks) ? 'wrong' : 'declined'
}

/** Whether a part is right and the rest was not answered. */
function isPartial({ status }: RunResponse, checks: readonly Check[]): boolean {
  return status === 'partly' && checks.some(({ passed, scorer }) => passed && scorer !== 'excludes')
}
