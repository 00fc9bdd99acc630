import { cut } from '../../core/outside.ts'
import { defineAgent, type ActorContext, type Agent, type AgentTask } from '../../core/actor.ts'
import { systemClock, type Clock } from '../../core/clock.ts'
import { placeOf } from '../../core/artifacts.ts'
import type { Outcome } from '../../core/result.ts'
import type { HttpClient } from '../../http/client.ts'
import { internalHosts } from '../../http/internal.ts'
import { contextLines, factLines } from '../context-lines.ts'
import type { Api, ApiSettings } from './api.ts'
import { describeEndpoint } from './describe-endpoint.ts'
import { createExecution, type ApiAgentParts, type Gathered } from './execute.ts'
import { keywordsOf } from './keywords.ts'
import { httpError, plainAnswer, sourceOf } from './outcomes.ts'
import { planCall, summariseReply } from './prompts.ts'
import { shouldForceAttempt, type CallPlan } from './request/call-plan.ts'
import { tableOfRecords } from '../records.ts'
import { planByRules } from './rules/plan-by-rules.ts'
import { createEndpointIndex, type EndpointIndex } from './search/endpoint-index.ts'
import { createFirebase } from './sign-in/firebase.ts'
import { HTTP_TOOLS } from './tools.ts'

const MAX_EXCERPT = 8_000

export interface ApiAgentOptions {
  readonly apis: readonly Api[]
  /** What was to be one and could not be read, in sentences. */
  readonly lacking?: readonly string[]
  /** The guarded client; nothing leaves in another way. */
  readonly http: HttpClient
  readonly settings?: ApiSettings
  readonly clock?: Clock
  /** Whether a server is of the operator's own network; absent: as far as its address tells. */
  readonly isInternal?: (url: URL) => boolean
  /** A sentence for whoever has no API. */
  readonly howToSetUp?: string
  /** What is said before it. */
  readonly lack?: string
}

/**
 * Answers questions from HTTP APIs, and changes things through them after approval of the exact request: endpoints are
 * scored, one call is planned, made and put in words (SPEC P6, P7). Without a model the question is read by rules.
 */
export function apiAgent(options: ApiAgentOptions): Agent {
  const { apis, lacking = [], http, settings = {}, clock = systemClock, isInternal = internalHosts() } = options
  const { howToSetUp = 'Name its OpenAPI document with the option apis, or in the configuration.' } = options
  const { lack = 'No API is configured.' } = options
  const catalogues = apis.map(({ catalogue }) => catalogue)
  const index = createEndpointIndex(catalogues)
  const firebase = createFirebase(http, clock)
  const parts: ApiAgentParts = { apis, http, settings, firebase, isInternal }
  return defineAgent({
    name: 'api',
    label: 'the service',
    description: 'Calls HTTP APIs: finds the right endpoint, makes the request, says what came back.',
    capabilities: ['endpoint selection', 'HTTP requests', 'sign-in', 'changes through an API, after approval'],
    useCases: [
      ...catalogues.map(
        ({ name, endpoints }) => `data and actions of the API "${name}" (${endpoints.length} operations)`,
      ),
      'live data of a service that is reached over HTTP',
    ],
    keywords: keywordsOf(catalogues),
    planning: { rivals: ['sql', 'computation'], rank: 10 },
    typicalLatencyMs: 5_000,
    tools: HTTP_TOOLS,
    limits: { timeoutMs: 180_000, retries: 1 },
    ...(apis.length === 0 ? { unavailable: lacking[0] ?? `${lack} ${howToSetUp}` } : {}),
    ...(lacking.length === 0 ? {} : { lacking }),
    run: (task, ctx) => answer(task, ctx, parts, index),
  })
}

async function answer(
  task: AgentTask,
  ctx: ActorContext,
  parts: ApiAgentParts,
  index: EndpointIndex,
): Promise<Outcome> {
  const { plan, by, chosenFrom } = await planned(task, ctx, parts, index)
  const isForced = shouldForceAttempt(plan)
  ctx.note('DECISION', isForced ? 'API call planned, against the refusal of the planner' : 'API call planned', {
    plan,
    by,
    chosenFrom,
  })
  if (!plan.makeRequest && !isForced) {
    return ctx.decline(plan.failureReason || plan.reason || 'No endpoint can answer this question.')
  }
  const gathered = await createExecution(parts, ctx).run({ ...plan, makeRequest: true })
  return outcomeOf(task, ctx, gathered, by)
}

