import { z } from 'zod'
import type { ActorContext } from './actor.ts'
import type { Provenance } from './provenance.ts'
import type { Source } from './result.ts'
import type { Tool } from './tool.ts'

/** A tool as a tool loop offers it. */
export interface LoopTool {
  readonly tool: Tool<unknown, unknown>
  /** JSON Schema of its input. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** What kind of place its results come from. */
  readonly source: Pick<Source, 'kind' | 'name'>
  /**
   * What the model is given of an output; by default its text, or its rows as CSV, or JSON.
   * @param ids of the output's `sources`, in their order, such as `s3`; the model cites them as `[s3]`
   */
  readonly show?: (output: unknown, ids: readonly string[]) => string
}

/** What an agent brings to a tool loop: its own loop, and that of the assistant. */
export interface Toolkit {
  /** A section of the instructions: what its sources hold, and how its tools are used. */
  readonly instructions: string
  readonly tools: readonly LoopTool[]
  /** Places whose content stands in the instructions, with the ids that stand beside it. */
  readonly sources?: readonly Source[]
  /** Labels of the instructions, where they hold values of the data; absent: the operator's own words. */
  readonly provenance?: Provenance
  /** Sources that could not be opened, a sentence each for the user. */
  readonly lacking?: readonly string[]
}

/** Opens the toolkit of an agent for one job. Called once, when the transcript of the job begins. */
export type OpenToolkit = (ctx: ActorContext) => Promise<Toolkit>

/** A tool for a loop, with the JSON Schema of its input. @param show see `LoopTool.show` */
export function loopTool<I, O, P>(
  tool: Tool<I, O, P>,
  source: LoopTool['source'],
  show?: (output: O, ids: readonly string[]) => string,
): LoopTool {
  const { $schema: _draft, ...inputSchema } = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' })
  const shown = show as LoopTool['show']
  return {
    tool: tool as unknown as LoopTool['tool'],
    inputSchema,
    source,
    ...(shown === undefined ? {} : { show: shown }),
  }
}
