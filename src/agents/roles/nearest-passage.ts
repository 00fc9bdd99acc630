import { z } from 'zod'
import type { AgentResult } from '../../core/response.ts'

const near = z.object({ nearest: z.object({ place: z.string(), text: z.string() }) })

/**
 * What an agent that declined found nearest to the question, for people alone: the words are a stranger's, and no prompt
 * is given them.
 */
export function nearestPassages(results: readonly AgentResult[]): string[] {
  return results.flatMap(({ error, data }) => {
    const found = near.safeParse(data)
    if (error?.type !== 'PlanningDeclined' || !found.success) return []
    const { place, text } = found.data.nearest
    return [`Nearest to it, and not an answer, is ${place}: “${text}”`]
  })
}
