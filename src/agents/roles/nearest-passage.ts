import type { AgentResult } from '../../core/response.ts'

interface Near {
  readonly nearest?: { readonly place?: unknown; readonly text?: unknown }
}

/**
 * What an agent that declined found nearest to the question, for people alone: the words are a stranger's, and no prompt
 * is given them.
 */
export function nearestPassages(results: readonly AgentResult[]): string[] {
  return results.flatMap(({ error, data }) => {
    const { place, text } = (data as Near | undefined)?.nearest ?? {}
    if (error?.type !== 'PlanningDeclined' || typeof place !== 'string' || typeof text !== 'string') return []
    return [`Nearest to it, and not an answer, is ${place}: “${text}”`]
  })
}
