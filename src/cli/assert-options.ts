import type { App } from '../app/user-app.ts'
import { assertProviders } from '../app/models.ts'
import { ownSourcesOf } from '../app/addresses.ts'
import { TuttiError } from '../domain/errors.ts'
import type { RunId } from '../domain/events.ts'
import { isFinal } from '../domain/store.ts'
import { omitUndefined } from '../shared/json.ts'
import type { Cli } from './cli.ts'
import { requestOf, type AskOptions, type SourceOptions } from './option-values.ts'
import { shortId } from './render/units.ts'

/**
 * Fails unless the sources that an unfinished run was started with are named again: without them it would fail for good.
 * A fork of a finished run may use other ones.
 * @throws TuttiError `ConfigurationError`
 */
export async function assertSources(cli: Cli, app: App, runId: RunId, options: SourceOptions): Promise<void> {
  const { configFileOf } = await import('../app/config/config-file.ts')
  const current = await configFileOf(cli.cwd, cli.globals.config)
  const { request, status } = await app.runs.state(runId)
  const { ownSources = [], configFile = current } = request
  const { db, api, allowHost, mcp = [] } = options
  const files = mcp.map((file) => ({ file }))
  const named = ownSourcesOf({
    ...omitUndefined({ databases: db, apis: api, allowHosts: allowHost }),
    mcp: files,
    cwd: cli.cwd,
  })
  const mayDiffer = isFinal(status) && named.length > 0
  const missing = mayDiffer ? [] : ownSources.filter((source) => !named.includes(source))
  const others = mayDiffer ? [] : named.filter((source) => !ownSources.includes(source))
  const remedies = [
    ...(configFile === current ? [] : [`Add --config ${configFile}.`]),
    ...(missing.length === 0 ? [] : [`Add its --db, --api, --mcp and --allow-host: ${missing.join(', ')}.`]),
    ...(others.length === 0 ? [] : [`Leave out ${others.join(', ')}.`]),
  ]
  if (remedies.length === 0) return
  const message = `Run ${shortId(runId)} was started with other sources. ${remedies.join(' ')}`
  throw new TuttiError('ConfigurationError', message)
}

/** How long a database may take to tell its schema. */
const TIMEOUT_MS = 30_000

/**
 * Refuses a model of a provider that is not configured before there is a run that would fail of it.
 * @param models `provider:model` by actor or `default`
 * @throws TuttiError `ConfigurationError` naming the providers there are
 */
export function assertModels(app: App, models: Readonly<Record<string, string>>): void {
  assertProviders(app.models, models, 'ConfigurationError')
}

/**
 * Fails early for databases that cannot be opened and terms that cannot be read: otherwise questions would look
 * declined.
 * @throws TuttiError
 */
export async function assertDatabases({ databases }: App): Promise<void> {
  await Promise.all(databases.flatMap((source) => [source.schema(AbortSignal.timeout(TIMEOUT_MS)), source.terms?.()]))
}

/** Refuses options that no question can be asked with. @throws TuttiError `InvalidRequest`, `UnknownAgent` */
export async function assertAskable({ engine, agents }: App, options: AskOptions): Promise<void> {
  const { parseRequest } = await import('../domain/request.ts')
  engine.assertStrategy(parseRequest(requestOf('?', options), new Set(agents.map(({ name }) => name))))
}
