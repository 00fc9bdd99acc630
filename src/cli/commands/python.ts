import type { SandboxResult } from '../../sandbox/types.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { parseDuration } from '../option-values.ts'
import { renderTable } from '../render/table.ts'
import { safeText } from '../render/text.ts'
import { withSpinner } from '../render/spinner.ts'
import { omitUndefined } from '../../shared/json.ts'
import { argument, option, JSON_OPTION } from '../shared-options.ts'
import { readJsonInput, readInputFile } from '../text-files.ts'

export function addPython({ root, cli, command }: Program): void {
  command(
    root.command('python').description('run Python in the sandbox'),
    'run',
    'run a file as the computation agent does',
    argument('<file>', 'Python 3'),
    option('--input <file>', 'JSON file, available as the variable "data"'),
    option('--timeout <time>', 'seconds, or 90s, 5m', parseDuration),
    JSON_OPTION,
  ).run((file: string, options: PythonOptions) => runPythonFile(cli, file, options))
}

interface PythonOptions {
  readonly input?: string
  /** Milliseconds. */
  readonly timeout?: number
  readonly json?: boolean
}

/** `tutti python run`: runs a file in the sandbox, as the computation agent would; JSON input is in its variable `data`. */
async function runPythonFile(cli: Cli, file: string, { input, timeout, json }: PythonOptions): Promise<ExitCode> {
  const code = await readInputFile(cli, file)
  const data = input === undefined ? undefined : await readJsonInput(cli, input)
  return withApp(cli, {}, async ({ sandbox, artifacts, runs: { owner } }) => {
    const job = {
      code,
      ...omitUndefined({ data, timeoutMs: timeout }),
    }
    const result = await withSpinner(cli, 'Running Python, which takes some seconds the first time', sandbox.run(job))
    if (json === true) printJson(cli, result)
    else {
      printResult(cli, result)
      for (const { name, mime, base64 } of result.images) {
        const file = { name, mediaType: mime, bytes: Buffer.from(base64, 'base64') }
        const { path } = await artifacts.keep(owner, file)
        const place = path ?? 'not kept, since there is no data folder; --json has its content'
        cli.err.line(safeText(`Image ${name}: ${place}`))
      }
    }
    return result.ok ? EXIT.ok : EXIT.failed
  })
}

function printResult(cli: Cli, { stdout, stderr, value, tables, error, truncated }: SandboxResult): void {
  if (stdout !== '') cli.out.write(`${safeText(stdout.trimEnd())}\n`)
  if (stderr !== '') cli.err.write(`${safeText(stderr.trimEnd())}\n`)
  const [table] = tables
  if (table !== undefined) cli.out.line(renderTable(table, { width: cli.out.width(), maxRows: 50 }))
  else if (value !== undefined && value !== null) cli.out.write(`${safeText(JSON.stringify(value))}\n`)
  if (error !== undefined) cli.err.write(`${safeText(error.traceback.trimEnd())}\n`)
  if (truncated) cli.err.line('Some of the output was cut to the limits of the sandbox.')
}
