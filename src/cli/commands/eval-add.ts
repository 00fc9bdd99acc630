import { appendFile, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { TuttiError } from '../../domain/errors.ts'
import type { CaseInput } from '../../evaluation/cases.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { fileError } from '../file-error.ts'
import { findRun } from '../find-run.ts'
import { withApp } from '../open-app.ts'
import { parsePath } from '../option-values.ts'
import { shortId } from '../render/units.ts'
import { RUN_ID } from '../shared-options.ts'

interface AddOptions {
  readonly to: string
  readonly number?: number[]
  readonly contains?: string[]
  readonly excludes?: string[]
  readonly judge?: string
  readonly refusal?: true
}

export function addEvalAdd({ root, cli, run }: Program): void {
  root
    .command('add')
    .description('turn a run into a test case; secrets are masked')
    .argument('<run>', RUN_ID)
    .requiredOption('--to <file>', 'file that the case is put at the end of', parsePath)
    .option('--number <n>', 'a number that the answer must state; repeatable', parseNumber)
    .option('--contains <text>', 'text that the answer must contain; repeatable', collect)
    .option('--excludes <text>', 'text that the answer must not contain; repeatable', collect)
    .option('--judge <text>', 'the expected content, which a model compares with the answer')
    .addOption(
      new Option('--refusal', 'there is no answer, and that must be said').conflicts(['number', 'contains', 'judge']),
    )
    .action(run((id: string, options: AddOptions) => addCase(cli, id, options)))
}

/** `tutti eval add`: puts a run at the end of a file of cases. */
async function addCase(cli: Cli, id: string, options: AddOptions): Promise<void> {
  const { to, ...expect } = options
  const { caseOfRun } = await import('../../evaluation/cases.ts')
  const { parseCases } = await import('../../evaluation/cases.ts')
  const one = await withApp(cli, {}, async ({ runs, feedback }) => {
    const { runId, owner } = await findRun(runs, cli, id)
    const correction = (await feedback.get(owner, runId))?.correction
    const expectation = Object.keys(expect).length === 0 && correction !== undefined ? { judge: correction } : expect
    if (Object.keys(expectation).length === 0) {
      throw new TuttiError(
        'InvalidRequest',
        `Say what a right answer holds, such as --number 78, --contains "7 days", --judge "…", or --refusal.`,
      )
    }
    return caseOfRun(await runs.state(runId), expectation as NonNullable<CaseInput['expect']>)
  })
  const file = resolve(cli.cwd, to)
  const earlier = await readFile(file, 'utf8').catch(emptyWhenMissing(to))
  const text = `${earlier === '' || earlier.endsWith('\n') ? '' : '\n'}${JSON.stringify(one)}\n`
  parseCases(earlier + text, to)
  await appendFile(file, text).catch((error: unknown) => {
    throw fileError(to, 'written', error)
  })
  cli.err.line(`Added run ${shortId(one.id!)} to ${to}.`)
}

function emptyWhenMissing(name: string): (error: NodeJS.ErrnoException) => string {
  return (error) => {
    if (error.code === 'ENOENT') return ''
    throw fileError(name, 'read', error)
  }
}

function parseNumber(text: string, earlier: readonly number[] = []): number[] {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Write a number, such as 892.28.')
  return [...earlier, value]
}

function collect(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text]
}
