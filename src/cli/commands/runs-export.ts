import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Program } from '../command.ts'
import type { Cli } from '../cli.ts'
import { fileError } from '../file-error.ts'
import { findRun } from '../find-run.ts'
import { parsePath, type SourceOptions } from '../option-values.ts'
import { shortId } from '../render/units.ts'
import { RUN_ID, withSources } from '../shared-options.ts'
import { withRun } from '../with-run.ts'

interface ExportOptions extends SourceOptions {
  readonly cassette: string
}

export function addRunsExport({ root, cli, run }: Program): void {
  withSources(root.command('export'))
    .description('write a run as a cassette for "test"')
    .argument('<id>', RUN_ID)
    .requiredOption('--cassette <file>', 'file to write', parsePath)
    .action(run((id: string, options: ExportOptions) => exportRun(cli, id, options)))
}

/** `tutti runs export`: agents are described as the sources of the run make them; no source is asked. */
async function exportRun(cli: Cli, id: string, { cassette: file, ...options }: ExportOptions): Promise<void> {
  const { exportCassette } = await import('../../app/cassette/export.ts')
  return withRun(cli, options, {
    find: (app) => findRun(app.runs, cli, id),
    needsSources: () => true,
    async work(app, { runId }) {
      const [events, agents] = await Promise.all([app.runs.events(runId), app.team()])
      const cassette = await exportCassette(events, { agents, models: app.models })
      await writeFile(resolve(cli.cwd, file), `${JSON.stringify(cassette, null, 2)}\n`).catch((error: unknown) => {
        throw fileError(file, 'written', error)
      })
      cli.err.line(`Wrote run ${shortId(runId)} to ${file}. It holds its prompts and results; secrets are masked.`)
    },
  })
}
