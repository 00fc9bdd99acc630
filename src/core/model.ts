import type { Prompt } from './prompt.ts'
import type { ModelTurn, TurnRequest } from './turn.ts'
import type { Usage } from './usage.ts'

/** Upper bound of what a model call may use; reserved before the call and settled after it (SPEC B5). */
export interface Estimate {
  readonly tokens: number
  readonly costUsd: number
}

/** Settles a reservation with what the call really used; absent means that the provider told nothing. */
export type Settle = (usage: Usage | undefined) => void

/** Who asks, and within which limits. */
export interface ModelCallOptions {
  /** Who asks; the registry may bind a model of its own to it. */
  readonly actor: string
  /** Key of the job that asks. */
  readonly job?: string
  /** Model by actor name or `default`, from the request; wins over configuration. */
  readonly models: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** @throws TuttiError `BudgetExceeded` when the estimate does not fit */
  readonly reserve: (estimate: Estimate) => Settle
  /** Live text of a streamed answer. An offset of 0 after other text means that the answer starts over. */
  readonly onText?: (text: string, offset: number) => void
  /** What is left of the asker's time, in milliseconds. */
  readonly withinMs?: number
}

export interface AskOptions extends ModelCallOptions {
  /** Put under the prompt's instructions: what is known of the user, what was said before. */
  readonly preamble?: string
  /** Put before the user's message: what may help, why it is done again. Others' words may stand in it. */
  readonly feedback?: string
  /** Why no model is to be asked any more; the fallback answers at once. */
  readonly withoutModel?: string
  /** Used in place of the prompt's own fallback, for one that needs the agent's tools. */
  readonly fallback?: () => unknown
}

/** What came of a model call. `by: 'fallback'` always says why in `reason`. */
export interface Answered<O> {
  readonly value: O
  readonly by: 'model' | 'fallback'
  readonly reason?: string
  /** `provider:model` that answered or was tried last. */
  readonly model?: string
  /** File and digest of the operator's wording that it was asked by, in place of the prompt's own. */
  readonly wording?: string
  /** Sum over all requests made for this answer, failed ones included where the provider told. */
  readonly usage?: Usage
  /** Requests that reached a provider. */
  readonly requests: number
}

/** The engine's view of the models: one door. Implemented in `src/models/`. */
export interface ModelPort {
  /** By how much models are waited for longer than usual, at least 1; time limits of jobs are stretched by it. */
  readonly patience?: number
  ask<I, O>(prompt: Prompt<I, O>, input: I, options: AskOptions): Promise<Answered<O>>
  /** `provider:model` that an actor's turns go to; undefined where no model is configured. */
  modelOf?(options: Pick<ModelCallOptions, 'actor' | 'models'>): Promise<string | undefined>
  /** How many tokens a model reads and writes in one turn. @param ref `provider:model` */
  contextWindow?(ref: string): number
  /**
   * One request to the actor's model and its reply, with retries; then to the role's second model. Tool calls are returned, not made.
   * @throws TuttiError `ModelUnavailable` after all of them failed, with the reason; `BudgetExceeded`; `Cancelled` on abort
   */
  turn?(request: TurnRequest, options: ModelCallOptions): Promise<ModelTurn>
}
