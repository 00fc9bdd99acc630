import type { Clock } from '../shared/clock.ts'
import type { Environment } from '../app/config/environment.ts'
import type { Output } from './output.ts'

/** The environment of a command: `main.ts` creates it from the process, tests with replacements. */
export interface Cli {
  /** The answer and its data. */
  readonly out: Output
  /** Everything else: progress, notes, errors. */
  readonly err: Output
  /** How Tutti was started, as it can be pasted before a command: `tutti`, `npx tutti` or a path. */
  readonly self: string
  readonly stdin: NodeJS.ReadStream
  readonly env: Environment
  readonly cwd: string
  /** Of the command line, once it is read. */
  readonly globals: GlobalOptions
  readonly clock: Clock
  /** Calls back on each Ctrl-C, which no longer ends the process, until the returned function is called. */
  onInterrupt(listener: () => void): () => void
  /** Resolves with what tells the process to end: Ctrl-C or SIGTERM. A second signal ends it at once. */
  untilStopped(): Promise<'SIGINT' | 'SIGTERM'>
  /** Ends the process at once. */
  kill(code: number): never
}

/** Options that every command takes. */
export interface GlobalOptions {
  readonly data?: string
  readonly config?: string
  /** It was typed, and is not that of the variable. */
  readonly isConfigTyped?: boolean
  readonly isDataTyped?: boolean
}
