import { DECLINES } from '../language/declining.ts'
import { figuresIn, type Figure } from '../language/figures/read.ts'
import type { RunResponse } from '../core/response.ts'
import type { Expectation } from './cases.ts'
import { withoutNotes, type Check } from './scorers.ts'

/**
 * What came of a question. `declined`: it was not answered, and that is said. `wrong`: something else was answered, which is
 * worse. `failed`: there was no answer to judge.
 */
export type Verdict = 'right' | 'declined' | 'wrong' | 'failed'

/** From the best to the worst; a case of several turns is as good as the worst of them. */
export const VERDICTS: readonly Verdict[] = ['right', 'declined', 'failed', 'wrong']

/** Judges one reading by its checks. */
export function verdictOf(
  expectation: Expectation,
  response: RunResponse,
  checks: readonly Check[],
  question: string,
): Verdict {
  if (response.metadata.status !== 'finished') return 'failed'
  if (expectation.refusal === true) {
    const rest = checks.filter(({ scorer }) => scorer !== 'refusal')
    return isDeclined(response) && !goesOn(response, question) && rest.every(({ passed }) => passed) ? 'right' : 'wrong'
  }
  // What must not be said was said.
  if (checks.some(({ scorer, passed }) => scorer === 'excludes' && !passed)) return 'wrong'
  // Also where the words looked for stand in what is shown as no answer.
  if (!response.metadata.isAnswered) return 'declined'
  if (checks.every(({ passed }) => passed)) return 'right'
  return isDeclined(response) || isPartial(response, checks) ? 'declined' : 'wrong'
}

/** Whether an answer is none, and says so. */
export function isDeclined({ answer, metadata }: RunResponse): boolean {
  if (!metadata.isAnswered) return true
  const [first = ''] = answer.trim().split(/(?<=[.!?])\s|\n/, 1)
  return DECLINES.test(first)
}

/** Whether what follows the words of a refusal has a figure that the question does not have: that is an answer after all. */
function goesOn({ answer, metadata }: RunResponse, question: string): boolean {
  if (!metadata.isAnswered) return false
  const text = withoutNotes(answer)
  const { index = 0, 0: refusal = '' } = DECLINES.exec(text) ?? {}
  const asked = new Set(figuresIn(question).map((figure) => printed(figure)))
  return figuresIn(text.slice(index + refusal.length)).some(
    (figure) => figure.kind !== 'name' && !asked.has(printed(figure)),
  )
}

/** A number by its value, so that “thirty” is 30. */
function printed(figure: Figure): string {
  return figure.kind === 'number' ? figure.readings.map(({ value }) => value).join() : figure.text
}

/** Whether a part is right and the rest of the answer says what is missing. */
function isPartial({ answer, agentResults }: RunResponse, checks: readonly Check[]): boolean {
  const hasFailed = agentResults.some(({ status }) => status !== 'succeeded')
  return checks.some(({ passed, scorer }) => passed && scorer !== 'excludes') && hasFailed && DECLINES.test(answer)
}
