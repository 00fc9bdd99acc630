import type { App } from '../app.ts'
import { TuttiError } from '../core/errors.ts'
import type { Attached } from '../core/request.ts'
import type { RunRecord } from '../core/store.ts'
import type { Cli, GlobalOptions } from './cli.ts'
import { withApp } from './open-app.ts'
import { sourcesOf, type SourceOptions } from './option-values.ts'
import { shortId } from './render/units.ts'

/**
 * Works on an earlier run with the databases and APIs that it was started with: those named now, else those kept with
 * it. Going on without them would end the run with a failure that cannot be taken back.
 * @throws TuttiError `ConfigurationError` when one of them had a password, which is not kept
 */
export async function withRun<T>(
  cli: Cli,
  globals: GlobalOptions,
  options: SourceOptions,
  find: (app: App) => Promise<RunRecord>,
  work: (app: App, run: RunRecord) => Promise<T>,
): Promise<T> {
  const sources = sourcesOf(options)
  const isNamed = sources.databases.length + sources.apis.length > 0
  const attached = isNamed ? [] : await withApp(cli, globals, {}, async (app) => attachedTo(app, await find(app)))
  const kept = {
    databases: attached.flatMap(({ kind, address: url, name }) =>
      kind === 'database' ? [{ url, ...named(name) }] : [],
    ),
    apis: attached.flatMap(({ kind, address: catalogue, name }) =>
      kind === 'api' ? [{ catalogue, ...named(name) }] : [],
    ),
  }
  return withApp(cli, globals, isNamed ? sources : { ...sources, ...kept }, async (app) => work(app, await find(app)))
}

async function attachedTo(app: App, { runId, status }: RunRecord): Promise<readonly Attached[]> {
  const { attached = [] } = (await app.engine.state(runId)).request
  const secret = attached.find((source) => source.withoutPassword === true)
  const isOver = status === 'finished' || status === 'failed' || status === 'cancelled'
  if (secret === undefined) return attached
  if (isOver) return attached.filter((source) => source.withoutPassword !== true)
  throw new TuttiError(
    'ConfigurationError',
    `Run ${shortId(runId)} asks ${secret.address}, whose password is not kept; name it again with --${secret.kind === 'api' ? 'api' : 'db'}.`,
  )
}

function named(name: string | undefined): { name?: string } {
  return name === undefined ? {} : { name }
}
