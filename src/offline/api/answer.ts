import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import type { Table } from '../../domain/table.ts'
import { noModelMessage } from '../../domain/model.ts'
import type { OpenApis } from '../../agents/api/agent.ts'
import { apiData } from '../../agents/api/answer.ts'
import { describeEndpoint } from '../../agents/api/describe-endpoint.ts'
import type { StandIn } from '../../agents/stand-in.ts'
import { howToAsk, type Operation, readCall } from './read-call.ts'
import { localeProfile } from '../../shared/locale.ts'
import { truncate } from '../../shared/json.ts'
import type { ApiAnswer } from '../../agents/api/answer.ts'

/** Without a model: makes the one call that the question writes out, or lists the operations that it asks for. */
async function answerApi(
  task: AgentTask,
  ctx: ActorContext,
  { apis, index, calls, tools }: OpenApis,
): Promise<Outcome> {
  const { locale } = ctx.request
  const read = readApiCall(task.text, ctx, { apis, index })
  if ('listed' in read) return listing(read.listed)
  if ('why' in read) return ctx.decline(notRead(read))
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
        : `${rows.length} operations of ${names.join(', ')}. Ask for one such as “${howToAsk(first)}”.`,
    tabular,
    data: { operations: rows, by: 'rules' },
    sources: names.map((name) => ({ kind: 'api', name })),
  }
}

function notRead({ why, close }: { readonly why: string; readonly close: readonly Operation[] }): string {
  const ways = close.map((operation) => `“${howToAsk(operation)}”`)
  return [
    noModelMessage(),
    ...(why === '' ? [] : [`Without one, this is not clear: ${why}.`]),
    ...(ways.length === 0
      ? ['Ask “Which endpoints are there?”.']
      : [`Close endpoints, by which it can be asked: ${ways.join(', ')}.`]),
  ].join(' ')
}

const MAX_TEXT = 600

/** What a request returned, in a few words. */
function apiAnswerText(reply: ApiAnswer, locale?: string): string {
  const { method, artifact, isCut, kind, leftOut = [] } = reply
  const isRead = method === 'GET' || method === 'HEAD'
  const location = artifact === undefined ? '' : `as ${artifact.id}`
  const cut = `Not the whole answer is shown${location === '' ? '' : `; more of it is kept ${location}`}.`
  const unsent = leftOut.map((name) => `"${truncate(name, 60)}"`).join(', ')
  return [
    ...(isRead ? [] : [`Done: ${method} ${new URL(reply.url).pathname} was answered with ${reply.status}.`]),
    ...(kind === 'empty' && !isRead ? [] : [bodyText(reply, location, localeProfile(locale).number)]),
    ...(isCut && kind !== 'binary' ? [cut] : []),
    ...(unsent === '' ? [] : [`The request went without ${unsent}.`]),
  ].join(' ')
}

function bodyText(
  { kind, mediaType, bytes, tabular, json, text }: ApiAnswer,
  location: string,
  number: (value: number) => string,
): string {
  if (kind === 'empty' || tabular?.rowCount === 0) return 'No data was returned.'
  if (kind === 'binary') {
    const size = `${mediaType || 'unknown type'}, ${number(bytes)} bytes`
    return `The answer is a file (${size}).${location === '' ? '' : ` It is kept ${location}.`}`
  }
  if (tabular !== undefined) {
    const count = `${tabular.truncated === true ? 'At least ' : ''}${number(tabular.rowCount)}`
    return `${count} ${tabular.rowCount === 1 ? 'record was' : 'records were'} found.`
  }
  return truncate(text ?? JSON.stringify(json) ?? '', MAX_TEXT)
}
