import { TuttiError } from '../../domain/errors.ts'
import type { Program } from '../command.ts'
import { safeLine } from '../render/text.ts'
import { argument, option } from '../shared-options.ts'

export function addTeams({ root, cli, command }: Program): void {
  command(
    root.command('teams').description('share teams of agents'),
    'share',
    'share a team with all users of this installation',
    argument('<team>', 'name of the team'),
    option('--off', 'stop sharing'),
  ).withApp(async ({ teams, runs: { owner } }, name: string, { off = false }: { readonly off?: boolean }) => {
    if (!(await teams.share(owner, name, !off))) {
      const existing = (await teams.teams(owner)).map((one) => one.name).join(', ') || 'none'
      throw new TuttiError('InvalidRequest', `Unknown team "${name}". Available: ${existing}.`)
    }
    const shared = `All users can now use ${name} in this version. Share later versions separately.`
    cli.out.line(safeLine(off ? `${name} is no longer shared.` : shared))
  })
}
