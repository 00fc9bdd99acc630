import type { Prompt } from './prompt.ts'
import type { ModelTurn, TurnRequest } from './turn.ts'
import type { Usage } from './usage.ts'
import type { RoleContext } from './actor.ts'
import { TuttiError } from './errors.ts'

/** Why no model takes part where none is set up. */
export const NO_MODEL = 'no model is configured'

/** The message when the offline stand-in has no result. */
export function noModelMessage(): string {
  return 'This needs a language model.'
}

/** Upper bound of a model call's usage; reserved before the call and settled after it. */
export interface Estimate {
  readonly tokens: number
  readonly costUsd: number
}

/** Settles a reservation with the call's actual usage; undefined means that the provider did not report it. */
export type Settle = (usage: Usage | undefined) => void

/** The caller of a model, and its limits. */
export interface ModelCallOptions {
  /** The calling actor; the registry may assign it a model of its own. */
  readonly actor: string
  /** Key of the calling job. */
  readonly job?: string
  /** Model by actor name or `default`, from the request; wins over configuration. */
  readonly models: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** @throws TuttiError `BudgetExceeded` when the estimate does not fit */
  readonly reserve: (estimate: Estimate) => Settle
  /** Live text of a streamed answer. An offset of 0 after other text means that the answer starts over. */
  readonly onText?: (text: string, offset: number) => void
  /** The asking job's remaining time, in milliseconds. */
  readonly withinMs?: number
}

export interface AskOptions<O = unknown> extends ModelCallOptions {
  /** Returns the problem of a value of the right form; it is then repaired like a value of a wrong form. */
  readonly problemWith?: (value: O) => string | undefined
  /** Appended to the prompt's instructions: the user's profile and the earlier conversation. */
  readonly preamble?: string
  /** Put before the user's message: hints, and why the job runs again. May contain text from third parties. */
  readonly feedback?: string
  /** Why no model may be called any longer. */
  readonly withoutModel?: string
}

/** Metadata of an answer. */
interface Asked {
  /** `provider:model` that answered or was tried last. */
  readonly model?: string
  /** Sum over all requests made for this answer, failed ones included if the provider reported usage. */
  readonly usage?: Usage
  /** Requests that reached a provider. */
  readonly requests: number
}

/** The model's answer, or the reason why there is none. Callers then use their own fallback. */
export type Answered<O> =
  | (Asked & { readonly by: 'model'; readonly value: O; readonly reason?: never })
  | (Asked & {
      readonly by: 'fallback'
      readonly reason: string
      readonly value?: never
      /** The last value of the right form that `problemWith` rejected. */
      readonly refused?: O
    })

/** The engine's view of the models: one door. Implemented in `src/models/`. */
export interface ModelPort {
  /** Factor, at least 1, by which models are waited for longer than usual. Time limits of jobs are multiplied by it. */
  readonly patience?: number
  ask<I, O>(prompt: Prompt<I, O>, input: I, options: AskOptions<O>): Promise<Answered<O>>
  /** `provider:model` for an actor's turns; undefined if no model is configured. */
  modelOf?(options: Pick<ModelCallOptions, 'actor' | 'models'>): Promise<string | undefined>
  /** How many tokens a model reads and writes in one turn. @param ref `provider:model` */
  contextWindow?(ref: string): number
  /**
   * One request to the actor's model and its reply, with retries; then to the role's second model. Tool calls are returned, not made.
   * @throws TuttiError `ModelUnavailable` after all of them failed, with the reason; `BudgetExceeded`; `Cancelled` on abort
   */
  turn?(request: TurnRequest, options: ModelCallOptions): Promise<ModelTurn>
}

/** Whether the run has a model: one is configured or has answered before, even if it is not available now. */
export async function hasModel({ transcript }: RoleContext): Promise<boolean> {
  try {
    return (await transcript.model()) !== undefined
  } catch (thrown) {
    if (TuttiError.is(thrown, 'ModelUnavailable')) return true
    throw thrown
  }
}
