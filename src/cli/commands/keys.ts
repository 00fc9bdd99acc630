import { SCOPES } from '../../domain/caller.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { parseWholeNumber } from '../option-values.ts'
import { printList } from '../render/table.ts'
import { jsonOption } from '../shared-options.ts'

const DAY_MS = 86_400_000

interface CreateOptions {
  readonly name: string
  readonly scope: readonly string[]
  readonly days?: number
}

/** Commands for API keys, with which programs ask on behalf of a user. */
export function addKeys({ root, cli, run }: Program): void {
  const keys = root.command('keys').description('make API keys, list and revoke them')
  keys
    .command('create')
    .description('print a new key; it is kept nowhere')
    .argument('<username>', 'whose')
    .option('--name <name>', 'what it is for', 'key')
    .option('--scope <scope...>', SCOPES.join(', '), ['read', 'ask'])
    .option('--days <n>', 'for so many days; for ever without', parseWholeNumber)
    .action(run((username: string, options: CreateOptions) => create(cli, username, options)))
  keys
    .command('list')
    .description('list the keys of somebody')
    .argument('<username>', 'whose')
    .addOption(jsonOption())
    .action(run((username: string, options: { readonly json?: boolean }) => list(cli, username, options.json === true)))
  keys
    .command('revoke')
    .description('make a key good for nothing')
    .argument('<username>', 'whose')
    .argument('<key>', 'its id, or the beginning of the key as "keys list" shows it')
    .action(run((username: string, key: string) => revoke(cli, username, key)))
}

async function create(cli: Cli, username: string, { name, scope, days }: CreateOptions): Promise<void> {
  return withApp(cli, {}, async ({ people }) => {
    const { userId } = await people.accounts.find(username)
    const expiry = days === undefined ? {} : { expiresAt: cli.clock.now() + days * DAY_MS }
    const { key } = await people.keys.create(userId, { name, scopes: scope, ...expiry })
    cli.err.line('Keep it now; it is not shown again:')
    cli.out.line(key)
  })
}

async function list(cli: Cli, username: string, json: boolean): Promise<void> {
  return withApp(cli, {}, async ({ people }) => {
    const { userId } = await people.accounts.find(username)
    const found = await people.keys.list(userId)
    if (json) return printJson(cli, { keys: found })
    if (found.length === 0) return cli.err.line('There are no keys.')
    const rows = found.map(({ beginsWith, name, scopes, expiresAt, lastUsedAt }) => ({
      key: `${beginsWith}…`,
      name,
      scopes: scopes.join(' '),
      until: expiresAt === undefined ? '' : new Date(expiresAt).toISOString().slice(0, 10),
      used: lastUsedAt === undefined ? 'never' : new Date(lastUsedAt).toISOString().slice(0, 10),
    }))
    printList(cli.out, ['key', 'name', 'scopes', 'until', 'used'], rows)
  })
}

async function revoke(cli: Cli, username: string, key: string): Promise<void> {
  return withApp(cli, {}, async ({ people }) => {
    const { userId } = await people.accounts.find(username)
    const isMeant = ({ keyId, beginsWith }: { readonly keyId: string; readonly beginsWith: string }): boolean =>
      keyId === key || beginsWith === key.replace(/…$/, '')
    const [meant, other] = (await people.keys.list(userId)).filter(isMeant)
    if (meant === undefined || other !== undefined)
      throw new TuttiError('NotFound', 'There is no such key, or more than one; name its id.')
    await people.keys.revoke(userId, meant.keyId)
    cli.err.line(`The key "${meant.name}" is good for nothing now.`)
  })
}
