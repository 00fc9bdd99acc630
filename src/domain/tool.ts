import { z } from 'zod'
import { assertDeclared, field } from './declaration.ts'
import type { Provenance } from './provenance.ts'
import type { ActorContext } from './actor.ts'
import { isObject } from '../shared/json.ts'
import type { Source } from './result.ts'

/** The kind of change that a call makes. `irreversible` calls need approval and are recorded in the effect ledger. */
export type Effect = 'read' | 'write' | 'irreversible'

export interface ToolIo {
  readonly signal: AbortSignal
  /** The same for every repetition of one call, so that a service can recognise it. */
  readonly idempotencyKey: string
  /** Labels of the call's input, for tools that store data which later prompts will contain. */
  readonly provenance: Provenance
  /** Earlier calls of the job, from its journal. */
  readonly earlier: readonly EarlierCall[]
  /**
   * The output of an earlier call, by the id in the model's view of the result, such as `s1`.
   * @throws TuttiError `ToolError` for an unknown id, naming the known ones; for a result of a failed task
   */
  result(id: string): unknown
  /**
   * Grows each time another worker takes the run up. A service that keeps the highest one it saw for a run can refuse a
   * worker that was frozen and does not know yet that it lost the run (a fencing token).
   */
  readonly epoch: number
}

/** A tool call that the same job has made. */
export interface EarlierCall {
  readonly tool: string
  /** Secret fields are masked. */
  readonly input: unknown
  /** Absent when the call failed. */
  readonly output?: unknown
}

/** Data of a call that leaves the operator's machines, and its destination. */
export interface Leaving {
  /** In words that follow "to": `the web search "SearXNG"`. */
  readonly to: string
  /** The name in `egress.allow` and wider approvals: a host, `mcp:<server>`, `web_search`. `to` by default. */
  readonly destination?: string
  /**
   * Values that the job already sent to other tools of this destination or received from them; they may be sent again.
   */
  readonly known?: readonly unknown[]
  /** All variable parts of the input: texts, numbers, names of fields. Configured values are not included. */
  readonly parts: unknown
  /** Of how many values each was chosen that the place itself lists, such as a state or a size of a page. */
  readonly listed?: readonly number[]
  /** Of how many each field was chosen that is given though it need not be. Fields that are known come in one order. */
  readonly fields?: readonly number[]
}

/**
 * Where the input of a reversible call is sent. `inside`: only to the operator's own machines and services. A function
 * returns the data that leaves; undefined if the destination knows all of it. Absent: all of it, to an unknown
 * destination.
 */
export type Reach<I> = 'inside' | ((input: I, earlier: readonly EarlierCall[]) => Leaving | undefined)

/** A tool's report on an irreversible call that was interrupted by a crash. */
export type EffectCheck<O> =
  | { readonly state: 'done'; readonly output: O }
  | { readonly state: 'not-done' }
  | { readonly state: 'unknown' }

/**
 * A typed function that an agent may call through `ctx.call` with an input of its schema (`I`). `run` receives the
 * parsed input (`P`), with defaults filled in.
 */
export interface Tool<I, O, P = I> {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<P, I>
  readonly effect: Effect
  /**
   * Labels that the tool adds to its output; outside data by default. `BY_USER`: the output adds nothing to the input.
   */
  readonly provenance?: Provenance | ((output: O) => Provenance)
  /** Labels of its error messages; by default those of its output, outside data if a function gives them. */
  readonly errorProvenance?: Provenance
  /**
   * Not used for irreversible tools, which need approval anyway. If a job has read anything but the user's own words, a
   * call that sends data out needs approval unless it only sends the user's words.
   */
  readonly reach?: Reach<P>
  /**
   * Why an irreversible call needs approval, as a clause that begins a sentence; by default that it cannot be undone.
   */
  readonly askedSince?: string
  /**
   * The destination of an irreversible call, such as its recipients. Wider approvals apply to one tool and one
   * destination. Absent: none is offered.
   */
  readonly destination?: (input: P) => string
  /** Throws for a call that could not succeed, so that no approval is requested for it. Has no side effects. */
  readonly assertPossible?: (input: P) => void
  /** The same input may give another result a moment later: an identical read is made again, not answered from the journal. */
  readonly isVolatile?: boolean
  /** Fields of the input that never reach log, trace or approval screen in clear. */
  readonly secretFields?: readonly string[]
  readonly run: (input: P, io: ToolIo) => Promise<O>
  /** Checks at the destination whether a call with this key took place. */
  readonly check?: (input: P, idempotencyKey: string) => Promise<EffectCheck<O>>
}

