import type { Argument, Command, Option } from 'commander'
import type { App } from '../app/user-app.ts'
import type { Cli } from './cli.ts'
import type { ExitCode } from './exit-codes.ts'

export type CommandPart = Argument | Option

/** The default command of a group runs if none is named. */
type CommandName = string | { readonly name: string; readonly isDefault: true }

/** Sets what a command does. Its exit code, 0 by default, becomes that of the program. */
interface DeclaredCommand {
  run<A extends readonly unknown[]>(action: (...args: A) => Promise<ExitCode | void>): void
  /** Like `run`, with the app of the data folder. */
  withApp<A extends readonly unknown[]>(action: (app: App, ...args: A) => Promise<ExitCode | void>): void
}

/** The program that commands are added to. */
export interface Program {
  /** The program itself, or a group of its commands. */
  readonly root: Command
  readonly cli: Cli
  /** Declares a command of a group with its arguments and options, in the order of its help. */
  command(group: Command, name: CommandName, description: string, ...parts: CommandPart[]): DeclaredCommand
}

export interface JsonOption {
  readonly json?: boolean
}

export interface YesOption {
  readonly yes?: boolean
}