async function planned(
  task: AgentTask,
  ctx: ActorContext,
  { apis }: ApiAgentParts,
  index: EndpointIndex,
): Promise<{ plan: CallPlan; by: 'model' | 'rules'; chosenFrom: ChosenFrom }> {
  const { context, systemPrompt } = ctx.request
  const ranked = index.rank(task.text)
  const snippets = index.snippets(task.text)
  const nameOf = ({ api, endpoint }: (typeof ranked)[number]): string =>
    `${apis[api]!.catalogue.name} ${endpoint.method} ${endpoint.path}`
  const answered = await ctx.ask(
    planCall,
    {
      question: task.text,
      candidates: ranked.map(({ api, endpoint }, i) => describeEndpoint(endpoint, apis[api]!.catalogue.name, i + 1)),
      documentation: snippets.map(({ title, text }) => `${title}: ${text.slice(0, 600)}`),
      context: [...contextLines(context), ...factLines(task)],
      findings: task.inputs().flatMap(({ actor, result }) => {
        return result.answer === undefined ? [] : [`${actor}: ${result.answer}`]
      }),
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
    },
    { fallback: () => planByRules(task.text, ranked, apis, context, task.facts.period) },
  )
  const chosenFrom = { endpoints: ranked.map(nameOf), documentation: snippets.map(({ title }) => title) }
  return { plan: answered.value, by: answered.by === 'model' ? 'model' : 'rules', chosenFrom }
}

/** What the plan was made from, for the trace. */
interface ChosenFrom {
  readonly endpoints: readonly string[]
  readonly documentation: readonly string[]
}

async function outcomeOf(task: AgentTask, ctx: ActorContext, gathered: Gathered, by: string): Promise<Outcome> {
  const { prepared, first, records, pages, isCut } = gathered
  const { call, endpoint } = prepared
  if (first.status >= 400) {
    const wanted = [...new Set((endpoint?.security ?? []).map((names) => names.join(' and ')))]
    const error = httpError(call, first, wanted)
    ctx.note('ERROR', 'API request was refused', { status: first.status, url: call.url })
    throw error
  }
  const tabular = records === undefined ? undefined : tableOfRecords(records, isCut)
  const plain = plainAnswer(call, first, tabular, ctx.request.locale)
  const cut = isCut
    ? `Not the whole answer is shown${first.artifact === undefined ? '' : `; more of it is kept ${placeOf(first.artifact)}`}.`
    : ''
  const { systemPrompt } = ctx.request
  const notSent = notSentSentence(prepared.notSent)
  const summary = await ctx.ask(summariseReply, {
    question: task.text,
    request: `${call.method} ${call.url}`,
    status: first.status,
    excerpt: excerptOf(gathered),
    note: [cut, notSent].filter(Boolean).join(' '),
    plain: [plain, isCut && first.kind !== 'binary' ? cut : '', notSent].filter(Boolean).join(' '),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
  })
  ctx.note('MESSAGE', 'API response summarised', { by: summary.by })
  return {
    answer: summary.value.trim(),
    ...(tabular === undefined ? {} : { tabular }),
    data: {
      plan: prepared.plan,
      request: { method: call.method, url: call.url, signIn: call.signIn },
      status: first.status,
      pages,
      by,
      ...(first.artifact === undefined ? {} : { artifact: first.artifact }),
      ...(tabular === undefined && first.json !== undefined ? { response: first.json } : {}),
    },
    sources: [sourceOf(call)],
  }
}

/** A filter that could not be sent leaves an answer that is wider than what was asked for. */
function notSentSentence(names: readonly string[]): string {
  if (names.length === 0) return ''
  const listed = names.map((name) => `"${name.slice(0, 60)}"`).join(', ')
  return `The request went without ${listed}, which ${names.length === 1 ? 'is no parameter' : 'are no parameters'} of this operation.`
}

function excerptOf({ first, records }: Gathered): string {
  const text =
    first.text ??
    (first.kind === 'empty' ? '(empty)' : first.kind === 'binary' ? '(a file)' : JSON.stringify(records ?? first.json))
  return cut(text, MAX_EXCERPT)
}
