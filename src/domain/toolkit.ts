import { z } from 'zod'
import type { ActorContext } from './actor.ts'
import { isObject } from '../shared/safe-json.ts'
import type { Provenance } from './provenance.ts'
import type { Source } from './result.ts'
import type { Tool } from './tool.ts'

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
