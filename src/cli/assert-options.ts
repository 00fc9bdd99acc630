import type { App } from '../app/user-app.ts'
import { assertProviders } from '../app/models.ts'
import { requestOf, type AskOptions } from './option-values.ts'

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
