import { omitUndefined } from '../../shared/omit-undefined.ts'
import { resolve } from 'node:path'
import type { App } from '../../app/user-app.ts'
import { ROLES, type Role } from '../../domain/caller.ts'
import { TuttiError } from '../../domain/errors.ts'
import { COMMAND_LINE } from '../../accounts/tables.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { askConfirmation } from '../confirm.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { minuteOf, printList } from '../render/table.ts'
import { withSpinner } from '../render/spinner.ts'
import { jsonOption, yesOption } from '../shared-options.ts'
import { textArgument } from '../stdin.ts'

interface AddOptions {
  readonly role: Role
  readonly name?: string
  readonly email?: string
  readonly passwordStdin?: boolean
}

/** Commands for the operator to create and manage accounts. */
export function addPeopleCommands({ root, cli, run }: Program): void {
  const people = root.command('people').description('make accounts, set roles, shut people out')
  people
    .command('list')
    .description('list who has an account')
    .addOption(jsonOption())
    .action(run((options: { readonly json?: boolean }) => list(cli, options.json === true)))
  people
    .command('add')
    .description('make an account; the first one is that of an admin')
    .argument('<username>', 'the name to log in with')
    .option('--role <role>', ROLES.join(', '), parseRole, 'member')
    .option('--name <name>', 'the name for others to read')
    .option('--email <address>', 'their address')
    .option('--password-stdin', 'read the password from standard input; without it, print a token for choosing one')
    .action(run((username: string, options: AddOptions) => add(cli, username, options)))
  people
    .command('role')
    .description('make somebody a viewer, member or admin')
    .argument('<username>', 'who')
    .argument('<role>', ROLES.join(', '), parseRole)
    .action(
      run((username: string, role: Role) =>
        change(cli, username, `is ${role} now`, (app, id) => app.accounts.setRole(COMMAND_LINE, id, role)),
      ),
    )
  people
    .command('reset')
    .description('print a token with which somebody chooses a new password, once, within a day')
    .argument('<username>', 'who')
    .option('--second-factor', 'take their second factor away, too')
    .action(
      run((username: string, options: { readonly secondFactor?: boolean }) =>
        reset(cli, username, options.secondFactor === true),
      ),
    )
  people
    .command('invite')
    .description('print an invitation, with which one person can make an account, for a week')
    .option('--role <role>', ROLES.join(', '), parseRole, 'member')
    .action(run((options: { readonly role: Role }) => invite(cli, options.role)))
  people
    .command('invitations')
    .description('list invitations that nobody has used yet')
    .addOption(jsonOption())
    .action(run((options: { readonly json?: boolean }) => invitations(cli, options.json === true)))
  people
    .command('withdraw')
    .description('withdraw an invitation: its link stops working')
    .argument('<id>', 'as "people invitations" lists it')
    .action(run((id: string) => withdraw(cli, id)))
  people
    .command('erase')
    .description('erase somebody with everything that is theirs')
    .argument('<username>', 'who')
    .addOption(yesOption())
    .action(run((username: string, options: { readonly yes?: boolean }) => erase(cli, username, options.yes)))
  people
    .command('export')
    .description('write everything that is kept of somebody into an archive (.tar.gz)')
    .argument('<username>', 'who')
    .argument('<file>', 'the archive, which is not there yet')
    .action(run((username: string, file: string) => exportTo(cli, username, file)))
  for (const [name, isDisabled, said] of [
    ['disable', true, 'is shut out, with all sessions and keys'],
    ['enable', false, 'may log in again'],
  ] as const) {
    people
      .command(name)
      .description(isDisabled ? 'shut somebody out at once; what is theirs stays' : 'let somebody in again')
      .argument('<username>', 'who')
      .action(
        run((username: string) =>
          change(cli, username, said, (app, id) => app.accounts.setDisabled(COMMAND_LINE, id, isDisabled)),
        ),
      )
  }
}

async function list(cli: Cli, json: boolean): Promise<void> {
  return withApp(cli, {}, async ({ people }) => {
    const found = await people.accounts.list()
    if (json) return printJson(cli, { people: found })
    if (found.length === 0)
      return cli.err.line(`Nobody has an account. Make one: ${cli.self} people add NAME --role admin`)
    const rows = found.map(({ username, displayName, role, isDisabled, hasSecondFactor }) => ({
      username,
      name: displayName,
      role,
      state: [isDisabled ? 'disabled' : '', hasSecondFactor ? 'second factor' : ''].filter(Boolean).join(', '),
    }))
    printList(cli.out, ['username', 'name', 'role', 'state'], rows)
  })
}

async function add(cli: Cli, username: string, { role, name, email, passwordStdin }: AddOptions): Promise<void> {
  const password =
    passwordStdin === true
      ? await textArgument(cli, ['-'], 'password', `${cli.self} people add ann --password-stdin`)
      : undefined
  return withApp(cli, {}, async ({ people, config }) => {
    const { accounts } = people
    const made = await accounts.add(COMMAND_LINE, {
      username,
      role,
      ...omitUndefined({ displayName: name, email, password }),
    })
    cli.err.line(`${made.username} has an account and is ${made.role}.`)
    if (password === undefined) printToken(cli, config, await accounts.resetToken(COMMAND_LINE, made.userId))
  })
}

