import { profileFieldLabel } from '../../domain/profile.ts'
import { undoRemembered } from '../../memory/undo.ts'
import type { Program } from '../command.ts'
import { findRun } from '../find-run.ts'
import { argument, RUN_ID } from '../shared-options.ts'

export function addMemory({ root, cli, command }: Program): void {
  const memory = root.command('memory').description('undo what Tutti remembered about you')
  command(memory, 'undo', 'undo what one run stored', argument('<run>', RUN_ID)).withApp(
    async ({ profiles, runs }, id: string) => {
      const { runId } = await findRun(runs, id)
      const fields = await undoRemembered(profiles, runs.owner, runId, cli.clock.now())
      cli.err.line(`Undone: ${fields.map(profileFieldLabel).join(', ') || 'nothing; the run stored nothing'}.`)
    },
  )
}
