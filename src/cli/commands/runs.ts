import { TuttiError } from '../../core/errors.ts'
import type { Program } from '../command.ts'
import { addRunsCancel } from './runs-cancel.ts'
import { addRunsDelete } from './runs-delete.ts'
import { addRunsFork } from './runs-fork.ts'
import { addRunsList } from './runs-list.ts'
import { addRunsPlan } from './runs-plan.ts'
import { addRunsResume } from './runs-resume.ts'
import { addRunsShow } from './runs-show.ts'

export function addRuns(program: Program): void {
  const root = program.root.command('runs').description('look at runs, change their plans, continue, cancel, fork and delete them')
  const group = { ...program, root }
  addRunsList(group)
  addRunsShow(group)
  addRunsPlan(group)
  addRunsResume(group)
  addRunsCancel(group)
  addRunsFork(group)
  addRunsDelete(group)
  for (const name of ['approve', 'deny']) addMoved(group, name)
}

/** Says where the command is now. */
function addMoved({ root, cli, run }: Program, name: string): void {
  root
    .command(name, { hidden: true })
    .argument('[id]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(
      run(async (id = 'ID') => {
        throw new TuttiError('InvalidRequest', `This is now: ${cli.self} approvals ${name} ${id}`)
      }),
    )
}
