import { TuttiError } from '../../domain/errors.ts'
import type { Grantee, Level } from '../../accounts/permissions.ts'
import type { People } from '../../accounts/people.ts'
import { MEASURES, PERIODS } from '../../accounts/quotas.ts'
import { COMMAND_LINE } from '../../accounts/tables.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { parseWholeNumber, sourceOptions, type SourceOptions } from '../option-values.ts'
import { printList } from '../render/table.ts'
import { apiOption, databaseOption, jsonOption, mcpOption } from '../shared-options.ts'

const GRANTEE_HINT = 'everyone, group:NAME or user:NAME'

/** Commands for groups, grants and limits. */
export function addGroups({ root, cli, run }: Program): void {
  const groups = root.command('groups').description('put people into groups, give them sources, set limits')
  const named = (name: string, description: string): ReturnType<typeof groups.command> =>
    groups.command(name).description(description).argument('<group>', 'its name')
  const does = (message: string, work: (people: People, ...words: string[]) => Promise<unknown>) =>
    run((...words: string[]) =>
      withApp(cli, {}, async ({ people }) => {
        await work(people, ...words.filter((word) => typeof word === 'string'))
        cli.err.line(message)
      }),
    )
  groups
    .command('list')
    .description('list groups, what is given to whom, and limits')
    .addOption(jsonOption())
    .action(run((options: { readonly json?: boolean }) => list(cli, options.json === true)))
  named('create', 'make a group').action(
    does('The group is there.', ({ groups: all }, name) => all.create(COMMAND_LINE, name!)),
  )
  named('remove', 'remove a group, with what it was given').action(
    does('The group is gone.', async ({ groups: all }, name) =>
      all.remove(COMMAND_LINE, (await all.find(name!)).groupId),
    ),
  )
  named('add', 'put somebody into a group')
    .argument('<username>', 'who')
    .action(does('Is in the group now.', (people, group, who) => member(people, group!, who!, true)))
  named('drop', 'take somebody out of a group')
    .argument('<username>', 'who')
    .action(does('Is no longer in the group.', (people, group, who) => member(people, group!, who!, false)))
  groups
    .command('give')
    .description('give a source to everyone, a group or a person')
    .argument('<source>', 'such as database:shop, as "tutti groups list" shows them')
    .argument('<whom>', GRANTEE_HINT)
    .option('--edit', 'to change what is in it, too')
    .addOption(databaseOption())
    .addOption(apiOption())
    .addOption(mcpOption())
    .action(
      run((source: string, whom: string, options: SourceOptions & { readonly edit?: boolean }) =>
        give(cli, source, whom, options.edit === true ? 'editor' : 'reader', options),
      ),
    )
  groups
    .command('take')
    .description('take a source away')
    .argument('<source>', 'as it was given')
    .argument('<whom>', GRANTEE_HINT)
    .action(run((source: string, whom: string) => give(cli, source, whom, undefined)))
  groups
    .command('limit')
    .description('limit the usage of a person, a group or everyone; without a number, remove the limit')
    .argument('<whom>', GRANTEE_HINT)
    .argument('<measure>', `${MEASURES.join(', ')}; cost in millionths of a US dollar, storage in bytes`)
    .argument('<period>', PERIODS.join(', '))
    .argument('[most]', 'the most', parseWholeNumber)
    .action(
      run((whom: string, measure: string, period: string, max?: number) => limit(cli, whom, measure, period, max)),
    )
}

async function member(people: People, group: string, username: string, isIn: boolean): Promise<void> {
  const { groups, accounts } = people
  const [{ groupId }, { userId }] = [await groups.find(group), await accounts.find(username)]
  if (isIn) await groups.addMember(COMMAND_LINE, groupId, userId)
  else await groups.removeMember(COMMAND_LINE, groupId, userId)
}

async function give(
  cli: Cli,
  source: string,
  whom: string,
  level: Level | undefined,
  named: SourceOptions = {},
): Promise<void> {
  return withApp(cli, sourceOptions(named), async ({ people, sources }) => {
    await people.groups.give(COMMAND_LINE, source, await people.grantee(whom), level, sources)
    cli.err.line(level === undefined ? 'Taken away.' : 'Given.')
  })
}

async function limit(cli: Cli, whom: string, measure: string, period: string, max: number | undefined): Promise<void> {
  const meant = MEASURES.find((one) => one === measure)
  const during = PERIODS.find((one) => one === period)
  if (meant === undefined || during === undefined) {
    throw new TuttiError('InvalidRequest', `Limit ${MEASURES.join(', ')} by ${PERIODS.join(', ')}.`)
  }
  return withApp(cli, {}, async ({ people }) => {
    const to = await people.grantee(whom)
    await people.quotas.set(COMMAND_LINE, { to, measure: meant, period: during, most: max })
    cli.err.line(max === undefined ? 'The limit is removed.' : 'The limit holds from now on.')
  })
}

async function list(cli: Cli, json: boolean): Promise<void> {
  return withApp(cli, {}, async ({ people, sources }) => {
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
    const limits = quotas.map(({ to, measure, period, most: max }) => ({
      whom: nameOf(to),
      measure,
      period,
      most: Number(max),
    }))
    if (json) return printJson(cli, { groups, sources: given, limits })
    printList(
      cli.out,
      ['name', 'members'],
      groups.map(({ name, members }) => ({ name, members })),
    )
    if (given.length > 0) printList(cli.out, ['source', 'given to'], given)
    if (limits.length > 0) printList(cli.out, ['whom', 'measure', 'period', 'most'], limits)
  })
}
