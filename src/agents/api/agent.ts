import { defineAgent, type ActorContext, type Agent } from '../../domain/actor.ts'
import { systemClock, type Clock } from '../../shared/clock.ts'
import type { Outcome } from '../../domain/result.ts'
import type { Toolkit } from '../../domain/tool.ts'
import type { HttpClient } from '../../http/client.ts'
import { internalHosts } from '../../http/internal.ts'
import { workWith } from '../../tool-loop/agent-loop.ts'
import { withStandIn, type StandIn } from '../stand-in.ts'
import { succeededCalls } from '../succeeded-calls.ts'
import { type ApiAnswer, apiData } from './answer.ts'
import type { Api, ApiSettings } from './open.ts'
import { createCallMaker, type ApiAgentParts, type CallMaker } from './calls.ts'
import { apiInstructions } from './instructions.ts'
import { createEndpointIndex, type EndpointIndex } from './search/endpoint-index.ts'
import { createFirebase } from './sign-in/firebase.ts'
import { API_TOOLS, apiLoopTools, CALL, createRequestTools, SEND, type RequestTools } from './tools.ts'
import type { Catalogue } from './catalogue/types.ts'

export interface ApiAgentOptions {
  readonly apis: readonly Api[]
  /** Configured APIs that could not be read, one sentence each. */
  readonly lacking?: readonly string[]
  /** The guarded client; nothing leaves in another way. */
  readonly http: HttpClient
  readonly settings?: ApiSettings
  readonly clock?: Clock
  /** Whether a server is in the operator's own network; by default judged by its address. */
  readonly isInternal?: (url: URL) => boolean
  /** A sentence for users who have no API. */
  readonly howToSetUp?: string
  /** The reason, put before `howToSetUp`. */
  readonly lack?: string
  readonly offline?: StandIn<OpenApis>
}

export interface OpenApis {
  readonly apis: readonly Api[]
  readonly index: EndpointIndex
  readonly calls: CallMaker
  readonly tools: RequestTools
}

/**
 * Answers questions from HTTP APIs and about them, and changes things through them after approval of the exact request. Start with `tools.ts`.
 */
export function apiAgent(options: ApiAgentOptions): Agent {
  const { apis, lacking = [], http, settings = {}, clock = systemClock, isInternal = internalHosts() } = options
  const { howToSetUp = 'Name its OpenAPI document with the option apis, or in the configuration.' } = options
  const { lack = 'No API is configured.' } = options
  const catalogues = apis.map(({ catalogue }) => catalogue)
  const index = createEndpointIndex(catalogues)
  const firebase = createFirebase(http, clock)
  const parts: ApiAgentParts = { apis, http, settings, firebase, isInternal }
  const open = (ctx: ActorContext): OpenApis => {
    const { context } = ctx.request
    const calls = createCallMaker(parts, context)
    return {
      apis,
      index,
      calls,
      tools: createRequestTools({ http, calls, note: ctx.note, artifacts: ctx.artifacts, context }),
    }
  }
  const toolkit = async (ctx: ActorContext): Promise<Toolkit> => ({
    instructions: apiInstructions(apis),
    tools: apiLoopTools(open(ctx).tools, apis, index),
  })
  const agent = defineAgent({
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
    planning: { rank: 10 },
    typicalLatencyMs: 5_000,
    tools: API_TOOLS,
    limits: { timeoutMs: 180_000, retries: 1 },
    ...(apis.length === 0 ? { unavailable: lacking[0] ?? `${lack} ${howToSetUp}` } : {}),
    ...(lacking.length === 0 ? {} : { lacking }),
    ...(apis.length === 0 ? {} : { toolkit }),
    run: async (task, ctx) => withData(ctx, await workWith(task, ctx, await toolkit(ctx))),
  })
  return withStandIn(agent, options.offline, open)
}

/** Adds the last request and response as data. If the model planned no request at all, the task is declined. */
function withData(ctx: ActorContext, outcome: Outcome): Outcome {
  const requests = succeededCalls(ctx).filter(({ tool }) => tool === CALL.name || tool === SEND.name)
  const last = requests.at(-1)
  if (last !== undefined) return { ...outcome, data: apiData(last.input, last.output as ApiAnswer, 'model') }
  const errors = ctx.transcript.state.turns.flatMap(({ answers }) => [...answers.values()].map(({ error }) => error))
  const declined = errors.findLast((error) => error?.type === 'PlanningDeclined')
  if (declined === undefined || outcome.status === 'failed') return outcome
  return { ...outcome, status: 'failed', error: declined }
}

const GENERAL = 'api|endpoint|route|http|/api/|get /|post /|put /|delete /|patch /|status code|request body'.split('|')

const MIN_LENGTH = 5

/** Keywords of the API agent: general API words and the names of the APIs. */
export function keywordsOf(catalogues: readonly Catalogue[]): string[] {
  const names = catalogues.map(({ name }) => name.toLowerCase()).filter((name) => name.length >= MIN_LENGTH)
  return [...new Set([...GENERAL, ...names])]
}
