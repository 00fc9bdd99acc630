import type { ChildProcess } from 'node:child_process'
import type { SandboxDescription } from './types.ts'

/** A way to run Python in its own process. All use the protocol of `wire.ts`. */
export interface Backend {
  describe(): Omit<SandboxDescription, 'memoryMb' | 'confirmed'>
  /** Finds the required programs. @throws TuttiError `ConfigurationError` naming the missing ones */
  prepare(): Promise<Runtime>
  /** A sentence for operators about a process that does not start. */
  readonly startHint?: string
}

/** A process that waits for one job. */
export interface Launched {
  readonly process: ChildProcess
  /**
   * Kills the program inside, after which the process ends on its own; false if that is not possible yet. Absent: the
   * process and its group are killed.
   */
  readonly killInside?: () => boolean
}

/** Starts processes. */
export interface Runtime {
  launch(): Launched
  close(): void
}

export interface BackendLimits {
  /** Of the whole process. */
  readonly memoryMb: number
  /** Of stdout and of stderr. */
  readonly outputBytes: number
}
