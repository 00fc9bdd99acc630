import { stepsWithoutModel } from '../../../client/run.ts'
import type { RunView } from '../../run/run-log.ts'

interface ByRules {
  /** What rules did of it: the wording of what was found, all of it, or some steps. */
  readonly did: 'wording' | 'all' | 'some'
  readonly why: string
}

/** Why rules stand in for a model: they put the answer into words, or a model that might have known was not to be had. */
export function byRulesOf(
  { state: { answer }, events }: Pick<RunView, 'state' | 'events'>,
  hasModel: boolean,
): ByRules | undefined {
  if (answer === undefined || answer.by === 'model') return undefined
  if (answer.reason !== undefined) return { did: 'wording', why: answer.reason }
  // Without a model set up, the page says above that there is none.
  const missed = stepsWithoutModel(events)
  const why = [...missed.why.keys()].at(-1)
  if (!hasModel || answer.isAnswered !== false || why === undefined) return undefined
  return { did: missed.hasModel ? 'some' : 'all', why }
}
