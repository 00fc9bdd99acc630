import type { Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { findRun } from '../find-run.ts'
import { argument, option, RUN_ID } from '../shared-options.ts'

/** `tutti trace export`: what would be sent of a run, or would have been. */
export function addTrace({ root, cli, command }: Program): void {
  command(
    root.command('trace').description('export traces for OpenTelemetry and Langfuse'),
    'export',
    'print the trace of a run as OTLP in JSON',
    argument('<id>', RUN_ID),
    option('--content', 'include questions, answers and inputs of calls; secrets are masked'),
  ).withApp(async ({ runs, tracing }, id: string, options: { readonly content?: boolean }) => {
    const { runId } = await findRun(runs, cli, id)
    printJson(cli, await tracing.export(runId, options))
  })
}
