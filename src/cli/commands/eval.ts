import { InvalidArgumentError } from 'commander'
import { TuttiError } from '../../domain/errors.ts'
import type { EvalCase } from '../../evaluation/cases.ts'
import type { CaseResult, EvalRun } from '../../evaluation/results.ts'
import { assertAskable, assertDatabases, assertModels } from '../assert-options.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { cancelOnInterrupt } from '../interrupt.ts'
import { openCliApp, withApp } from '../open-app.ts'
import {
  parseApi,
  parseCount,
  parseDatabase,
  parsePath,
  parseWholeNumber,
  requestOf,
  sourceOptions,
  type AskOptions,
} from '../option-values.ts'
import { printEvaluation } from '../render/evaluation.ts'
import { safeLine } from '../render/text.ts'
import { argument, option, strategyOption, JSON_OPTION, REQUEST_OPTIONS } from '../shared-options.ts'
import { readInputFile } from '../text-files.ts'

interface EvalOptions extends AskOptions {
  readonly parallel: number
  readonly compare?: string
  readonly minScore?: number
  readonly maxWrong?: number
}

export function addEval({ root, cli, command }: Program): void {
  const group = root
    .command('eval')
    .description('run a file of test questions and count right, declined and wrong answers')
  command(
    group,
    { name: 'run', isDefault: true },
    'run the questions (default). Options: eval run --help',
    argument('[file...]', 'cases, one JSON object per line'),
    strategyOption('how the work is organised; wins over that of a case'),
    ...REQUEST_OPTIONS,
    option('--parallel <n>', 'number of cases to run at a time', parseWholeNumber).default(4),
    option('--compare <file>', 'compare with the --json output of an earlier evaluation', parsePath),
    option('--min-score <share>', 'fail if fewer are right: 0.8 or 80%', parseShare),
    option('--max-wrong <n>', 'fail if more are wrong or failed', parseCount),
    JSON_OPTION,
  ).run((files: string[], options: EvalOptions) => evaluateFiles(cli, files, options))
}

/** `tutti eval`: runs all cases and prints the results. Runs are kept only in memory. */
async function evaluateFiles(cli: Cli, files: readonly string[], options: EvalOptions): Promise<ExitCode> {
  const [cases, before] = await Promise.all([readCases(cli, files), readEarlier(cli, options.compare)])
  await withApp(cli, { ...sourceOptions(options), inMemory: true }, async (app) => {
    await assertAskable(app, { ...options, data: true })
    assertModels(app, options.model ?? {})
    await assertDatabases(app)
  })
  const { question: _question, ...request } = requestOf('?', { ...options, data: true })
  const startedAt = new Date(cli.clock.now()).toISOString()
  const results = await runCases(cli, cases, request, options)
  const models = { ...options.model }
  const { strategy } = options
  const done: EvalRun = {
    version: 1,
    files: [...files],
    startedAt,
    ...(strategy === undefined ? {} : { strategy }),
    models,
    cases: results,
  }
  if (options.json === true) printJson(cli, done)
  else printEvaluation(cli.out, done, before)
  if (results.length < cases.length) return EXIT.cancelled
  return exitCodeOf(cli, done, options)
}

async function runCases(
  cli: Cli,
  cases: readonly EvalCase[],
  request: Omit<ReturnType<typeof requestOf>, 'question'>,
  options: EvalOptions,
): Promise<CaseResult[]> {
  const { evaluateCases: evaluate } = await import('../../evaluation/evaluate.ts')
  const stop = new AbortController()
  const interrupts = cancelOnInterrupt(cli, () => stop.abort())
  const sources = sourceOptions(options)
  let done = 0
  try {
    return await evaluate({
      cases,
      request,
      parallel: options.parallel,
      clock: cli.clock,
      signal: stop.signal,
      // Memory is shared between the conversations of a user, so each multi-turn case gets its own app.
      keyOf: ({ id, turns, db, api, docs, mcp }) => JSON.stringify([turns.length > 1 ? id : '', db, api, docs, mcp]),
      async open({ db, api, docs, mcp }) {
        const app = await openCliApp(cli, {
          ...sources,
          inMemory: true,
          databases: db?.flatMap((text) => parseDatabase(text)) ?? sources.databases,
          apis: api?.flatMap((text) => parseApi(text)) ?? sources.apis,
          documents: docs ?? sources.documents,
          mcpFiles: mcp ?? sources.mcpFiles,
        })
        try {
          if (db !== undefined) await assertDatabases(app)
        } catch (error) {
          await app.close()
          throw error
        }
        return app
      },
      onCase({ verdict, set, id, turns }) {
        const { dim, green, yellow, red } = cli.err.style
        const colour = { right: green, declined: yellow, failed: yellow, wrong: red }[verdict]
        const questionText = safeLine(turns.at(-1)!.question)
        cli.err.line(
          `${dim(`${++done}/${cases.length}`)} ${colour(verdict.padEnd(8))} ${set} ${id} ${dim(questionText)}`,
        )
      },
    })
  } finally {
    interrupts.runIsOver()
    interrupts.leave()
  }
}

/** @throws TuttiError `InvalidRequest` for a missing file or an invalid line */
async function readCases(cli: Cli, files: readonly string[]): Promise<EvalCase[]> {
  const [only] = files
  if (only === undefined) {
    throw new TuttiError('InvalidRequest', `Name a file with cases: tutti eval questions.jsonl`)
  }
  const { parseCases } = await import('../../evaluation/cases.ts')
  const read = await Promise.all(files.map(async (file) => parseCases(await readInputFile(cli, file), file)))
  return read.flatMap((cases, i) => (files.length === 1 ? cases : cases.map((one) => withFileAsSet(one, files[i]!))))
}

/** Prefix cases with their file: two files may have the same line numbers. */
function withFileAsSet(one: EvalCase, file: string): EvalCase {
  return one.set === 'all' ? { ...one, set: file } : one
}

async function readEarlier(cli: Cli, file: string | undefined): Promise<EvalRun | undefined> {
  if (file === undefined) return undefined
  const { parseRun } = await import('../../evaluation/results.ts')
  return parseRun(await readInputFile(cli, file), file)
}

function exitCodeOf(cli: Cli, { cases }: EvalRun, { minScore, maxWrong }: EvalOptions): ExitCode {
  const right = cases.filter(({ verdict }) => verdict === 'right').length / cases.length
  const wrong = cases.filter(({ verdict }) => verdict === 'wrong' || verdict === 'failed').length
  const missed = [
    ...(minScore !== undefined && right < minScore
      ? [`${(right * 100).toFixed(1)} % are right, less than ${(minScore * 100).toFixed(1)} %`]
      : []),
    ...(maxWrong !== undefined && wrong > maxWrong ? [`${wrong} are wrong or failed, more than ${maxWrong}`] : []),
  ]
  if (missed.length > 0) cli.err.line(cli.err.style.red(`Not good enough: ${missed.join('; ')}.`))
  return missed.length > 0 ? EXIT.failed : EXIT.ok
}

/** `0.8` or `80%`. A bare 80 would be either. */
function parseShare(text: string): number {
  const [, digits, sign] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? []
  const share = Number(digits) / (sign === '%' ? 100 : 1)
  if (!(share >= 0 && share <= 1)) throw new InvalidArgumentError('Write a share such as 0.8 or 80%.')
  return share
}
