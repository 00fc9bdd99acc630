import type { ChildProcess } from 'node:child_process'
import type { SandboxDescription } from './types.ts'

/** One way of running Python in a process of its own. Both speak as `wire.ts` says. */
export interface Backend {
  describe(): Omit<SandboxDescription, 'memoryMb' | 'confirmed'>
  /** Finds what is needed. @throws TuttiError `ConfigurationError` saying what is missing on this machine */
  prepare(): Promise<Runtime>
  /** What an operator can do when a process does not come up; a sentence. */
  readonly startHint?: string
}

/** A process that waits for one job. */
export interface Launched {
  readonly process: ChildProcess
  /**
   * Kills what runs inside, after which the process ends on its own; false when it cannot yet. Absent: the process and its
   * group are killed.
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
