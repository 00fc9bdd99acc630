import type { z } from 'zod'
import type { Provenance } from './provenance.ts'

/** What a call does to the world. `irreversible` calls need approval and go through the effect ledger. */
export type Effect = 'read' | 'write' | 'irreversible'

export interface ToolIo {
  readonly signal: AbortSignal
  /** The same for every repetition of one call, so that a service can recognise it. */
  readonly idempotencyKey: string
  /**
   * Grows each time another worker takes the run up. A service that keeps the highest one it saw for a run can refuse a
   * worker that was frozen and does not know yet that it lost the run (a fencing token).
   */
  readonly epoch: number
}

/** What a tool can say of an irreversible call that was cut off by a crash. */
export type EffectCheck<O> =
  | { readonly state: 'done'; readonly output: O }
  | { readonly state: 'not-done' }
  | { readonly state: 'unknown' }

/** A typed function that an agent may call through `ctx.call`. */
export interface Tool<I, O> {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<I>
  readonly effect: Effect
  /** Trust in what the tool returns. Absent means trusted: the operator's own data. */
  readonly provenance?: Provenance | ((output: O) => Provenance)
  /** Fields of the input that never reach log, trace or approval screen in clear. */
  readonly secretFields?: readonly string[]
  readonly run: (input: I, io: ToolIo) => Promise<O>
  /** Asks the outside world whether a call with this key took place. */
  readonly check?: (input: I, idempotencyKey: string) => Promise<EffectCheck<O>>
}

/** What is said of a tool to people and planners. */
export type ToolInfo = Pick<Tool<unknown, unknown>, 'name' | 'description' | 'effect'>

export function defineTool<I, O>(tool: Tool<I, O>): Tool<I, O> {
  return Object.freeze(tool)
}
