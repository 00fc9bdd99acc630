import { z } from 'zod'
import { TuttiError } from '../../core/errors.ts'
import { BY_USER, ownData, outsideData, type Provenance } from '../../core/provenance.ts'
import { defineTool, type Tool, type ToolInfo } from '../../core/tool.ts'
import { loopTool, type LoopTool } from '../../core/toolkit.ts'
import { showAnswer, type ApiAnswer } from './answer.ts'
import { endpointsIn } from './instructions.ts'
import type { Api } from './api.ts'
import type { CallMaker } from './calls.ts'
import { describeEndpoint } from './describe-endpoint.ts'
import { exchange, type ExchangeParts } from './exchange.ts'
import { leavingOf } from './leaving.ts'
import { answerOf, readAll } from './read-all.ts'
import type { ApiCall } from './request/build.ts'
import { callPlanSchema } from './request/call-plan.ts'
import { matchEndpoint } from './request/match.ts'
import type { EndpointIndex } from './search/endpoint-index.ts'

export const CALL = {
  name: 'call_api',
  description:
    'Reads from an API with one request. Pages of a list are read together. Give only parameters that the endpoint declares.',
  effect: 'read',
} as const satisfies ToolInfo

export const SEND = {
  name: 'send_to_api',
  description: 'Sends a request that changes something (POST, PUT, PATCH, DELETE) to an API.',
  effect: 'irreversible',
} as const satisfies ToolInfo

const FIND = {
  name: 'find_endpoints',
  description:
    'Finds endpoints of the APIs by words, with their parameters and bodies, and passages of the documentation.',
  effect: 'read',
} as const satisfies ToolInfo

const DESCRIBE = {
  name: 'describe_endpoint',
  description: 'Shows parameters and body of an endpoint.',
  effect: 'read',
} as const satisfies ToolInfo

/** The tools as planners and people are told of them. */
export const API_TOOLS: readonly ToolInfo[] = [FIND, DESCRIBE, CALL, SEND]

/** As a person was shown it for approval, and may have edited it. */
const shownSchema = z.object({
  api: z.string(),
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().optional(),
})

type CallInput = z.input<typeof callPlanSchema> | z.input<typeof shownSchema>

export interface RequestTools {
  readonly call: Tool<CallInput, ApiAnswer, ApiCall>
  readonly send: Tool<CallInput, ApiAnswer, ApiCall>
}

/**
 * The tools that make requests. Their input is a plan, and what is approved, logged and sent is the exact call that is made of it.
 * It never holds a secret: those are put in on the way out.
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
        if (place !== undefined) return leavingOf(call, place)
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
      // The header by which a service recognises a repetition (IETF draft "The Idempotency-Key HTTP Header Field").
      async run(call, { signal, idempotencyKey }) {
        const reply = await exchange(parts, call, signal, { 'idempotency-key': idempotencyKey })
        return answerOf(calls, call, reply, [reply])
      },
    }),
  }
}

/** The exact call of an input, for the tool that makes such calls. */
function exactCall(calls: CallMaker, effect: 'read' | 'irreversible'): z.ZodType<ApiCall, CallInput> {
  return z.union([shownSchema, callPlanSchema]).transform((input): ApiCall => {
    const call = 'url' in input ? calls.ofShown(input) : calls.ofPlan(input)
    if (calls.effectOf(call) === effect) return call
    const { method, url } = call
    const what = `${method} ${new URL(url).pathname}`
    throw new TuttiError(
      'ToolError',
      effect === 'read'
        ? `${what} is no plain read. Make it with ${SEND.name}, which asks the user first.`
        : `${what} only reads. Make it with ${CALL.name}.`,
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

/** All tools with what a model is shown of their results. */
export function apiLoopTools(tools: RequestTools, apis: readonly Api[], index: EndpointIndex): readonly LoopTool[] {
  const source = { kind: 'api', name: 'API' } as const
  const { inputSchema } = loopTool({ ...tools.call, input: callPlanSchema } as never, source)
  const request = (tool: RequestTools['call']): LoopTool => ({ ...loopTool(tool, source, showAnswer), inputSchema })
  return [
    loopTool(findTool(apis, index), source, showText),
    loopTool(describeTool(apis), source, showText),
    request(tools.call),
    request(tools.send),
  ]
}

interface Described {
  readonly text: string
}

const showText = ({ text }: Described): string => text

function findTool(apis: readonly Api[], index: EndpointIndex): Tool<{ words: string }, Described> {
  return defineTool({
    ...FIND,
    input: z.object({ words: z.string().min(1).describe('words of what is wanted, in the language of the API') }),
    reach: 'inside',
    provenance: BY_USER, // the operator's catalogue
    run: async ({ words }) => {
      const found = index.nearest(words).map(({ api, endpoint }) => {
        return describeEndpoint(endpoint, apis[api]!.catalogue.name)
      })
      const snippets = index.snippets(words).map(({ title, text }) => `${title}: ${text}`)
      return { text: [...found, ...(snippets.length === 0 ? [] : ['Documentation:', ...snippets])].join('\n\n') }
    },
  })
}

function describeTool(apis: readonly Api[]): Tool<{ api: string; method: string; path: string }, Described> {
  return defineTool({
    ...DESCRIBE,
    input: z.object({ api: z.string(), method: z.string(), path: z.string().describe('such as /orders/{id}') }),
    reach: 'inside',
    provenance: BY_USER, // the operator's catalogue
    async run({ api: name, method, path }) {
      const api = apis.find(({ catalogue }) => catalogue.name.toLowerCase() === name.trim().toLowerCase())
      if (api === undefined) {
        const names = apis.map(({ catalogue }) => `"${catalogue.name}"`).join(', ')
        throw new TuttiError('ToolError', `There is no API "${name}". There are: ${names}.`)
      }
      const { catalogue } = api
      const endpoint = matchEndpoint(catalogue, method, path)?.endpoint
      if (endpoint !== undefined) return { text: describeEndpoint(endpoint, catalogue.name) }
      const same = catalogue.endpoints.filter((one) => one.path.split('/')[1] === path.split('/')[1])
      const hint = same.length === 0 ? `${FIND.name} finds endpoints.` : `There are:\n${endpointsIn(same.slice(0, 20))}`
      throw new TuttiError('ToolError', `The API "${name}" has no endpoint ${method} ${path}. ${hint}`)
    },
  })
}
