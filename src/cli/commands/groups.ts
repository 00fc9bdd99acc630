import { Argument } from 'commander'
import type { App } from '../../app/user-app.ts'
import type { Grantee, Level } from '../../accounts/permissions.ts'
import type { People } from '../../accounts/people.ts'
import { MEASURES, PERIODS, type Measure, type Period } from '../../accounts/quotas.ts'
import { COMMAND_LINE } from '../../accounts/account-changes.ts'
import type { Cli } from '../cli.ts'
import type { JsonOption, Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { withApp as openFor } from '../open-app.ts'
import { parseWholeNumber, sourceOptions, type SourceOptions } from '../option-values.ts'
import { printList } from '../render/table.ts'
import { apiOption, databaseOption, jsonOption, mcpOption } from '../shared-options.ts'

export const GRANTEE_HINT = 'everyone, group:NAME or user:NAME'

/** Commands for groups, grants and limits. */
export function addGroups({ root, cli, run, withApp }: Program): void {
  const groups = root.command('groups').description('manage groups, access to sources, and usage limits')
  const named = (name: string, description: string) =>
    groups.command(name).description(description).argument('<group>', 'its name')
  const does = (message: string, work: (people: People, name: string, who: string) => Promise<unknown>) =>
    withApp(async ({ people }, name: string, who: string) => {
      await work(people, name, who)
      cli.err.line(message)
    })
  groups
    .command('list')
    .description('list groups, access to sources, and limits')
    .addOption(jsonOption())
    .action(withApp(({ people, sources }, { json }: JsonOption) => list(cli, people, sources, json === true)))
  named('create', 'create a group').action(
    does('The group is there.', (people, name) => people.groups.create(COMMAND_LINE, name)),
  )
  named('remove', 'remove a group and its access').action(
    does('The group is removed.', async (people, name) =>
      people.groups.remove(COMMAND_LINE, (await people.groups.find(name)).groupId),
    ),
  )
  for (const [name, change, description, said] of [
    ['add', 'addMember', 'add a user to a group', 'Added to the group.'],
    ['drop', 'removeMember', 'remove a user from a group', 'Removed from the group.'],
  ] as const) {
    named(name, description)
      .argument('<username>', 'who')
      .action(
        does(said, async (people, group, who) => {
          const [{ groupId }, { userId }] = [await people.groups.find(group), await people.accounts.find(who)]
          await people.groups[change](COMMAND_LINE, groupId, userId)
        }),
      )
  }
  const give = (source: string, whom: string, level: Level | undefined, options: SourceOptions = {}) =>
    openFor(cli, sourceOptions(options), async ({ people, sources }) => {
      await people.groups.give(COMMAND_LINE, source, await people.grantee(whom), level, sources)
      cli.err.line(level === undefined ? 'Taken away.' : 'Given.')
    })
  groups
    .command('give')
    .description('give everyone, a group or a user access to a source')
    .argument('<source>', 'such as database:shop, as "tutti groups list" shows them')
    .argument('<whom>', GRANTEE_HINT)
    .option('--edit', 'also allow changes')
    .addOption(databaseOption())
    .addOption(apiOption())
    .addOption(mcpOption())
    .action(
      run((source: string, whom: string, options: SourceOptions & { readonly edit?: boolean }) =>
        give(source, whom, options.edit === true ? 'editor' : 'reader', options),
      ),
    )
  groups
    .command('take')
    .description('withdraw access to a source')
    .argument('<source>', 'the source, as listed')
    .argument('<whom>', GRANTEE_HINT)
    .action(run((source: string, whom: string) => give(source, whom, undefined)))
  groups
    .command('limit')
    .description('limit the usage of a user, a group or everyone; without a number, remove the limit')
    .argument('<whom>', GRANTEE_HINT)
    .addArgument(
      new Argument('<measure>', 'cost in millionths of a US dollar, storage in bytes').choices([...MEASURES]),
    )
    .addArgument(new Argument('<period>').choices([...PERIODS]))
    .argument('[most]', 'the most', parseWholeNumber)
    .action(
      withApp(async ({ people }, whom: string, measure: Measure, period: Period, most?: number) => {
        await people.quotas.set(COMMAND_LINE, { to: await people.grantee(whom), measure, period, most })
        cli.err.line(most === undefined ? 'The limit is removed.' : 'The limit holds from now on.')
      }),
    )
}

async function list(cli: Cli, people: People, sources: App['sources'], json: boolean): Promise<void> {
  const [groups, grants, quotas, persons] = await Promise.all([
    people.groups.list(),
    people.groups.grants(),
    people.quotas.list(),
    people.accounts.list(),
  ])
  const named = new Map<string, string>([
    ...groups.map(({ groupId, name }) => [`group:${groupId}`, `group:${name}`] as const),
    ...persons.map(({ userId, username }) => [`user:${userId}`, `user:${username}`] as const),
  ])
  const nameOf = (to: Grantee): string => named.get(to) ?? to
  const given = [...new Set([...sources, ...grants.keys()])].map((source) => ({
    source,
    'given to': (grants.get(source) ?? [])
      .map(({ to, level }) => `${nameOf(to)}${level === 'editor' ? ' (edit)' : ''}`)
      .join(', '),
  }))
  const limits = quotas.map(({ to, measure, period, most }) => ({
    whom: nameOf(to),
    measure,
    period,
    most: Number(most),
  }))
  if (json) return printJson(cli, { groups, sources: given, limits })
  const members = groups.map((group) => ({ name: group.name, members: group.members }))
  printList(cli.out, ['name', 'members'], members)
  if (given.length > 0) printList(cli.out, ['source', 'given to'], given)
  if (limits.length > 0) printList(cli.out, ['whom', 'measure', 'period', 'most'], limits)
}
