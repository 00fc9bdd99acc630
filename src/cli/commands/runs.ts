import { TuttiError } from '../../domain/errors.ts'
import type { JsonOption, Program } from '../command.ts'
import { addRunsDelete } from './runs-delete.ts'
import { addRunsExport } from './runs-export.ts'
import { addRunsFeedback } from './runs-feedback.ts'
import { addRunsPlan } from './runs-plan.ts'
import { addRunsShow, runStatusText } from './runs-show.ts'
import type { ExitCode } from '../exit-codes.ts'
import { findRun } from '../find-run.ts'
import { shortId, age } from '../render/units.ts'
import { withSpinner } from '../render/spinner.ts'
import {
  RUN_ID,
  jsonOption,
  traceOption,
  withSources,
  contextOption,
  modelOption,
  systemPromptOption,
} from '../shared-options.ts'
import type { Cli } from '../cli.ts'
import { followRun, printOutcome } from '../follow.ts'
import { parseWholeNumber, type OutcomeOptions } from '../option-values.ts'
import { isFinalRecord, withRun } from '../with-run.ts'
import { runView } from '../../domain/run-view.ts'
import { printJson } from '../failure.ts'
import { printList } from '../render/table.ts'
import type { ForkChanges } from '../../engine/run/fork.ts'
import { assertModels } from '../assert-options.ts'
import { safeLine } from '../render/text.ts'
import { omitUndefined } from '../../shared/json.ts'

export function addRuns(program: Program): void {
  const root = program.root
    .command('runs')
    .description('list, inspect, resume, cancel, fork, rate, export and delete runs')
  const group = { ...program, root }
  addRunsList(group)
  addRunsShow(group)
  addRunsPlan(group)
  addRunsResume(group)
  addRunsCancel(group)
  addRunsFork(group)
  addRunsExport(group)
  addRunsDelete(group)
  addRunsFeedback(group)
}

/** `tutti runs cancel`: also cancels a run of another process. Waits until the run has ended. */
function addRunsCancel({ root, cli, withApp }: Program): void {
  root
    .command('cancel')
    .description('cancel a run, also one of another process')
    .argument('<id>', RUN_ID)
    .action(
      withApp(async ({ runs }, id: string) => {
        const { runId } = await findRun(runs, cli, id)
        await runs.cancel(runId, 'user')
        const { status } = await withSpinner(cli, 'Waiting for the run to stop', runs.outcome(runId))
        cli.err.line(`Run ${shortId(runId)} is ${status}.`)
      }),
    )
}

function addRunsResume({ root, cli, run }: Program): void {
  withSources(root.command('resume'))
    .description('continue an interrupted run; finished model calls are not repeated')
    .argument('<id>', RUN_ID)
    .addOption(traceOption())
    .addOption(jsonOption())
    .action(run((id: string, options: OutcomeOptions) => resumeRun(cli, id, options)))
}

/**
 * `tutti runs resume`: continues a run in this process and prints its result, or prints the result of a finished run.
 */
function resumeRun(cli: Cli, id: string, options: OutcomeOptions): Promise<ExitCode> {
  const { json = false, trace = false } = options
  return withRun(cli, options, {
    find: (app) => findRun(app.runs, cli, id),
    needsSources: (run) => !isFinalRecord(run),
    async work(app, run) {
      const { runId, status, lastSeq } = run
      if (isFinalRecord(run)) {
        cli.err.line(`Run ${shortId(runId)} is ${status} already; nothing is left to do.`)
        return printOutcome(cli, await app.runs.events(runId), { json, trace })
      }
      const working = app.runs.resume(runId)
      // Rejects first when another process has the run; else the run's own end decides.
      const [code] = await Promise.all([followRun(cli, app, runId, { json, trace, afterSeq: lastSeq }), working])
      return code
    },
  })
}

/** `tutti runs list`: newest first. */
function addRunsList({ root, cli, withApp }: Program): void {
  root
    .command('list')
    .description('list runs, newest first')
    .option('--limit <n>', 'how many', parseWholeNumber, 20)
    .addOption(jsonOption())
    .action(
      withApp(async (app, { limit, json }: JsonOption & { readonly limit: number }) => {
        const runs = await app.runs.runs({ limit })
        if (json === true) return printJson(cli, { runs: runs.map(runView) })
        if (runs.length === 0) return cli.err.line(`There are no runs yet. Start one with: ${cli.self} ask "…"`)
        const now = cli.clock.now()
        const rows = runs.map((run) => ({
          id: shortId(run.runId),
          status: runStatusText(run, now),
          age: age(now - run.createdAt),
          question: run.question,
        }))
        printList(cli.out, ['id', 'status', 'age', 'question'], rows)
      }),
    )
}

interface ForkOptions extends OutcomeOptions {
  readonly from: string
  readonly turn?: number
  readonly question?: string
  readonly systemPrompt?: string
  readonly model?: Readonly<Record<string, string>>
  readonly context?: Readonly<Record<string, string>>
}

function addRunsFork({ root, cli, run }: Program): void {
  withSources(root.command('fork'))
    .description('start a new run from a job of an earlier run, with changes')
    .argument('<id>', RUN_ID)
    .requiredOption('--from <job>', 'job to do again, such as sql, plan:1 or compose:1; "runs show" lists them')
    .option('--turn <n>', 'turn of the job to repeat; earlier turns are kept', parseWholeNumber)
    .option('--question <text>', 'another question, planned anew')
    .addOption(contextOption())
    .addOption(systemPromptOption())
    .addOption(modelOption())
    .addOption(traceOption())
    .addOption(jsonOption())
    .action(run((id: string, options: ForkOptions) => forkRun(cli, id, options)))
}

/** `tutti runs fork`: a new run that shares an earlier one up to the start of one job. */
async function forkRun(cli: Cli, id: string, options: ForkOptions): Promise<ExitCode> {
  const { from, turn, json = false, trace = false, question, systemPrompt, model, context } = options
  if (question?.trim() === '') throw new TuttiError('InvalidRequest', 'The question is empty.')
  const changes: ForkChanges = {
    ...(question === undefined ? {} : { question: question.trim() }),
    ...omitUndefined({ systemPrompt, models: model, context, turn }),
  }
  return withRun(cli, options, {
    find: (app) => findRun(app.runs, cli, id),
    needsSources: () => true,
    async work(app, { runId, question: asked }) {
      assertModels(app, model ?? {})
      const forkId = await app.runs.fork(runId, from, changes)
      const isOther = changes.question !== undefined && changes.question !== asked
      const how = isOther ? 'with another question, planned from the beginning' : `from "${safeLine(from)}"`
      cli.err.line(`Run ${shortId(forkId)} is a fork of ${shortId(runId)} ${how}.`)
      return followRun(cli, app, forkId, { json, trace })
    },
  })
}
