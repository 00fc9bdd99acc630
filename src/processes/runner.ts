import type { ErrorInfo } from '../domain/errors.ts'

/** A thread or process that answers calls; `startThread` and `startChild` make them. */
export interface Runner {
  send(request: Request): void
  /** Whether it keeps this program alive. */
  setRef(isNeeded: boolean): void
  /** Ends it at once, and waits until it is gone. */
  kill(): Promise<void>
  /** Lets it put things in order and end, where it can. */
  end(): void
}

/** Who is told of a runner. */
export interface RunnerEvents {
  onReply(reply: Reply): void
  /** Once, when it is gone. */
  onEnd(end: End): void
}

/** Why a runner is gone. */
export interface End {
  /** `unusable`: it could not be started, or what it says cannot be taken; `late`: killed for taking too long. */
  readonly kind: 'ended' | 'late' | 'memory' | 'unusable'
  /** For a sentence. */
  readonly how: string
  /** What it said last, where that is known. */
  readonly stderr: string
}

/** Number 0 is its order: what it is told at its start; -1 asks it to end. */
export interface Request {
  readonly id: number
  readonly value: unknown
}

export type Reply =
  /** More is to come. */
  | { readonly id: number; readonly part: unknown }
  | { readonly id: number; readonly value?: unknown }
  | { readonly id: number; readonly error: ErrorInfo }
