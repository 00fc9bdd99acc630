import type { Clock } from '../shared/clock.ts'
import type { Environment } from '../app/config/environment.ts'
import type { Output } from './output.ts'

/** The environment of a command: `main.ts` creates it from the process, tests with replacements. */
export interface Cli {
  /** The answer and its data. */
  readonly out: Output
  /** Everything else: progress, notes, errors. */
  readonly err: Output
  readonly stdin: NodeJS.ReadStream
  readonly env: Environment
  readonly cwd: string
  /** Of the command line, once it is read. */
  readonly globals: GlobalOptions
  readonly clock: Clock
  /** Calls back on each Ctrl-C, which no longer ends the process, until the returned function is called. */
  onInterrupt(listener: () => void): () => void
  /** Resolves at Ctrl-C or SIGTERM. A second signal ends the process at once. */
  untilStopped(): Promise<void>
  /** Ends the process at once. */
  kill(code: number): never
}

/** Options that every command takes. */
export interface GlobalOptions {
  readonly data?: string
  readonly config?: string
}
