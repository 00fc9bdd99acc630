import type { Clause } from '../../../language/clauses.ts'
import { isStopWord, stem, wordsOf } from '../../../language/tokens.ts'
import type { Agent } from '../../../core/actor.ts'
import type { Team } from './choose.ts'
import { evidenceFor } from './evidence.ts'

/**
 * Clauses that one agent takes as a whole (`planning.takes`) become one: “check the invoices against the contracts and
 * write a report” is one thing for a team that does both.
 */
export function takenTogether(question: string, clauses: readonly Clause[], { agents }: Team): readonly Clause[] {
  const takers = agents.filter(({ planning }) => planning?.takes !== undefined)
  if (takers.length === 0) return clauses
  const found: Clause[] = []
  let taker: Agent | undefined
  for (const clause of clauses) {
    const last = found.at(-1)
    if (taker !== undefined && last !== undefined && goesWith(taker, clause)) {
      found[found.length - 1] = { ...last, text: question.slice(last.start, clause.end), end: clause.end }
      continue
    }
    taker = takers.find((agent) => evidenceFor(agent, clause.text).strong > 0)
    found.push(clause)
  }
  return found
}

function goesWith({ planning, ...agent }: Agent, { text }: Clause): boolean {
  if (planning?.takes === 'rest') return true
  const { name, description, capabilities, useCases, keywords } = agent
  const own = new Set(wordsOf([name, description, ...capabilities, ...useCases, ...keywords].join(' ')).map(stem))
  return wordsOf(text).every((word) => isStopWord(word) || own.has(stem(word)))
}
