import { Argument } from 'commander'
import type { App } from '../../app/user-app.ts'
import type { Grantee, Level } from '../../accounts/permissions.ts'
import type { People } from '../../accounts/people.ts'
import { MEASURES, PERIODS, type Measure, type Period } from '../../accounts/quotas.ts'
import { COMMAND_LINE } from '../../accounts/account-changes.ts'
import type { Cli } from '../cli.ts'
import type { JsonOption, Program, CommandPart } from '../command.ts'
import { printJson } from '../failure.ts'
import { withApp as openFor } from '../open-app.ts'
import { parseWholeNumber, sourceOptions, type SourceOptions } from '../option-values.ts'
import { printList } from '../render/table.ts'
import { argument, option, JSON_OPTION, DATABASE_OPTION, API_OPTION, MCP_OPTION } from '../shared-options.ts'

export const GRANTEE_HINT = 'everyone, group:NAME or user:NAME'

/** Commands for groups, grants and limits. */
export function addGroups({ root, cli, command }: Program): void {
  const groups = root.command('groups').description('manage groups, access to sources, and usage limits')
  const named = (name: string, description: string, ...parts: CommandPart[]) =>
    command(groups, name, description, argument('<group>', 'its name'), ...parts)
  command(groups, 'list', 'list groups, access to sources, and limits', JSON_OPTION).withApp(
    ({ people, sources }, { json }: JsonOption) => list(cli, people, sources, json === true),
  )
  named('create', 'create a group').withApp(async ({ people }, name: string) => {
    await people.groups.create(COMMAND_LINE, name)
    cli.err.line('Group created.')
  })
  named('remove', 'remove a group and its access').withApp(async ({ people }, name: string) => {
    await people.groups.remove(COMMAND_LINE, (await people.groups.find(name)).groupId)
    cli.err.line('Group removed.')
  })
  for (const [name, change, description, message] of [
    ['add', 'addMember', 'add a user to a group', 'User added to the group.'],
    ['drop', 'removeMember', 'remove a user from a group', 'User removed from the group.'],
  ] as const) {
    named(name, description, argument('<username>', 'who')).withApp(async ({ people }, group: string, who: string) => {
      const [{ groupId }, { userId }] = [await people.groups.find(group), await people.accounts.find(who)]
      await people.groups[change](COMMAND_LINE, groupId, userId)
      cli.err.line(message)
    })
  }
  const setGrant = (source: string, whom: string, level: Level | undefined, options: SourceOptions = {}) =>
    openFor(cli, sourceOptions(options), async ({ people, sources }) => {
      await people.groups.setGrant(COMMAND_LINE, source, await people.resolveGrantee(whom), level, sources)
      cli.err.line(level === undefined ? 'Access removed.' : 'Access granted.')
    })
  command(
    groups,
    'give',
    'give everyone, a group or a user access to a source',
    argument('<source>', 'such as database:shop, as "tutti groups list" shows them'),
    argument('<whom>', GRANTEE_HINT),
    option('--edit', 'also allow changes'),
    DATABASE_OPTION,
    API_OPTION,
    MCP_OPTION,
  ).run((source: string, whom: string, options: SourceOptions & { readonly edit?: boolean }) =>
    setGrant(source, whom, options.edit === true ? 'editor' : 'reader', options),
  )
  command(
    groups,
    'take',
    'withdraw access to a source',
    argument('<source>', 'the source, as listed'),
    argument('<whom>', GRANTEE_HINT),
  ).run((source: string, whom: string) => setGrant(source, whom, undefined))
  command(
    groups,
    'limit',
    'limit the usage of a user, a group or everyone; without a number, remove the limit',
    argument('<whom>', GRANTEE_HINT),
    new Argument('<measure>', 'cost in millionths of a US dollar, storage in bytes').choices([...MEASURES]),
    new Argument('<period>').choices([...PERIODS]),
    argument('[most]', 'the most').argParser(parseWholeNumber),
  ).withApp(async ({ people }, whom: string, measure: Measure, period: Period, most?: number) => {
    await people.quotas.set(COMMAND_LINE, { to: await people.resolveGrantee(whom), measure, period, most })
    cli.err.line(most === undefined ? 'Limit removed.' : 'Limit set.')
  })
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
