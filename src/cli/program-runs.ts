import type { Command } from 'commander'
import { parseWholeNumber } from './option-values.ts'
import { addDecidingCommands } from './program-approvals.ts'
import type { Program } from './program.ts'
import {
  contextOption,
  jsonOption,
  modelOption,
  systemPromptOption,
  traceOption,
  withSources,
} from './shared-options.ts'

const RUN_ID = 'id of the run; its beginning is enough'

export function addRunsCommands(program: Program): void {
  const runs = program.root.command('runs').description('look at runs, go on with them, stop or fork them')
  addLooking(runs, program)
  addChanging(runs, program)
  addDecidingCommands(runs, program)
}

function addLooking(runs: Command, { cli, globals, run }: Program): void {
  runs
    .command('list')
    .description('list runs, newest first')
    .option('--limit <n>', 'how many', parseWholeNumber, 20)
    .addOption(jsonOption())
    .action(
      run(async (options) => {
        const { listRuns } = await import('./commands/runs.ts')
        return listRuns(cli, globals(), options)
      }),
    )
  runs
    .command('show')
    .description('show plan, jobs, results and open approvals of a run')
    .argument('<id>', RUN_ID)
    .addOption(traceOption())
    .addOption(jsonOption())
    .action(
      run(async (id: string, options) => {
        const { showRun } = await import('./commands/show.ts')
        return showRun(cli, globals(), id, options)
      }),
    )
}

function addChanging(runs: Command, { cli, globals, run }: Program): void {
  withSources(runs.command('resume'))
    .description('go on with a run that was interrupted; finished model calls are not made again')
    .argument('<id>', RUN_ID)
    .addOption(traceOption())
    .addOption(jsonOption())
    .action(
      run(async (id: string, options) => {
        const { resumeRun } = await import('./commands/runs.ts')
        return resumeRun(cli, globals(), id, options)
      }),
    )
  runs
    .command('cancel')
    .description('stop a run, also one that another process works on')
    .argument('<id>', RUN_ID)
    .action(
      run(async (id: string) => {
        const { cancelRun } = await import('./commands/runs.ts')
        return cancelRun(cli, globals(), id)
      }),
    )
  withSources(runs.command('fork'))
    .description('start a new run from a job of an earlier one, with something changed')
    .argument('<id>', RUN_ID)
    .requiredOption('--from <job>', 'job to do anew, such as sql, plan:1 or compose:1; "runs show" lists them')
    .option('--question <text>', 'another question')
    .addOption(contextOption())
    .addOption(systemPromptOption())
    .addOption(modelOption())
    .addOption(traceOption())
    .addOption(jsonOption())
    .action(
      run(async (id: string, options) => {
        const { forkRun } = await import('./commands/runs.ts')
        return forkRun(cli, globals(), id, options)
      }),
    )
}
