import { TuttiError } from '../../core/errors.ts'
import type { ForkChanges } from '../../engine/run/fork.ts'
import type { Cli, GlobalOptions } from '../cli.ts'
import type { Program } from '../command.ts'
import type { ExitCode } from '../exit-codes.ts'
import { findRun } from '../find-run.ts'
import { followRun } from '../follow.ts'
import { assertModels } from '../assert-options.ts'
import type { OutcomeOptions } from '../option-values.ts'
import { safeLine } from '../render/text.ts'
import { shortId } from '../render/units.ts'
import {
  contextOption,
  jsonOption,
  modelOption,
  RUN_ID,
  systemPromptOption,
  traceOption,
  withSources,
} from '../shared-options.ts'
import { withRun } from '../with-run.ts'

interface ForkOptions extends OutcomeOptions {
  readonly from: string
  readonly question?: string
  readonly systemPrompt?: string
  readonly model?: Readonly<Record<string, string>>
  readonly context?: Readonly<Record<string, string>>
}

export function addRunsFork({ root, cli, globals, run }: Program): void {
  withSources(root.command('fork'))
    .description('start a new run from a job of an earlier one, with something changed')
    .argument('<id>', RUN_ID)
    .requiredOption('--from <job>', 'job to do again, such as sql, plan:1 or compose:1; "runs show" lists them')
    .option('--question <text>', 'another question')
    .addOption(contextOption())
    .addOption(systemPromptOption())
    .addOption(modelOption())
    .addOption(traceOption())
    .addOption(jsonOption())
    .action(run((id: string, options: ForkOptions) => forkRun(cli, globals(), id, options)))
}

/** `tutti runs fork`: a new run that shares an earlier one up to the start of one job. */
async function forkRun(cli: Cli, globals: GlobalOptions, id: string, options: ForkOptions): Promise<ExitCode> {
  const { from, json = false, trace = false, question, systemPrompt, model, context } = options
  if (question?.trim() === '') throw new TuttiError('InvalidRequest', 'The question is empty.')
  const changes: ForkChanges = {
    ...(question === undefined ? {} : { question: question.trim() }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(model === undefined ? {} : { models: model }),
    ...(context === undefined ? {} : { context }),
  }
  return withRun(cli, globals, options, {
    find: (app) => findRun(app.runs, cli, id),
    needsSources: () => true,
    async work(app, { runId }) {
      assertModels(app, model ?? {})
      const forkId = await app.runs.fork(runId, from, changes)
      cli.err.line(`Run ${shortId(forkId)} is a fork of ${shortId(runId)} from "${safeLine(from)}".`)
      return followRun(cli, app, forkId, { json, trace })
    },
  })
}
