import { omitUndefined } from '../../shared/json.ts'
import type { JsonOption, Program, YesOption } from '../command.ts'
import { printJson } from '../failure.ts'
import { COMMAND_LINE } from '../../accounts/account-changes.ts'
import { textArgument } from '../stdin.ts'
import { argument, option, JSON_OPTION, YES_OPTION } from '../shared-options.ts'
import { askConfirmation } from '../prompt.ts'

interface SetOptions {
  readonly address: string
  readonly imap: string
  readonly smtp?: string
  readonly user: string
}

/** Commands for the users' own mailboxes. */
export function addMailbox({ root, cli, command }: Program): void {
  const mailbox = root.command('mailbox').description('manage the mailboxes of users')
  command(
    mailbox,
    'show',
    'show the mailbox of a user, without its password',
    argument('<username>', 'whose'),
    JSON_OPTION,
  ).withApp(async ({ people, mailboxes }, username: string, { json }: JsonOption) => {
    const mailbox = await mailboxes.describe((await people.accounts.find(username)).userId)
    if (json === true) return printJson(cli, omitUndefined({ servers: mailboxes.servers, mailbox }))
    if (mailbox === undefined) return cli.err.line(`${username} has no mailbox.`)
    const { address, user, imap, smtp = 'none: mails are read and drafted, not sent' } = mailbox
    for (const [what, value] of Object.entries({ address, user, imap, smtp })) cli.out.line(`${what}: ${value}`)
    return undefined
  })
  command(
    mailbox,
    'set',
    'connect the mailbox of a user; reads its password from standard input',
    argument('<username>', 'whose'),
    option('--address <address>', 'what mails are sent from: an address, or "Name <address>"').makeOptionMandatory(),
    option('--imap <server>', 'host or host:port').makeOptionMandatory(),
    option('--smtp <server>', 'host or host:port; without it, mails are read and drafted but not sent'),
    option('--user <name>', 'who signs in there').makeOptionMandatory(),
  ).withApp(async ({ people, mailboxes }, username: string, { address, imap, smtp, user }: SetOptions) => {
    const example = `tutti mailbox set ann --address ann@example.com --imap imap.example.com --user ann < password`
    const password = await textArgument(cli, ['-'], 'password', example)
    const { userId } = await people.accounts.find(username)
    await mailboxes.set(userId, { address, imap, user, password, ...omitUndefined({ smtp }) }, COMMAND_LINE)
    cli.err.line(`Mailbox connected. Tutti uses it to answer the questions of ${username}.`)
  })
  command(
    mailbox,
    'remove',
    'remove the settings of a user’s mailbox; its mails are kept',
    argument('<username>', 'whose'),
    YES_OPTION,
  ).withApp(async ({ people, mailboxes }, username: string, { yes }: YesOption) => {
    const { userId } = await people.accounts.find(username)
    if (!(await askConfirmation(cli, { what: `Remove the mailbox settings of ${username}`, yes }))) return
    await mailboxes.remove(userId, COMMAND_LINE)
    cli.err.line('Mailbox settings removed.')
  })
}
