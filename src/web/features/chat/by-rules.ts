import { withoutModel } from '../../../client/run.ts'
import type { RunView } from '../../run/run-log.ts'

interface ByRules {
  /** The word of `words.answer` for it. */
  readonly told: 'byRules' | 'withoutModel' | 'partlyWithoutModel'
  readonly why: string
}

/** Why rules stand in for a model: they put the answer into words, or a model that might have known was not to be had. */
export function byRulesOf(
  { state: { answer }, events }: Pick<RunView, 'state' | 'events'>,
  hasModel: boolean,
): ByRules | undefined {
  if (answer === undefined || answer.by === 'model') return undefined
  if (answer.reason !== undefined) return { told: 'byRules', why: answer.reason }
  // Without a model set up, the page says above that there is none.
  const missed = withoutModel(events)
  const why = [...missed.why.keys()].at(-1)
  if (!hasModel || answer.isAnswered !== false || why === undefined) return undefined
  return { told: missed.hasModel ? 'partlyWithoutModel' : 'withoutModel', why }
}