/** A tool whose input has already been validated. */
export type ReadyTool<P, O> = Omit<Tool<never, O, P>, 'input'>

/** A tool's description for people and planners. */
export type ToolInfo = Pick<Tool<unknown, unknown>, 'name' | 'description' | 'effect'>

const toolSchema = z.object({
  name: field.text,
  description: z.string(),
  input: field.schema,
  effect: z.enum(['read', 'write', 'irreversible']),
  run: field.function,
  provenance: field.provenanceOrFunction.optional(),
  errorProvenance: field.provenance.optional(),
  reach: z
    .custom((value) => value === 'inside' || typeof value === 'function', 'must be "inside" or a function')
    .optional(),
  askedSince: field.text.optional(),
  destination: field.function.optional(),
  assertPossible: field.function.optional(),
  isVolatile: field.flag.optional(),
  secretFields: field.texts.optional(),
  check: field.function.optional(),
})

/**
 * A tool for `ctx.call`, with the types of its input and output tied together.
 * @throws TuttiError `ConfigurationError` in one sentence for a declaration that is wrong
 */
export function defineTool<I, O, P = I>(tool: Tool<I, O, P>): Tool<I, O, P> {
  assertDeclared('tool', tool, toolSchema)
  return Object.freeze(tool)
}

/** A tool as a tool loop offers it. */
export interface LoopTool {
  readonly tool: Tool<unknown, unknown>
  /** JSON Schema of its input. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** The kind of source of its results. */
  readonly source: Pick<Source, 'kind' | 'name'>
  /**
   * The text of an output for the model; by default its text, its rows as CSV, or JSON.
   * @param ids of the output's `sources`, in order, such as `s3`; the model cites them as `[s3]`
   * @param read sources whose content is in the prompt already
   */
  readonly show?: (output: unknown, ids: readonly string[], read: readonly Source[]) => string
}

/** An agent's contribution to a tool loop: to its own loop, and to the assistant's. */
export interface Toolkit {
  /** A section of the instructions: the content of its sources, and how to use its tools. */
  readonly instructions: string
  readonly tools: readonly LoopTool[]
  /** Text that depends on the question. It is put with the question, so that the instructions stay constant. */
  readonly aboutQuestion?: readonly string[]
  /** Sources whose content is in the instructions, with the ids used there. */
  readonly sources?: readonly Source[]
  /** Labels of the instructions, if they contain data; by default the operator's own words. */
  readonly provenance?: Provenance
  /** Sources that could not be opened, a sentence each for the user. */
  readonly lacking?: readonly string[]
}

/** Opens the toolkit of an agent for one job. Called once, when the transcript of the job begins. */
export type OpenToolkit = (ctx: ActorContext) => Promise<Toolkit>

/** Limits, defaults and closed objects take room in each prompt; a tool checks and fills them in itself. */
const OMITTED_KEYWORDS = new Set([
  '$schema',
  'propertyNames',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'default',
])

/** Tools are made for each job; most of their inputs are constants. */
const inputSchemas = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>()

/** The JSON Schema of an input in the form that models receive. */
export function inputSchemaOf(input: z.ZodType): Readonly<Record<string, unknown>> {
  const known = inputSchemas.get(input)
  if (known !== undefined) return known
  const reduced = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(reduced)
    if (!isObject(schema)) return schema
    const entries = Object.entries(schema).filter(([key, value]) => {
      return !OMITTED_KEYWORDS.has(key) && !(key === 'additionalProperties' && value === false)
    })
    return Object.fromEntries(
      entries.map(([key, value]) => {
        const isNamed = key === 'properties' && isObject(value)
        return [
          key,
          isNamed ? Object.fromEntries(Object.entries(value).map(([name, of]) => [name, reduced(of)])) : reduced(value),
        ]
      }),
    )
  }
  const schema = reduced(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })) as Readonly<
    Record<string, unknown>
  >
  inputSchemas.set(input, schema)
  return schema
}

/** A tool for a loop, with the JSON Schema of its input. @param show see `LoopTool.show` */
export function loopTool<I, O, P>(
  tool: Tool<I, O, P>,
  source: LoopTool['source'],
  show?: (output: O, ids: readonly string[], read: readonly Source[]) => string,
): LoopTool {
  const shown = show as LoopTool['show']
  return {
    tool: tool as unknown as LoopTool['tool'],
    inputSchema: inputSchemaOf(tool.input),
    source,
    ...(shown === undefined ? {} : { show: shown }),
  }
}
