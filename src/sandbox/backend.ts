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

/** Starts processes, each of which waits for one job. */
export interface Runtime {
  launch(): ChildProcess
  close(): void
}

export interface BackendLimits {
  readonly memoryMb: number
  /** Of stdout and of stderr. */
  readonly outputBytes: number
}
