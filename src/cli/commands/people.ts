import { Option } from 'commander'
import type { App } from '../../app/user-app.ts'
import { COMMAND_LINE } from '../../accounts/account-changes.ts'
import { ROLES, type Role } from '../../domain/caller.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Cli } from '../cli.ts'
import type { JsonOption, Program, CommandPart } from '../command.ts'
import { printItems } from '../render/table.ts'
import { textArgument } from '../stdin.ts'
import { argument, option, JSON_OPTION } from '../shared-options.ts'

interface AddOptions {
  readonly role: Role
  readonly name?: string
  readonly passwordStdin?: boolean
}

/** Commands for the operator to create and manage accounts. */
export function addPeopleCommands({ root, cli, command }: Program): void {
  const people = root.command('people').description('manage user accounts')
  const named = (name: string, description: string, ...parts: CommandPart[]) =>
    command(people, name, description, argument('<username>', 'who'), ...parts)
  command(people, 'list', 'list accounts', JSON_OPTION).withApp(async (app, { json }: JsonOption) => {
    const accounts = await app.people.accounts.list()
    const rows = accounts.map(({ username, displayName, role, isDisabled }) => ({
      username,
      name: displayName,
      role,
      state: isDisabled ? 'disabled' : '',
    }))
    printItems(cli, {
      json,
      object: { people: accounts },
      empty: `No accounts exist. Create one with: tutti people add NAME --role admin`,
      rows,
    })
  })
  named(
    'add',
    'create an account; the first one is an admin',
    new Option('--role <role>').choices(ROLES).default('member'),
    option('--name <name>', 'display name'),
    option('--password-stdin', 'read the password from standard input instead of printing a token to set one'),
  ).withApp(async ({ people: { accounts }, config }, username: string, options: AddOptions) => {
    const { role, name, passwordStdin } = options
    const example = `tutti people add ann --password-stdin`
    const password = passwordStdin === true ? await textArgument(cli, ['-'], 'password', example) : undefined
    const person = { username, role, ...omitUndefined({ displayName: name, password }) }
    const account = await accounts.add(COMMAND_LINE, person)
    cli.err.line(`Account ${account.username} created with the role ${account.role}.`)
    if (password === undefined) printToken(cli, config, await accounts.createResetToken(COMMAND_LINE, account.userId))
  })
  named('disable', 'disable an account at once; its data is kept').withApp(
    async ({ people: { accounts } }, name: string) => {
      const { userId, username } = await accounts.find(name)
      await accounts.setDisabled(COMMAND_LINE, userId, true)
      cli.err.line(`${username} is disabled, with all sessions and keys.`)
    },
  )
  named('reset', 'print a one-time token to set a new password within a day').withApp(
    async ({ people: { accounts }, config }, username: string) => {
      const { userId } = await accounts.find(username)
      printToken(cli, config, await accounts.createResetToken(COMMAND_LINE, userId))
    },
  )
}

function printToken(cli: Cli, { server, people }: Pick<App['config'], 'server' | 'people'>, token: string): void {
  cli.err.line('This token sets a password once, within a day. Programs send it to POST /session/reset.')
  // Where the server is reached is known here by the configuration alone.
  const base = server.url ?? people.oidc?.redirectUrl
  cli.err.line(
    base === undefined
      ? `The user opens /#reset=${token} at the address of the server. Set server.url in the configuration to print the complete link here.`
      : `The user opens ${new URL(`/#reset=${token}`, base).href}`,
  )
  cli.out.line(token)
}
