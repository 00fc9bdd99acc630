import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import type { Table } from '../../domain/table.ts'
import { noModelMessage } from '../../domain/model.ts'
import type { OpenApis } from '../../agents/api/agent.ts'
import { apiData } from '../../agents/api/data.ts'
import { describeEndpoint } from '../../agents/api/describe-endpoint.ts'
import type { StandIn } from '../../agents/stand-in.ts'
import { apiAnswerText } from './plain-answer.ts'
import { howToAsk, readCall, type Operation } from './read-call.ts'

/** Without a model: makes the one call that the question writes out, or lists the operations that it asks for. */
async function answerApi(
  task: AgentTask,
  ctx: ActorContext,
  { apis, index, calls, tools }: OpenApis,
): Promise<Outcome> {
  const { locale } = ctx.request
  const read = readApiCall(task.text, ctx, { apis, index })
  if ('listed' in read) return listing(read.listed)
  if ('why' in read) return ctx.decline(notRead(read, task.text))
  const { plan } = read
  ctx.note('DECISION', 'API call planned', { plan, by: 'rules' })
  const call = calls.ofPlan(plan)
  const answer = await ctx.call(calls.effectOf(call) === 'read' ? tools.call : tools.send, plan)
  const { tabular, sources } = answer
  return {
    answer: apiAnswerText(answer, locale),
    data: apiData(plan, answer, 'rules'),
    sources,
    ...omitUndefined({ tabular }),
  }
}

export const apiStandIn: StandIn<OpenApis> = {
  answer: answerApi,
  async understands(text, ctx, open) {
    const read = readApiCall(text, ctx, open)
    if ('why' in read) return undefined
    return { acts: 'plan' in read && !/^(?:GET|HEAD)$/i.test(read.plan.method) }
  },
  offers: async (_ctx, { apis }) => ({ apis: apis.map(({ catalogue }) => catalogue.name) }),
}

function readApiCall(
  text: string,
  { request: { context } }: ActorContext,
  { apis, index }: Pick<OpenApis, 'apis' | 'index'>,
) {
  const rank = index.rank(text).map(({ api, endpoint }) => ({ api: apis[api]!.catalogue, endpoint }))
  return readCall(text, apis, rank, context)
}

function listing(operations: readonly Operation[]): Outcome {
  const rows = operations.map(({ api, endpoint: { method, path, summary } }) => ({
    api: api.name,
    method,
    path,
    summary,
  }))
  const names = [...new Set(rows.map(({ api }) => api))]
  const tabular: Table = { columns: ['api', 'method', 'path', 'summary'], rows, rowCount: rows.length }
  const first = operations.find(({ endpoint }) => endpoint.effect === 'read') ?? operations[0]!
  const [only, ...others] = operations
  return {
    answer:
      others.length === 0
        ? describeEndpoint(only!.endpoint, only!.api.name)
        : `${rows.length} operations of ${names.join(', ')}. Ask for one such as “${howToAsk(first, '')}”.`,
    tabular,
    data: { operations: rows, by: 'rules' },
    sources: names.map((name) => ({ kind: 'api', name })),
  }
}

function notRead(
  { why, close }: { readonly why: string; readonly close: readonly Operation[] },
  question: string,
): string {
  const ways = close.map((operation) => `“${howToAsk(operation, question)}”`)
  return [
    noModelMessage(),
    ...(why === '' ? [] : [`Without one, this is not clear: ${why}.`]),
    ...(ways.length === 0
      ? ['Ask “Which endpoints are there?”.']
      : [`Close endpoints, by which it can be asked: ${ways.join(', ')}.`]),
  ].join(' ')
}
