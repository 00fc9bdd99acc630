import type { App } from '../../app/user-app.ts'
import { TuttiError } from '../../domain/errors.ts'
import { isFinal, type RunRecord } from '../../domain/store.ts'
import type { Cli } from '../cli.ts'
import type { JsonOption, Program } from '../command.ts'
import { askConfirmation } from '../confirm.ts'
import { printJson } from '../failure.ts'
import { findRun } from '../find-run.ts'
import { shortId } from '../render/units.ts'
import { withSpinner } from '../render/spinner.ts'
import { jsonOption, yesOption } from '../shared-options.ts'

interface DeleteOptions extends JsonOption {
  readonly all?: boolean
  readonly yes?: boolean
}

/** `tutti runs delete`: all of those named, or none when one of them is not there or not over. */
export function addRunsDelete({ root, cli, withApp }: Program): void {
  root
    .command('delete')
    .description('delete finished runs with their steps, approvals and files')
    .argument('[id...]', 'ids of runs; a prefix is enough')
    .option('--all', 'all finished runs')
    .addOption(yesOption())
    .addOption(jsonOption())
    .action(
      withApp(async (app, ids: readonly string[], { all = false, yes, json }: DeleteOptions) => {
        if (all === ids.length > 0) throw new TuttiError('InvalidRequest', 'Name the runs to delete, or use --all.')
        const runs = all ? await allOver(app) : await named(cli, app, ids)
        const what = runs.length === 1 ? `run ${shortId(runs[0]!.runId)}` : `${runs.length} runs`
        if (runs.length > 0 && !(await askConfirmation(cli, { what: `Delete ${what}`, yes }))) return
        const deleting = async (): Promise<void> => {
          for (const { runId } of runs) await app.runs.delete(runId)
        }
        await withSpinner(cli, 'Deleting', deleting())
        if (json === true) printJson(cli, { deleted: runs.map(({ runId }) => runId) })
        if (runs.length === 0) cli.err.line('There are no runs to delete.')
        else if (json !== true)
          cli.err.line(`Deleted ${what}. Conversations and memory keep what they learned from it.`)
      }),
    )
}

async function named(cli: Cli, { runs }: App, ids: readonly string[]): Promise<readonly RunRecord[]> {
  const found = new Map<string, RunRecord>()
  for (const id of ids) {
    const record = await findRun(runs, cli, id)
    const { runId, status } = record
    if (!isFinal(status)) {
      const message = `Run ${shortId(runId)} is not over. Cancel it first: ${cli.self} runs cancel ${shortId(runId)}`
      throw new TuttiError('RunConflict', message)
    }
    found.set(runId, record)
  }
  return [...found.values()]
}

/** Nested runs go with their parents, if these are there. */
async function allOver({ runs }: App): Promise<readonly RunRecord[]> {
  const all = await runs.runs()
  const ids = new Set(all.map(({ runId }) => runId))
  return all.filter(({ status, parentId }) => isFinal(status) && (parentId === undefined || !ids.has(parentId)))
}
