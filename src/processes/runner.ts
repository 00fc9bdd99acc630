import type { ErrorInfo } from '../domain/errors.ts'

/** A thread or process that answers calls, created by `startThread` or `startChild`. */
export interface Runner {
  send(request: Request): void
  /** Whether it keeps this program alive. */
  setRef(isNeeded: boolean): void
  /** Kills it immediately, and waits until it has exited. */
  kill(): Promise<void>
  /** Asks it to clean up and end, if it can. */
  end(): void
}

/** Callbacks of a runner. */
export interface RunnerEvents {
  onReply(reply: Reply): void
  /** Called once, after it has exited. */
  onEnd(end: End): void
}

/** Why a runner has exited. */
export interface End {
  /** `unusable`: it could not be started, or its output is not valid; `late`: killed after a timeout. */
  readonly kind: 'ended' | 'late' | 'memory' | 'unusable'
  /** Description for a sentence. */
  readonly how: string
  /** Its last output on stderr, if known. */
  readonly stderr: string
}

/** A call. Number 0 has the argument for the program's start; -1 asks it to end. */
export interface Request {
  readonly id: number
  readonly value: unknown
}

export type Reply =
  /** More parts follow. */
  | { readonly id: number; readonly part: unknown }
  | { readonly id: number; readonly value?: unknown }
  | { readonly id: number; readonly error: ErrorInfo }
