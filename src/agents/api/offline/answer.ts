import type { ActorContext, AgentTask } from '../../../core/actor.ts'
import { placeOf } from '../../../core/artifacts.ts'
import type { Outcome } from '../../../core/result.ts'
import type { ApiAgentParts, CallMaker } from '../calls.ts'
import { apiData } from '../data.ts'
import type { EndpointIndex } from '../search/endpoint-index.ts'
import type { RequestTools } from '../tools.ts'
import { plainAnswer } from './plain-answer.ts'
import { planByRules } from './plan-by-rules.ts'
import { shapeFactor } from './shape.ts'

/** Answers without a model: one call is planned by rules, made, and told in a few words. */
export async function answerOffline(
  task: AgentTask,
  ctx: ActorContext,
  { apis }: Pick<ApiAgentParts, 'apis'>,
  { index, calls, tools }: { readonly index: EndpointIndex; readonly calls: CallMaker; readonly tools: RequestTools },
): Promise<Outcome> {
  const { context, locale } = ctx.request
  const ranked = index.rank(task.text, shapeFactor(task.text))
  const plan = planByRules(task.text, ranked, apis, context, task.facts.period)
  const endpoints = ranked.map(
    ({ api, endpoint: { method, path } }) => `${apis[api]!.catalogue.name} ${method} ${path}`,
  )
  ctx.note('DECISION', 'API call planned', { plan, by: 'rules', chosenFrom: { endpoints } })
  const call = calls.ofPlan(plan)
  const answer = await ctx.call(calls.effectOf(call) === 'read' ? tools.call : tools.send, plan)
  const { method, url, status, bytes, elapsedMs, tabular, leftOut = [], isCut, kind, artifact } = answer
  ctx.note('TOOL', 'API request executed', { method, url, status, bytes, latencyMs: elapsedMs })
  const kept = artifact === undefined ? '' : `; more of it is kept ${placeOf(artifact)}`
  const sentences = [
    plainAnswer(answer, locale),
    isCut && kind !== 'binary' ? `Not the whole answer is shown${kept}.` : '',
    notSentSentence(leftOut),
  ]
  return {
    answer: sentences.filter(Boolean).join(' '),
    ...(tabular === undefined ? {} : { tabular }),
    data: apiData(plan, answer, 'rules'),
    sources: answer.sources,
  }
}

/** A filter that could not be sent leaves an answer that is wider than what was asked for. */
function notSentSentence(names: readonly string[]): string {
  if (names.length === 0) return ''
  const listed = names.map((name) => `"${name.slice(0, 60)}"`).join(', ')
  return `The request went without ${listed}, which ${names.length === 1 ? 'is no parameter' : 'are no parameters'} of this operation.`
}
