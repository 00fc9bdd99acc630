import type { RoleContext } from '../../core/actor.ts'
import { isQuoted } from '../../core/unanswered.ts'
import type { AgentResult } from '../../core/response.ts'
import { partsAsked, silentParts } from '../answers/silent-parts.ts'
import { ownAnswers, type ComposeInput } from './composer-prompt.ts'

export interface Dropped {
  /** Findings that tell of a part of which the answer says nothing. */
  readonly more: readonly string[]
  /** Parts of which no finding tells, either. */
  readonly silent: readonly string[]
}

export const NOT_DROPPED: Dropped = { more: [], silent: [] }

/**
 * What a model dropped of a question of several parts, while planning, finding or wording: rules give each part a task, and know
 * what became of it.
 * @param around what is said beside the answer: a part that is named there is not named again
 */
export function droppedParts(
  { state }: RoleContext,
  results: readonly AgentResult[],
  { question, summaries }: ComposeInput,
  answer: string,
  around: readonly string[],
): Dropped {
  const isOfModel =
    state.plan?.guardrails?.['refinedBy'] === 'model' || results.some(({ models = [] }) => models.length > 0)
  const parts = isOfModel ? partsAsked(question) : []
  if (parts.length === 0) return NOT_DROPPED
  const isNamed = (part: string): boolean => around.some((said) => isQuoted(said, part))
  const found = results.flatMap((result) => [result.answer ?? '', ...result.sources.map(({ excerpt = '' }) => excerpt)])
  const missed = silentParts(parts, answer, found).filter((part) => !isNamed(part))
  const more = ownAnswers(summaries).filter((own) => {
    const silent = silentParts(parts, own, found)
    return !answer.includes(own) && missed.some((part) => !silent.includes(part))
  })
  const silent = more.length === 0 ? missed : silentParts(parts, [answer, ...more].join('\n\n'), found)
  return { more, silent: silent.filter((part) => missed.includes(part)) }
}

export function notTold(part: string): string {
  return `Not answered: “${part}”: nobody said anything of it.`
}
