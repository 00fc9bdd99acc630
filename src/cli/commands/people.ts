import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Argument, Option } from 'commander'
import type { App } from '../../app/user-app.ts'
import { COMMAND_LINE } from '../../accounts/account-changes.ts'
import { ROLES, type Role } from '../../domain/caller.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Cli } from '../cli.ts'
import type { JsonOption, Program } from '../command.ts'
import { askConfirmation } from '../confirm.ts'
import { printJson } from '../failure.ts'
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
export function addPeopleCommands({ root, cli, withApp }: Program): void {
  const people = root.command('people').description('manage user accounts')
  const named = (name: string, description: string) =>
    people.command(name).description(description).argument('<username>', 'who')
  const roleOption = () => new Option('--role <role>').choices(ROLES).default('member')
  people
    .command('list')
    .description('list accounts')
    .addOption(jsonOption())
    .action(
      withApp(async (app, { json }: JsonOption) => {
        const found = await app.people.accounts.list()
        if (json === true) return printJson(cli, { people: found })
        if (found.length === 0)
          return cli.err.line(`Nobody has an account. Make one: ${cli.self} people add NAME --role admin`)
        const rows = found.map(({ username, displayName, role, isDisabled, hasSecondFactor }) => ({
          username,
          name: displayName,
          role,
          state: [isDisabled ? 'disabled' : '', hasSecondFactor ? 'second factor' : ''].filter(Boolean).join(', '),
        }))
        printList(cli.out, ['username', 'name', 'role', 'state'], rows)
      }),
    )
  named('add', 'create an account; the first one is an admin')
    .addOption(roleOption())
    .option('--name <name>', 'display name')
    .option('--email <address>', 'email address')
    .option('--password-stdin', 'read the password from standard input instead of printing a token to set one')
    .action(
      withApp(async ({ people: { accounts }, config }, username: string, options: AddOptions) => {
        const { role, name, email, passwordStdin } = options
        const example = `${cli.self} people add ann --password-stdin`
        const password = passwordStdin === true ? await textArgument(cli, ['-'], 'password', example) : undefined
        const person = { username, role, ...omitUndefined({ displayName: name, email, password }) }
        const made = await accounts.add(COMMAND_LINE, person)
        cli.err.line(`${made.username} has an account and is ${made.role}.`)
        if (password === undefined) printToken(cli, config, await accounts.resetToken(COMMAND_LINE, made.userId))
      }),
    )
  named('role', 'set the role of a user')
    .addArgument(new Argument('<role>').choices(ROLES))
    .action(
      withApp(async ({ people: { accounts } }, name: string, role: Role) => {
        const { userId, username } = await accounts.find(name)
        await accounts.setRole(COMMAND_LINE, userId, role)
        cli.err.line(`${username} is ${role} now.`)
      }),
    )
  for (const [name, isDisabled, description, said] of [
    ['disable', true, 'disable an account at once; its data is kept', 'is disabled, with all sessions and keys'],
    ['enable', false, 'enable an account', 'can log in again'],
  ] as const) {
    named(name, description).action(
      withApp(async ({ people: { accounts } }, who: string) => {
        const { userId, username } = await accounts.find(who)
        await accounts.setDisabled(COMMAND_LINE, userId, isDisabled)
        cli.err.line(`${username} ${said}.`)
      }),
    )
  }
  named('reset', 'print a one-time token to set a new password within a day')
    .option('--second-factor', 'also remove the second factor')
    .action(
      withApp(async (app, username: string, options: { readonly secondFactor?: boolean }) => {
        const { accounts, signIn } = app.people
        const { userId } = await accounts.find(username)
        if (options.secondFactor === true) await signIn.clearSecondFactor(COMMAND_LINE, userId)
        printToken(cli, app.config, await accounts.resetToken(COMMAND_LINE, userId))
      }),
    )
  people
    .command('invite')
    .description('print an invitation for one account, valid for a week')
    .addOption(roleOption())
    .action(
      withApp(async (app, { role }: { readonly role: Role }) => {
        const token = await app.people.accounts.invite(COMMAND_LINE, role)
        cli.err.line(`With this invitation one person can make an account as ${role}, within a week.`)
        printLink(cli, app.config, `#invitation=${token}`)
        cli.out.line(token)
      }),
    )
  people
    .command('invitations')
    .description('list open invitations')
    .addOption(jsonOption())
    .action(
      withApp(async ({ people: { accounts } }, { json }: JsonOption) => {
        const [found, persons] = await Promise.all([accounts.invitations(), accounts.list()])
        if (json === true) {
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
      }),
    )
  people
    .command('withdraw')
    .description('withdraw an invitation')
    .argument('<id>', 'id, as listed by "people invitations"')
    .action(
      withApp(async (app, invitationId: string) => {
        await app.people.accounts.withdraw(COMMAND_LINE, invitationId)
        cli.err.line('The invitation is withdrawn. Its link no longer works.')
      }),
    )
  named('erase', 'erase a user and all their data')
    .addOption(yesOption())
    .action(
      withApp(async (app, name: string, { yes }: { readonly yes?: boolean }) => {
        const { userId, username } = await app.people.accounts.find(name)
        const what = `Erase ${username} with all runs, documents, conversations, memory and skills`
        if (!(await askConfirmation(cli, { what, yes }))) return
        await withSpinner(cli, 'Erasing', app.erasePerson(COMMAND_LINE, userId))
        cli.err.line(`${username} is erased. Backups that were made before still hold what they hold.`)
      }),
    )
  named('export', 'export all data of a user as an archive (.tar.gz)')
    .argument('<file>', 'new file to write')
    .action(
      withApp(async (app, username: string, file: string) => {
        const { userId } = await app.people.accounts.find(username)
        const path = resolve(cli.cwd, file)
        const archive = await app.exportPerson(userId)
        const writing = pipeline(archive, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
        await withSpinner(cli, 'Writing', writing).catch(async (thrown: NodeJS.ErrnoException) => {
          // Remove a partial archive: it is unusable and would block the next attempt.
          if (thrown.code !== 'EEXIST') await rm(path, { force: true })
          if (thrown.code !== 'EEXIST' && thrown.code !== 'ENOENT' && thrown.code !== 'EACCES') throw thrown
          const why = thrown.code === 'EEXIST' ? 'is there already' : 'cannot be written'
          throw new TuttiError('InvalidRequest', `${file} ${why}; name another file.`)
        })
        cli.err.line(`Wrote ${file}.`)
      }),
    )
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
  cli.err.line(
    base === undefined
      ? `Whoever it is for opens the address of the server with /${end} behind it. Write that address into the configuration as server.url, and the whole link stands here.`
      : `Whoever it is for opens ${new URL(`/${end}`, base).href}`,
  )
}

type Config = Pick<App['config'], 'server' | 'people'>
