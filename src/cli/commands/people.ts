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
import type { JsonOption, Program, CommandPart, YesOption } from '../command.ts'
import { printJson } from '../failure.ts'
import { printItems, minuteOf, printList } from '../render/table.ts'
import { withSpinner } from '../render/spinner.ts'
import { textArgument } from '../stdin.ts'
import { argument, option, JSON_OPTION, YES_OPTION } from '../shared-options.ts'
import { askConfirmation } from '../prompt.ts'
import { parseWholeNumber } from '../option-values.ts'

interface AddOptions {
  readonly role: Role
  readonly name?: string
  readonly email?: string
  readonly passwordStdin?: boolean
}

/** Commands for the operator to create and manage accounts. */
export function addPeopleCommands({ root, cli, command }: Program): void {
  const people = root.command('people').description('manage user accounts')
  const named = (name: string, description: string, ...parts: CommandPart[]) =>
    command(people, name, description, argument('<username>', 'who'), ...parts)
  const roleOption = () => new Option('--role <role>').choices(ROLES).default('member')
  command(people, 'list', 'list accounts', JSON_OPTION).withApp(async (app, { json }: JsonOption) => {
    const found = await app.people.accounts.list()
    const rows = found.map(({ username, displayName, role, isDisabled, hasSecondFactor }) => ({
      username,
      name: displayName,
      role,
      state: [isDisabled ? 'disabled' : '', hasSecondFactor ? 'second factor' : ''].filter(Boolean).join(', '),
    }))
    printItems(cli, {
      json,
      object: { people: found },
      empty: `No accounts exist. Create one with: ${cli.self} people add NAME --role admin`,
      rows,
    })
  })
  named(
    'add',
    'create an account; the first one is an admin',
    roleOption(),
    option('--name <name>', 'display name'),
    option('--email <address>', 'email address'),
    option('--password-stdin', 'read the password from standard input instead of printing a token to set one'),
  ).withApp(async ({ people: { accounts }, config }, username: string, options: AddOptions) => {
    const { role, name, email, passwordStdin } = options
    const example = `${cli.self} people add ann --password-stdin`
    const password = passwordStdin === true ? await textArgument(cli, ['-'], 'password', example) : undefined
    const person = { username, role, ...omitUndefined({ displayName: name, email, password }) }
    const made = await accounts.add(COMMAND_LINE, person)
    cli.err.line(`Account ${made.username} created with the role ${made.role}.`)
    if (password === undefined) printToken(cli, config, await accounts.createResetToken(COMMAND_LINE, made.userId))
  })
  named('role', 'set the role of a user', new Argument('<role>').choices(ROLES)).withApp(
    async ({ people: { accounts } }, name: string, role: Role) => {
      const { userId, username } = await accounts.find(name)
      await accounts.setRole(COMMAND_LINE, userId, role)
      cli.err.line(`${username} now has the role ${role}.`)
    },
  )
  for (const [name, isDisabled, description, said] of [
    ['disable', true, 'disable an account at once; its data is kept', 'is disabled, with all sessions and keys'],
    ['enable', false, 'enable an account', 'can log in again'],
  ] as const) {
    named(name, description).withApp(async ({ people: { accounts } }, who: string) => {
      const { userId, username } = await accounts.find(who)
      await accounts.setDisabled(COMMAND_LINE, userId, isDisabled)
      cli.err.line(`${username} ${said}.`)
    })
  }
  named(
    'reset',
    'print a one-time token to set a new password within a day',
    option('--second-factor', 'also remove the second factor'),
  ).withApp(async (app, username: string, options: { readonly secondFactor?: boolean }) => {
    const { accounts, signIn } = app.people
    const { userId } = await accounts.find(username)
    if (options.secondFactor === true) await signIn.clearSecondFactor(COMMAND_LINE, userId)
    printToken(cli, app.config, await accounts.createResetToken(COMMAND_LINE, userId))
  })
  command(people, 'invite', 'print an invitation for one account, valid for a week', roleOption()).withApp(
    async (app, { role }: { readonly role: Role }) => {
      const token = await app.people.accounts.invite(COMMAND_LINE, role)
      cli.err.line(`This invitation is valid for one account with the role ${role}, for a week.`)
      printLink(cli, app.config, `#invitation=${token}`)
      cli.out.line(token)
    },
  )
  command(people, 'invitations', 'list open invitations', JSON_OPTION).withApp(
    async ({ people: { accounts } }, { json }: JsonOption) => {
      const [found, persons] = await Promise.all([accounts.invitations(), accounts.list()])
      if (json === true) {
        const iso = (at: number): string => new Date(at).toISOString()
        const items = found.map((one) => ({ ...one, madeAt: iso(one.madeAt), expiresAt: iso(one.expiresAt) }))
        return printJson(cli, { invitations: items })
      }
      if (found.length === 0) return cli.err.line('There are no open invitations.')
      const rows = found.map(({ invitationId, role, madeBy = '', madeAt, expiresAt }) => ({
        id: invitationId,
        role,
        by: persons.find(({ userId }) => userId === madeBy)?.username ?? madeBy,
        made: minuteOf(madeAt),
        until: minuteOf(expiresAt),
      }))
      printList(cli.out, ['id', 'role', 'by', 'made', 'until'], rows)
    },
  )
  command(
    people,
    'withdraw',
    'withdraw an invitation',
    argument('<id>', 'id, as listed by "people invitations"'),
  ).withApp(async (app, invitationId: string) => {
    await app.people.accounts.revokeInvitation(COMMAND_LINE, invitationId)
    cli.err.line('Invitation withdrawn. Its link no longer works.')
  })
  named('erase', 'erase a user and all their data', YES_OPTION).withApp(
    async (app, name: string, { yes }: YesOption) => {
      const { userId, username } = await app.people.accounts.find(name)
      const what = `Erase ${username} with all runs, documents, conversations, memory and skills`
      if (!(await askConfirmation(cli, { what, yes }))) return
      await withSpinner(cli, 'Erasing', app.erasePerson(COMMAND_LINE, userId))
      cli.err.line(`${username} is erased. Earlier backups still contain their data.`)
    },
  )
  named('export', 'export all data of a user as an archive (.tar.gz)', argument('<file>', 'new file to write')).withApp(
    async (app, username: string, file: string) => {
      const { userId } = await app.people.accounts.find(username)
      const path = resolve(cli.cwd, file)
      const archive = await app.exportPerson(userId)
      const writing = pipeline(archive, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      await withSpinner(cli, 'Writing', writing).catch(async (thrown: NodeJS.ErrnoException) => {
        // Remove a partial archive: it is unusable and would block the next attempt.
        if (thrown.code !== 'EEXIST') await rm(path, { force: true })
        if (thrown.code !== 'EEXIST' && thrown.code !== 'ENOENT' && thrown.code !== 'EACCES') throw thrown
        const why = thrown.code === 'EEXIST' ? 'exists already' : 'cannot be written'
        throw new TuttiError('InvalidRequest', `${file} ${why}; name another file.`)
      })
      cli.err.line(`Wrote ${file}.`)
    },
  )
}

function printToken(cli: Cli, config: Config, token: string): void {
  cli.err.line('This token sets a password once, within a day. Programs send it to POST /session/reset.')
  printLink(cli, config, `#reset=${token}`)
  cli.out.line(token)
}

/** Where the server is reached is known here by the configuration alone. */
function printLink(cli: Cli, { server, people }: Config, end: string): void {
  const base = server.url ?? people.oidc?.redirectUrl
  cli.err.line(
    base === undefined
      ? `The user opens /${end} at the address of the server. Set server.url in the configuration to print the complete link here.`
      : `The user opens ${new URL(`/${end}`, base).href}`,
  )
}

type Config = Pick<App['config'], 'server' | 'people'>

/** The command that shows what admins have changed. */
export function addAudit({ root, cli, command }: Program): void {
  command(
    root,
    'audit',
    'list changes made by admins, newest first',
    option('--limit <n>', 'how many', parseWholeNumber).default(50),
    JSON_OPTION,
  ).withApp(async ({ people }, { limit, json }: JsonOption & { readonly limit: number }) => {
    const entries = await people.audit(limit)
    const persons = new Map((await people.accounts.list()).map(({ userId, username }) => [userId, username]))
    const rows = entries.map(({ at, changedBy, action, target, detail }) => ({
      when: minuteOf(at),
      who: persons.get(changedBy) ?? changedBy,
      what: action,
      whom: persons.get(target) ?? target,
      detail: Object.entries(detail)
        .map(([name, value]) => `${name} ${String(persons.get(String(value)) ?? value)}`)
        .join(', '),
    }))
    printItems(cli, {
      json,
      object: { audit: entries.map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() })) },
      empty: 'There are no changes yet.',
      rows,
    })
  })
}
