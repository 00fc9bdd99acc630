import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { TuttiError } from '../../domain/errors.ts'
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
import { jsonOption } from '../shared-options.ts'
import { omitUndefined } from '../../shared/json.ts'

export function addPython({ root, cli, run }: Program): void {
  root
    .command('python')
    .description('run Python in the sandbox')
    .command('run')
    .description('run a file as the computation agent does')
    .argument('<file>', 'Python 3')
    .option('--input <file>', 'JSON file, available as the variable "data"')
    .option('--timeout <time>', 'seconds, or 90s, 5m', parseDuration)
    .addOption(jsonOption())
    .action(run((file: string, options: PythonOptions) => runPythonFile(cli, file, options)))
}

interface PythonOptions {
  readonly input?: string
  /** Milliseconds. */
  readonly timeout?: number
  readonly json?: boolean
}

/** `tutti python run`: runs a file in the sandbox, as the computation agent would; JSON input is in its variable `data`. */
async function runPythonFile(cli: Cli, file: string, { input, timeout, json }: PythonOptions): Promise<ExitCode> {
  const code = await read(cli, file)
  const data = input === undefined ? undefined : parseJson(input, await read(cli, input))
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

async function read(cli: Cli, file: string): Promise<string> {
  try {
    return await readFile(resolve(cli.cwd, file), 'utf8')
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a directory' : String(code)
    throw new TuttiError('InvalidRequest', `Cannot read ${file}: ${why}.`, { cause: thrown })
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new TuttiError('InvalidRequest', `${file} is not JSON: ${(thrown as Error).message}.`, { cause: thrown })
  }
}
