import type { Command } from 'commander'
import type { Cli, GlobalOptions } from './cli.ts'
import type { ExitCode } from './exit-codes.ts'

/** What a command hangs itself on: the program or a group of it, the world around it, and how it is run. */
export interface Program {
  readonly root: Command
  readonly cli: Cli
  globals(): GlobalOptions
  /** Wraps a command's action; its exit code becomes the program's. */
  run<A extends readonly unknown[]>(action: (...args: A) => Promise<ExitCode>): (...args: A) => Promise<void>
}
