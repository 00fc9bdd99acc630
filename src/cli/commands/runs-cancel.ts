import type { Program } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { findRun } from '../find-run.ts'
import { withApp } from '../open-app.ts'
import { shortId } from '../render/units.ts'
import { whileWaiting } from '../render/waiting.ts'
import { RUN_ID } from '../shared-options.ts'

/** `tutti runs cancel`: also a run that another process works on. Waits until it has ended. */
export function addRunsCancel({ root, cli, globals, run }: Program): void {
  root
    .command('cancel')
    .description('stop a run, also one that another process works on')
    .argument('<id>', RUN_ID)
    .action(
      run((id: string) =>
        withApp(cli, globals(), {}, async (app) => {
          const { runId } = await findRun(app.runs, cli, id)
          await app.runs.cancel(runId, 'user')
          const { status } = await whileWaiting(cli, 'Waiting for the run to stop', app.runs.outcome(runId))
          cli.err.line(`Run ${shortId(runId)} is ${status}.`)
          return EXIT.ok
        }),
      ),
    )
}
