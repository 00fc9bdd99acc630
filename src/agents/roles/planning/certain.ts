import type { Recollection } from '../../../core/conversation.ts'
import { isAble, isSource, type Team } from './choose.ts'
import { evidenceFor } from './evidence.ts'
import { isCourtesy } from './references.ts'

/**
 * Whether it is certain who works on a question, so that no model has to be asked: one agent is a source that can work, no
 * word speaks for another that can, and nothing was said before that the question may depend on.
 */
export function isCertain(
  question: string,
  candidates: readonly string[],
  team: Team,
  { recent, summary }: Pick<Recollection, 'recent' | 'summary'>,
): boolean {
  const [only] = candidates
  if (candidates.length !== 1 || recent.length > 0 || summary !== undefined || isCourtesy(question)) return false
  const others = team.agents.filter((agent) => agent.name !== only && isAble(agent, team.context))
  const chosen = team.agents.find(({ name }) => name === only)
  if (chosen === undefined || !isSource(chosen) || !isAble(chosen, team.context)) return false
  return others.every((agent) => !isSource(agent) && evidenceFor(agent, question).strong === 0)
}
