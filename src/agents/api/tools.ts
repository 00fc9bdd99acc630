import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { BY_USER, ownData, outsideData, type Provenance } from '../../domain/provenance.ts'
import { defineTool, type Tool, type ToolInfo, loopTool, type LoopTool } from '../../domain/tool.ts'
import { showAnswer, type ApiAnswer } from './answer.ts'
import type { Api } from './open.ts'
import type { CallMaker } from './calls.ts'
import { describeEndpoint } from './describe-endpoint.ts'
import { exchange, type ExchangeParts } from './exchange.ts'
import { outgoingValues } from './outgoing-values.ts'
import { answerOf, readAll } from './read-all.ts'
import type { ApiCall } from './request/build.ts'
import { callPlanSchema } from './request/call-plan.ts'
import { matchEndpoint } from './request/match-endpoint.ts'
import type { EndpointIndex } from './search/endpoint-index.ts'

export const CALL = {
  name: 'call_api',
  description:
    'Reads from an API with one request, by parameters that the endpoint declares. Pages of a list are read together.',
  effect: 'read',
} as const satisfies ToolInfo

export const SEND = {
  name: 'send_to_api',
  description: 'Sends a request that changes something (POST, PUT, PATCH, DELETE) to an API.',
  effect: 'irreversible',
} as const satisfies ToolInfo

const FIND = {
  name: 'find_endpoints',
  description: 'Finds endpoints with their parameters, bodies and documentation.',
  effect: 'read',
} as const satisfies ToolInfo

/** The tools as planners and users see them. */
export const API_TOOLS: readonly ToolInfo[] = [FIND, CALL, SEND]

/** The call as shown in the approval, possibly edited by the user. */
const approvedCallSchema = z.object({
  api: z.string(),
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().optional(),
})

type CallInput = z.input<typeof callPlanSchema> | z.input<typeof approvedCallSchema>

export interface RequestTools {
  readonly call: Tool<CallInput, ApiAnswer, ApiCall>
  readonly send: Tool<CallInput, ApiAnswer, ApiCall>
}

/**
 * The tools that make requests. Their input is a plan; the exact call made from it is approved, logged and sent. The
 * call contains no secrets: they are inserted when it is sent.
 */
export function createRequestTools(parts: ExchangeParts): RequestTools {
  const { calls, http } = parts
  const provenance = (answer: ApiAnswer): Provenance => {
    const { api, base } = calls.placeOf(callOf(answer)) ?? {}
    const isTheirs = api?.trusted === true && base!.isOperators && answer.movedTo === undefined
    return isTheirs ? ownData(`api:${answer.api}`) : outsideData(`api:${answer.api}`)
  }
  return {
    call: defineTool({
      ...CALL,
      input: exactCall(calls, 'read'),
      provenance,
      reach(call) {
        const place = calls.placeOf(call)
        if (place !== undefined) return outgoingValues(call, place)
        const { host } = new URL(call.url)
        return { to: `the API "${call.api}" at ${host}`, destination: host, parts: call }
      },
      run: (call, { signal }) => readAll(parts, call, signal),
    }),
    send: defineTool({
      ...SEND,
      input: exactCall(calls, 'irreversible'),
      provenance,
      destination: placeKey,
      assertPossible: (call) => http.check(call),
      // The header by which services detect repetitions (IETF draft "The Idempotency-Key HTTP Header Field").
      async run(call, { signal, idempotencyKey }) {
        const reply = await exchange(parts, call, signal, { 'idempotency-key': idempotencyKey })
        return answerOf(calls, call, reply, [reply])
      },
    }),
  }
}

/** The exact call of an input, for the tool that makes such calls. */
function exactCall(calls: CallMaker, effect: 'read' | 'irreversible'): z.ZodType<ApiCall, CallInput> {
  return z.union([approvedCallSchema, callPlanSchema]).transform((input): ApiCall => {
    const call = 'url' in input ? calls.ofShown(input) : calls.ofPlan(input)
    if (calls.effectOf(call) === effect) return call
    const { method, url } = call
    const target = `${method} ${new URL(url).pathname}`
    throw new TuttiError(
      'ToolError',
      effect === 'read'
        ? `${target} is no plain read. Make it with ${SEND.name}, which asks the user first.`
        : `${target} only reads. Make it with ${CALL.name}.`,
    )
  }) as unknown as z.ZodType<ApiCall, CallInput>
}

function callOf({ api, method, url }: ApiAnswer): ApiCall {
  return { api, method, url, headers: {}, signIn: '' }
}

/** A method at one address, whatever its query is. */
function placeKey({ method, url }: Pick<ApiCall, 'method' | 'url'>): string {
  const { origin, pathname } = new URL(url)
  return `${method} ${origin}${pathname}`
}

const text = { type: 'string' }
const values = { type: 'object' }

/** The plan's schema for the model, without the types of values. */
const MODEL_PLAN = {
  type: 'object',
  properties: {
    makeRequest: { type: 'boolean' },
    api: text,
    method: text,
    path: { type: 'string', description: 'as listed, such as /orders/{id}' },
    pathParams: values,
    queryParams: values,
    jsonBody: {},
    headers: values,
    reason: text,
    failureReason: text,
  },
}

/** All tools with their result texts for the model. */
export function apiLoopTools(tools: RequestTools, apis: readonly Api[], index: EndpointIndex): readonly LoopTool[] {
  const source = { kind: 'api', name: 'API' } as const
  const request = (tool: RequestTools['call']): LoopTool => {
    return { ...loopTool(tool, source, showAnswer), inputSchema: MODEL_PLAN }
  }
  return [loopTool(findTool(apis, index), source, showText), request(tools.call), request(tools.send)]
}

interface Described {
  readonly text: string
}

const showText = ({ text }: Described): string => text

function findTool(apis: readonly Api[], index: EndpointIndex): Tool<{ words: string }, Described> {
  return defineTool({
    ...FIND,
    input: z.object({ words: z.string().min(1).describe('in the language of the API, or GET /orders/{id}') }),
    reach: 'inside',
    provenance: BY_USER, // the operator's catalogue
    run: async ({ words }) => {
      const [method = '', path = ''] = words.trim().split(/\s+/)
      const exact = apis.flatMap(({ catalogue }, api) => {
        const endpoint = matchEndpoint(catalogue, method, path)?.endpoint
        return endpoint === undefined ? [] : [{ api, endpoint }]
      })
      const found = (exact.length > 0 ? exact : index.nearest(words)).map(({ api, endpoint }) => {
        return describeEndpoint(endpoint, apis[api]!.catalogue.name)
      })
      const snippets = index.snippets(words).map(({ title, text }) => `${title}: ${text}`)
      return { text: [...found, ...(snippets.length === 0 ? [] : ['Documentation:', ...snippets])].join('\n\n') }
    },
  })
}
