import { isAbsolute } from 'node:path'
import type { App } from '../app/user-app.ts'
import { absolutePath } from '../app/stored-sources.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Attached } from '../domain/request.ts'
import { omitUndefined } from '../shared/json.ts'
import { isFinal, type RunRecord } from '../domain/store.ts'
import type { Cli } from './cli.ts'
import { withApp } from './open-app.ts'
import { sourceOptions, type SourceOptions } from './option-values.ts'
import { shortId } from './render/units.ts'

export interface RunWork<T> {
  readonly find: (app: App) => Promise<RunRecord>
  /** Whether the run needs the sources it was started with. */
  readonly needsSources: (run: RunRecord) => boolean
  readonly work: (app: App, run: RunRecord) => Promise<T>
}

/**
 * Works on an earlier run with the databases, APIs and hosts that it was started with. Options given now replace the
 * stored ones of the same kind. Continuing without sources would fail the run for good.
 * @throws TuttiError `ConfigurationError` if it needs a password or a key, which are not stored
 */
export async function withRun<T>(
  cli: Cli,
  options: SourceOptions,
  { find, needsSources, work }: RunWork<T>,
): Promise<T> {
  const kept = await withApp(cli, {}, async (app) => {
    const run = await find(app)
    if (!needsSources(run)) return []
    const { attached = [] } = (await app.runs.state(run.runId)).request
    assertSecrets(run, attached, options, cli.env['TUTTI_API_KEY'])
    return attached
  })
  const isOther = cli.globals.isConfigTyped === true
  const folder = isOther ? undefined : kept.find(({ kind }) => kind === 'config')?.folder
  // Paths given now are relative to the working directory; paths of the stored configuration to the folder where the
  // run was started.
  const now = folder === undefined ? sourceOptions(options) : absoluteSources(cli.cwd, sourceOptions(options))
  return withApp({ ...cli, cwd: folder ?? cli.cwd }, withStoredSources(now, kept), async (app) =>
    work(app, await find(app)),
  )
}

function absoluteSources(cwd: string, now: ReturnType<typeof sourceOptions>): ReturnType<typeof sourceOptions> {
  return {
    ...now,
    databases: now.databases.map((one) => ({ ...one, url: absolutePath(one.url, cwd) })),
    apis: now.apis.map((one) => ({ ...one, catalogue: absolutePath(one.catalogue, cwd) })),
    documents: now.documents.map((path) => absolutePath(path, cwd)),
    mcpFiles: now.mcpFiles.map((file) => absolutePath(file, cwd)),
  }
}

export function isFinalRecord({ status }: RunRecord): boolean {
  return isFinal(status)
}

/** For each kind, the options given now, else the stored ones. */
function withStoredSources(now: ReturnType<typeof sourceOptions>, kept: readonly Attached[]) {
  const of = (kind: Attached['kind']): readonly Attached[] => kept.filter((source) => source.kind === kind)
  const { databases, apis, allowHosts, documents, mcpFiles } = now
  return {
    ...now,
    databases:
      databases.length > 0
        ? databases
        : of('database').map(({ address: url, name }) => ({ url, ...optionalName(name) })),
    apis:
      apis.length > 0 ? apis : of('api').map(({ address: catalogue, name }) => ({ catalogue, ...optionalName(name) })),
    allowHosts: allowHosts.length > 0 ? allowHosts : of('host').map(({ address }) => address),
    documents:
      documents.length > 0
        ? documents
        : of('documents').flatMap(({ address }) => (isAbsolute(address) ? [address] : [])),
    ...omitUndefined({ configFile: of('config')[0]?.address }),
    mcpFiles: mcpFiles.length > 0 ? mcpFiles : of('mcp').map(({ address }) => address),
  }
}

function assertSecrets(
  { runId }: RunRecord,
  attached: readonly Attached[],
  { db = [], api = [], apiKey }: SourceOptions,
  keyOfEnvironment: string | undefined,
): void {
  const isNamed = {
    database: db.length > 0,
    api: api.length > 0,
    host: false,
    documents: false,
    mcp: false,
    config: false,
  }
  const cut = attached.find(({ kind, withoutPassword }) => withoutPassword === true && !isNamed[kind])
  if (cut !== undefined) {
    throw new TuttiError(
      'ConfigurationError',
      `Run ${shortId(runId)} asks ${cut.address}, whose password is not stored; pass it again with --${cut.kind === 'api' ? 'api' : 'db'}.`,
    )
  }
  const locked = attached.find(({ withoutKey }) => withoutKey === true)
  if (locked !== undefined && !apiKey && !keyOfEnvironment) {
    throw new TuttiError(
      'ConfigurationError',
      `Run ${shortId(runId)} asks ${locked.address} with a key, which is not stored; pass it again in TUTTI_API_KEY or with --api-key.`,
    )
  }
}

function optionalName(name: string | undefined): { name?: string } {
  return name === undefined ? {} : { name }
}
