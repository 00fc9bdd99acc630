import type { Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { findRun } from '../find-run.ts'
import { withApp } from '../open-app.ts'
import { RUN_ID } from '../shared-options.ts'

/** `tutti trace export`: what would be sent of a run, or would have been. */
export function addTrace({ root, cli, run }: Program): void {
  root
    .command('trace')
    .description('traces of runs, for OpenTelemetry and Langfuse')
    .command('export')
    .description('print the trace of a run as OTLP in JSON')
    .argument('<id>', RUN_ID)
    .option('--content', 'with questions, answers and what calls were given, their secrets masked')
    .action(
      run((id: string, options: { readonly content?: boolean }) =>
        withApp(cli, {}, async (app) => {
          const { runId } = await findRun(app.runs, cli, id)
          printJson(cli, await app.tracing.export(runId, options))
        }),
      ),
    )
}
