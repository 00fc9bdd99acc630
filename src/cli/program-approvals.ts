import type { Command } from 'commander'
import type { Program } from './program.ts'
import { jsonOption, traceOption, withSources } from './shared-options.ts'

export function addApprovalsCommands(program: Program): void {
  const { root, cli, globals, run } = program
  const approvals = root.command('approvals').description('see and decide on calls that wait for your approval')
  approvals
    .command('list')
    .description('list the calls that wait, with exactly what they would do and where it comes from')
    .option('--run <id>', 'those of one run; the beginning of its id is enough')
    .addOption(jsonOption())
    .action(
      run(async (options) => {
        const { listApprovals } = await import('./commands/approvals.ts')
        return listApprovals(cli, globals(), options)
      }),
    )
  addDecidingCommands(approvals, program)
}

/** `approve` and `deny`, the same under `runs` and `approvals`. */
export function addDecidingCommands(parent: Command, { cli, globals, run }: Program): void {
  for (const [name, choice, description, said] of [
    [
      'approve',
      'approved',
      'allow a call that waits for approval, and go on with its run',
      'what the agent should do besides or instead; it starts anew, and asks again if the call changes',
    ],
    ['deny', 'denied', 'refuse a call that waits for approval, and go on with its run', 'why; the answer says it'],
  ] as const) {
    withSources(parent.command(name))
      .description(description)
      .argument('<id>', 'id of the approval, or of a run that waits for one')
      .option('--instructions <text>', said)
      .addOption(traceOption())
      .addOption(jsonOption())
      .action(
        run(async (id: string, options) => {
          const { decideApproval } = await import('./commands/runs.ts')
          return decideApproval(cli, globals(), choice, id, options)
        }),
      )
  }
}
