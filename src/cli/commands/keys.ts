import { SCOPES } from '../../domain/caller.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { JsonOption, Program } from '../command.ts'
import { parseWholeNumber } from '../option-values.ts'
import { printItems } from '../render/table.ts'
import { argument, option, JSON_OPTION } from '../shared-options.ts'

const DAY_MS = 86_400_000

interface CreateOptions {
  readonly name: string
  readonly scope: readonly string[]
  readonly days?: number
}

/** Commands for API keys, with which programs ask on behalf of a user. */
export function addKeys({ root, cli, command }: Program): void {
  const keys = root.command('keys').description('create, list and revoke API keys')
  command(
    keys,
    'create',
    'create a key and print it once',
    argument('<username>', 'whose'),
    option('--name <name>', 'purpose').default('key'),
    option('--scope <scope...>', SCOPES.join(', ')).default(['read', 'ask']),
    option('--days <n>', 'days until it expires; never by default', parseWholeNumber),
  ).withApp(async ({ people }, username: string, { name, scope: scopes, days }: CreateOptions) => {
    const { userId } = await people.accounts.find(username)
    const expiresAt = days === undefined ? undefined : cli.clock.now() + days * DAY_MS
    const { key } = await people.keys.create(userId, { name, scopes, ...omitUndefined({ expiresAt }) })
    cli.err.line('Save this key now. It is not shown again:')
    cli.out.line(key)
  })
  command(keys, 'list', 'list the keys of a user', argument('<username>', 'whose'), JSON_OPTION).withApp(
    async ({ people }, username: string, { json }: JsonOption) => {
      const { userId } = await people.accounts.find(username)
      const all = await people.keys.list(userId)
      const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
      const rows = all.map(({ beginsWith, name, scopes, expiresAt, lastUsedAt }) => ({
        key: `${beginsWith}…`,
        name,
        scopes: scopes.join(' '),
        until: expiresAt === undefined ? '' : day(expiresAt),
        used: lastUsedAt === undefined ? 'never' : day(lastUsedAt),
      }))
      printItems(cli, { json, object: { keys: all }, empty: 'There are no keys.', rows })
    },
  )
  command(
    keys,
    'revoke',
    'revoke a key',
    argument('<username>', 'whose'),
    argument('<key>', 'its id, or its prefix as listed by "keys list"'),
  ).withApp(async ({ people }, username: string, key: string) => {
    const { userId } = await people.accounts.find(username)
    const start = key.replace(/…$/, '')
    const keys = await people.keys.list(userId)
    const [meant, other] = keys.filter(({ keyId, beginsWith }) => keyId === key || beginsWith === start)
    if (meant === undefined || other !== undefined)
      throw new TuttiError(
        'NotFound',
        `There is no such key, or more than one; name its id, from: tutti keys list ${username}`,
      )
    await people.keys.revoke(userId, meant.keyId)
    cli.err.line(`Key "${meant.name}" revoked.`)
  })
}
