import { CommanderError } from 'commander'
import { toTuttiError, type ErrorCode } from '../domain/errors.ts'
import { createSecrets } from '../domain/secrets.ts'
import type { Cli } from './cli.ts'
import { EXIT, exitCodeOfError, type ExitCode } from './exit-codes.ts'
import { safeLine } from './render/text.ts'

interface ShownError {
  readonly type: ErrorCode
  readonly message: string
  readonly details?: unknown
}

/** Says in one line what went wrong, with `--json` also as an object, and gives the exit code. @param help the command to print it */
export function reportFailure(cli: Cli, thrown: unknown, json: boolean, help?: string): ExitCode {
  if (thrown instanceof CommanderError) return reportUsage(cli, thrown, json, help)
  const error = toTuttiError(thrown)
  const details = error.details === undefined ? {} : { details: error.details }
  report(
    cli,
    {
      type: error.code,
      message: safeLine(createSecrets().text(error.message)),
      ...createSecrets().value(details),
    },
    json,
  )
  return exitCodeOfError(error.code)
}

/** Help and version come this way too; they have been printed. */
function reportUsage(cli: Cli, error: CommanderError, json: boolean, help?: string): ExitCode {
  if (error.exitCode === 0) return EXIT.ok
  if (error.code === 'commander.help') return EXIT.usage
  const reason = safeLine(error.message.replace(/^error: /, '')).trim()
  const sentence = `${reason[0]?.toUpperCase() ?? ''}${reason.slice(1)}${/[.?)!]$/.test(reason) ? '' : '.'}`
  // The error of an invalid value says what to write instead.
  const isComplete = help === undefined || error.code === 'commander.invalidArgument'
  report(cli, { type: 'InvalidRequest', message: isComplete ? sentence : `${sentence} See: ${help}` }, json)
  return EXIT.usage
}

function report(cli: Cli, error: ShownError, json: boolean): void {
  cli.err.line(cli.err.style.red(`tutti: ${error.message}`))
  if (json) printJson(cli, { error })
}

/** Prints an indented JSON object to standard output. */
export function printJson(cli: Pick<Cli, 'out'>, value: unknown): void {
  cli.out.write(`${JSON.stringify(value, null, 2)}\n`)
}
