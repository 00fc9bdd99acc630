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
import { artifactLocation } from '../../domain/artifacts.ts'
import { localeProfile } from '../../shared/locale.ts'
import { isObject, truncate } from '../../shared/json.ts'
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

const MAX_FIELDS = 12
const MAX_TEXT = 600

/** What a request returned, in a few words. */
function apiAnswerText(reply: ApiAnswer, locale?: string): string {
  const { number } = localeProfile(locale)
  const { method, tabular, kind, artifact, isCut, leftOut = [] } = reply
  const { pathname, searchParams } = new URL(reply.url)
  const isRead = method === 'GET' || method === 'HEAD'
  const location = artifact === undefined ? '' : artifactLocation(artifact)
  const filters = [...searchParams].map(([name, value]) => `${name} ${value}`).join(', ')
  const limits = filters === '' ? '' : ` (${filters})`
  const body = (): string => {
    if (kind === 'empty') return isRead ? 'No data was returned.' : ''
    if (kind === 'binary') {
      const size = `${reply.mediaType || 'unknown type'}, ${number(reply.bytes)} bytes`
      return `The answer is a file (${size}).${location === '' ? '' : ` It is kept ${location}.`}`
    }
    if (tabular === undefined) return isObject(reply.json) ? fieldsOf(reply.json, number) : textOf(reply)
    if (tabular.rowCount === 0) return `No data was returned${limits}.`
    const count = `${tabular.truncated === true ? 'At least ' : ''}${number(tabular.rowCount)}`
    return `${count} ${nounOf(pathname, tabular.rowCount)} found${limits}.`
  }
  return [
    isRead ? '' : `Done: ${method} ${pathname} was answered with ${reply.status}.`,
    body(),
    isCut && kind !== 'binary'
      ? `Not the whole answer is shown${location === '' ? '' : `; more of it is kept ${location}`}.`
      : '',
    leftOut.length === 0
      ? ''
      : `The request went without ${leftOut.map((name) => `"${truncate(name, 60)}"`).join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function textOf({ text, json }: ApiAnswer): string {
  return truncate(text ?? JSON.stringify(json) ?? '', MAX_TEXT)
}

function nounOf(pathname: string, count: number): string {
  const last = pathname.split('/').findLast((segment) => /^[a-z][a-z_-]*s$/i.test(segment))
  if (last === undefined || count === 1) return count === 1 ? 'record was' : 'records were'
  return `${last.replace(/[-_]/g, ' ')} were`
}

function fieldsOf(record: Readonly<Record<string, unknown>>, number: (value: number) => string): string {
  const flat = Object.entries(record).flatMap(([key, value]): [string, unknown][] =>
    isObject(value) ? Object.entries(value).map(([inner, deep]) => [`${key}.${inner}`, deep]) : [[key, value]],
  )
  const visibleFields = flat.filter(([, value]) => value !== null && value !== '' && typeof value !== 'object')
  const texts = visibleFields.slice(0, MAX_FIELDS).map(([key, value]) => {
    const isCode = /id$|year|code|number/i.test(key)
    return `${key}: ${typeof value === 'number' && !isCode ? number(value) : String(value)}`
  })
  return texts.length === 0 ? `The answer is ${truncate(JSON.stringify(record), MAX_TEXT)}.` : `${texts.join(', ')}.`
}
