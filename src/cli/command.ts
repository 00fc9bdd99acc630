import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import type { ExitCode } from './exit-codes.ts'

/** What a command hangs itself on: the program or a group of it, the world around it, and how it is run. */
export interface Program {
  readonly root: Command
  readonly cli: Cli
  /** Wraps a command's action; its exit code, 0 when it gives none, becomes the program's. */
  run<A extends readonly unknown[]>(action: (...args: A) => Promise<ExitCode | void>): (...args: A) => Promise<void>
}