async function reset(cli: Cli, username: string, withoutSecondFactor: boolean): Promise<void> {
  return withApp(cli, {}, async ({ people: { accounts, signIn }, config }) => {
    const { userId } = await accounts.find(username)
    if (withoutSecondFactor) await signIn.clearSecondFactor(COMMAND_LINE, userId)
    printToken(cli, config, await accounts.resetToken(COMMAND_LINE, userId))
  })
}

async function invite(cli: Cli, role: Role): Promise<void> {
  return withApp(cli, {}, async ({ people, config }) => {
    const token = await people.accounts.invite(COMMAND_LINE, role)
    cli.err.line(`With this invitation one person can make an account as ${role}, within a week.`)
    printLink(cli, config, `#invitation=${token}`)
    cli.out.line(token)
  })
}

async function invitations(cli: Cli, json: boolean): Promise<void> {
  return withApp(cli, {}, async ({ people: { accounts } }) => {
    const [found, persons] = await Promise.all([accounts.invitations(), accounts.list()])
    if (json) {
      const iso = (at: number): string => new Date(at).toISOString()
      const items = found.map((one) => ({ ...one, madeAt: iso(one.madeAt), expiresAt: iso(one.expiresAt) }))
      return printJson(cli, { invitations: items })
    }
    if (found.length === 0) return cli.err.line('No invitation is open.')
    const rows = found.map(({ invitationId, role, madeBy = '', madeAt, expiresAt }) => ({
      id: invitationId,
      role,
      by: persons.find(({ userId }) => userId === madeBy)?.username ?? madeBy,
      made: minuteOf(madeAt),
      until: minuteOf(expiresAt),
    }))
    printList(cli.out, ['id', 'role', 'by', 'made', 'until'], rows)
  })
}

async function withdraw(cli: Cli, invitationId: string): Promise<void> {
  return withApp(cli, {}, async ({ people }) => {
    await people.accounts.withdraw(COMMAND_LINE, invitationId)
    cli.err.line('The invitation is withdrawn. Its link no longer works.')
  })
}

async function erase(cli: Cli, username: string, yes: boolean | undefined): Promise<void> {
  return withApp(cli, {}, async (app) => {
    const person = await app.people.accounts.find(username)
    const what = `Erase ${person.username} with all runs, documents, conversations, memory and skills`
    if (!(await askConfirmation(cli, { what, yes }))) return
    await withSpinner(cli, 'Erasing', app.erasePerson(COMMAND_LINE, person.userId))
    cli.err.line(`${person.username} is erased. Backups that were made before still hold what they hold.`)
  })
}

async function exportTo(cli: Cli, username: string, file: string): Promise<void> {
  const path = resolve(cli.cwd, file)
  return withApp(cli, {}, async (app) => {
    const { userId } = await app.people.accounts.find(username)
    const archive = await app.exportPerson(userId)
    const { createWriteStream } = await import('node:fs')
    const { rm } = await import('node:fs/promises')
    const { pipeline } = await import('node:stream/promises')
    const writing = pipeline(archive, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    await withSpinner(cli, 'Writing', writing).catch(async (thrown: NodeJS.ErrnoException) => {
      // Remove a partial archive: it is unusable and would block the next attempt.
      if (thrown.code !== 'EEXIST') await rm(path, { force: true })
      if (thrown.code !== 'EEXIST' && thrown.code !== 'ENOENT' && thrown.code !== 'EACCES') throw thrown
      const why = thrown.code === 'EEXIST' ? 'is there already' : 'cannot be written'
      throw new TuttiError('InvalidRequest', `${file} ${why}; name another file.`)
    })
    cli.err.line(`Wrote ${file}.`)
  })
}

function printToken(cli: Cli, config: Config, token: string): void {
  cli.err.line(
    'With this token a password can be chosen, once, within a day; a program sends it to POST /session/reset.',
  )
  printLink(cli, config, `#reset=${token}`)
  cli.out.line(token)
}

/** Where the server is reached is known here by the configuration alone. */
function printLink(cli: Cli, { server, people }: Config, end: string): void {
  const base = server.url ?? people.oidc?.redirectUrl
  const whole = base === undefined ? undefined : new URL(`/${end}`, base).href
  cli.err.line(
    whole === undefined
      ? `Whoever it is for opens the address of the server with /${end} behind it. Write that address into the configuration as server.url, and the whole link stands here.`
      : `Whoever it is for opens ${whole}`,
  )
}

type Config = Pick<App['config'], 'server' | 'people'>
type Parts = Parameters<Parameters<typeof withApp>[2]>[0]['people']

async function change(
  cli: Cli,
  username: string,
  message: string,
  work: (people: Parts, userId: string) => Promise<void>,
): Promise<void> {
  return withApp(cli, {}, async ({ people }) => {
    const person = await people.accounts.find(username)
    await work(people, person.userId)
    cli.err.line(`${person.username} ${message}.`)
  })
}

/** @throws TuttiError `InvalidRequest` */
function parseRole(text: string): Role {
  const role = ROLES.find((one) => one === text)
  if (role === undefined)
    throw new TuttiError('InvalidRequest', `There is no role "${text}". There are: ${ROLES.join(', ')}.`)
  return role
}
