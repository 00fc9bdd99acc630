import type { Cli, GlobalOptions } from '../cli.ts'
import type { Program } from '../command.ts'
import type { ExitCode } from '../exit-codes.ts'
import { findRun } from '../find-run.ts'
import { followRun, printOutcome } from '../follow.ts'
import type { OutcomeOptions } from '../option-values.ts'
import { shortId } from '../render/units.ts'
import { jsonOption, RUN_ID, traceOption, withSources } from '../shared-options.ts'
import { isOver, withRun } from '../with-run.ts'

export function addRunsResume({ root, cli, globals, run }: Program): void {
  withSources(root.command('resume'))
    .description('continue a run that was interrupted; finished model calls are not repeated')
    .argument('<id>', RUN_ID)
    .addOption(traceOption())
    .addOption(jsonOption())
    .action(run((id: string, options: OutcomeOptions) => resumeRun(cli, globals(), id, options)))
}

/** `tutti runs resume`: continues a run in this process and prints what comes of it, or what came of it. */
function resumeRun(cli: Cli, globals: GlobalOptions, id: string, options: OutcomeOptions): Promise<ExitCode> {
  const { json = false, trace = false } = options
  return withRun(cli, globals, options, {
    find: (app) => findRun(app.runs, cli, id),
    needsSources: (run) => !isOver(run),
    async work(app, run) {
      const { runId, status, lastSeq } = run
      if (isOver(run)) {
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
