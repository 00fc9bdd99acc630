import type { ModelPort } from '../src/core/model.ts'

/** What whoever organises the work asks a model. */
const ORGANISING = new Set(['planner.refine', 'planner.plan', 'supervisor.route', 'review.plan', 'review.judge'])

/**
 * A model that plans, decides and judges as the rules would, and is asked nothing else: what a strategy costs, and whether its
 * way with a model goes wrong by itself.
 */
export const obeying: ModelPort = {
  async ask(prompt, input, { fallback, reserve }) {
    const value = (fallback?.() ?? prompt.fallback(input)) as never
    if (!ORGANISING.has(prompt.name)) return { value, by: 'fallback', reason: 'this model only organises', requests: 0 }
    const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }
    reserve({ tokens: 0, costUsd: 0 })(usage)
    return { value, by: 'model', model: 'scripted:obeying', usage, requests: 1 }
  },
}
