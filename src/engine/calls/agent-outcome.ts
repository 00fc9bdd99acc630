import { fieldProblem, oneOf, RULES, type Rules } from '../../domain/declaration.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/result.ts'
import { isObject } from '../../shared/json.ts'

const OUTCOME: Rules = {
  needed: {},
  optional: {
    status: oneOf('succeeded', 'failed', 'skipped'),
    answer: RULES.string,
    tabular: RULES.object,
    error: RULES.object,
    confidence: RULES.number,
    sources: RULES.list,
    remarks: RULES.texts,
    unanswered: RULES.texts,
    skills: RULES.texts,
  },
}

/**
 * The outcome of an agent, which may be plain JavaScript.
 * @throws TuttiError `Internal` for anything but an outcome or nothing
 */
export function checkedOutcome(agent: string, outcome: Outcome | undefined): Outcome {
  if (outcome === undefined || outcome === null) return {}
  const problem = isObject(outcome) ? fieldProblem(outcome, OUTCOME) : 'it must be an object, such as { answer }'
  if (problem === undefined) return outcome
  throw new TuttiError('Internal', `The result of the agent "${agent}" cannot be used: ${problem}.`)
}
