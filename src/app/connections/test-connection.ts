import { checkDatabase, mailProblem } from '../check-source.ts'
import { checkOptions } from '../check-options.ts'
import { openDatabases } from '../databases.ts'
import { openModels } from '../models.ts'
import { systemClock } from '../../shared/clock.ts'
import { readDatabaseUrl } from '../../domain/server-url.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { omitUndefined, mapLeaves, decodePercent } from '../../shared/json.ts'
import { createSecrets, secretsIn } from '../../domain/secrets.ts'
import type { Protections } from '../../databases/database.ts'
import { createHttpClient } from '../../http/client.ts'
import { openMailAccount } from '../../mail/open.ts'
import { guardedTarget } from '../../http/connect.ts'
import { assertSignsIn } from '../../mail/personal.ts'
import type { ModelProbe } from '../../models/probe.ts'
import { assertConnectable, type ConnectLimits, storedBy } from './connect-limits.ts'
import { type Connectable, databaseOf, type Kind, mailOf, providerOf, type Stored } from './connection-file.ts'

/** The result of a connection test, as text without secrets. */
export interface ConnectionTest {
  readonly ok: boolean
  /** A summary of the source, or why it cannot be used. */
  readonly message: string
  readonly latencyMs: number
  /** Of a database. */
  readonly protections?: Protections
  /** Of a model. */
  readonly abilities?: Abilities
}

export type Abilities = Pick<ModelProbe, 'streaming' | 'tools' | 'parallelTools' | 'structuredOutput'>

type Found = Omit<ConnectionTest, 'latencyMs'>

const TRIES: { readonly [K in Kind]: (entry: Stored<K>, limits: ConnectLimits) => Promise<Found> } = {
  async model(entry, { cwd, admin }) {
    const options = checkOptions({
      models: { providers: [providerOf(entry)] },
      ...omitUndefined({ allowHosts: admin?.hosts }),
      cwd,
    })
    const models = openModels(options)
    const { signal } = new AbortController()
    const [check] = await models.check(signal)
    const { ok, model = '', message } = check!
    if (!ok) return { ok, message }
    const [probe] = await models.probe(signal, false)
    return { ok, message: model, ...(probe === undefined ? {} : { abilities: abilitiesOf(probe) }) }
  },
  async database(entry, { cwd, admin }) {
    readDatabaseUrl(entry.address)
    const { sources, close } = openDatabases(
      checkOptions({ config: { databases: [databaseOf(entry)] }, ...omitUndefined({ allowHosts: admin?.hosts }), cwd }),
    )
    try {
      const { name: _, ...found } = await checkDatabase(sources[0]!)
      return found
    } finally {
      await close()
    }
  },
  async mailbox(entry, { cwd, admin }) {
    const { server, smtp, from, user, password } = entry
    const servers = smtp === undefined ? [server] : [server, smtp]
    const signIn = { address: from, imap: server, user, password, ...omitUndefined({ smtp }) }
    const target = admin === undefined ? undefined : guardedTarget({ allowHosts: admin.hosts })
    await assertSignsIn(signIn, servers, target)
    const http = createHttpClient({}, { clock: systemClock })
    try {
      const account = openMailAccount(mailOf(entry), {
        http,
        cwd,
        now: () => systemClock.now(),
        ...omitUndefined({ target }),
      })
      const problem = await mailProblem(account).finally(() => account.close())
      return { ok: problem === undefined, message: problem ?? account.describe() }
    } finally {
      await http.close()
    }
  },
}

function abilitiesOf({ streaming, tools, parallelTools, structuredOutput }: ModelProbe): Abilities {
  return { streaming, tools, parallelTools, structuredOutput }
}

/** Tests a connection in the way it would be used, within the limits. Does not throw. */
export async function testConnection<K extends Kind>(
  kind: K,
  entry: Connectable<K>,
  limits: ConnectLimits,
): Promise<ConnectionTest> {
  const startedAt = systemClock.now()
  const found = await assertConnectable(kind, entry, limits)
    .then(() => TRIES[kind](storedBy(entry, limits), limits))
    .catch((thrown: unknown): Found => ({ ok: false, message: toTuttiError(thrown).message }))
  const { text } = createSecrets(secretsIn(entry))
  // The name of a role is no secret, though the password be a part of it.
  const role = 'address' in entry ? roleIn(entry.address) : undefined
  const show = (unmasked: string): string =>
    role === undefined
      ? text(unmasked)
      : unmasked
          .split(role)
          .map((part) => text(part))
          .join(role)
  const redacted = mapLeaves(found, (leaf) => (typeof leaf === 'string' ? show(leaf) : leaf))
  return { ...redacted, latencyMs: systemClock.now() - startedAt }
}

/** The role in the address if it contains the password; then the whole role is masked. */
function roleIn(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { username, password } = new URL(address)
  const [role, secret] = [username, password].map(decodePercent)
  return role && secret && role.includes(secret) ? role : undefined
}

/** @throws TuttiError `InvalidRequest` with the problem */
export function assertWorks({ ok, message }: ConnectionTest): void {
  if (!ok) throw new TuttiError('InvalidRequest', message.replace(/\.?$/, '.'))
}
