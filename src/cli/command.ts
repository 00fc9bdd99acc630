import type { Command } from 'commander'
import type { App } from '../app/user-app.ts'
import type { Cli } from './cli.ts'
import type { ExitCode } from './exit-codes.ts'

/** What a command hangs itself on: the program or a group of it, the world around it, and how it is run. */
export interface Program {
  readonly root: Command
  readonly cli: Cli
  /** Wraps a command's action; its exit code, 0 when it gives none, becomes the program's. */
  run<A extends readonly unknown[]>(action: (...args: A) => Promise<ExitCode | void>): (...args: A) => Promise<void>
  /** The same for a command that works with the app of the data folder. */
  withApp<A extends readonly unknown[]>(
    action: (app: App, ...args: A) => Promise<ExitCode | void>,
  ): (...args: A) => Promise<void>
}

export interface JsonOption {
  readonly json?: boolean
}
