import type { RunRequest } from '../domain/request.ts'

/** The strategy of a request that names none: chosen by the question, without a model. */
export const AUTO = 'auto'

/** With a model the assistant answers or delegates; a plan to confirm, and agents that the user names, are planned. */
export function withStrategy(request: RunRequest, hasModel: boolean): RunRequest {
  if (request.strategy !== AUTO) return request
  if (!hasModel) return chosen(request, 'graph', 'No model is configured.')
  if (request.confirmPlan === true) return chosen(request, 'graph', 'A plan was requested.')
  // Documents that come with the request are searched by the assistant as well.
  const named = request.preferAgents.filter((name) => name !== 'rag')
  if (named.length === 0) return chosen(request, 'direct', 'The assistant answers or delegates.')
  return chosen(request, named.length === 1 ? 'pipeline' : 'graph', `The request names ${named.join(', ')}.`)
}

function chosen(request: RunRequest, strategy: string, strategyReason: string): RunRequest {
  return Object.freeze({ ...request, strategy, strategyReason })
}
