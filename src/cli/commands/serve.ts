import type { App } from '../../app/user-app.ts'
import type { DeletionCounts } from '../../app/retention.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { isLoopbackHost } from '../../domain/server-url.ts'
import type { RunRecord } from '../../domain/store.ts'
import { Option } from 'commander'
import type { SetupDesk } from '../../server/setup/setup.ts'
import type { ConnectionFile } from '../../app/connections/connection-file.ts'
import { mailConfigFromEnv, storageFromEnv } from '../../app/config/environment.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { assertSetUp, withApp } from '../open-app.ts'
import { parsePort, sourceOptions, type SourceOptions } from '../option-values.ts'
import { safeLine } from '../render/text.ts'
import { shortId } from '../render/units.ts'
import { addDemoDocuments, DEMO_SUGGESTIONS, startDemo, type ServedDemo } from './served-demo.ts'
import { option, DATABASE_OPTION, API_OPTION, MCP_OPTION, ALLOW_HOST_OPTION } from '../shared-options.ts'
import { packageVersion } from '../package-version.ts'

/**
 * Milliseconds until the process exits after a signal to end. Shorter than the grace periods of systemd and Kubernetes,
 * see deploy/.
 */
const SHUTDOWN_TIMEOUT_MS = 20_000

export function addServe({ root, cli, command }: Program): void {
  command(
    root,
    'serve',
    'start the web app and the HTTP API',
    option('--port <number>', 'port to listen on; 0 picks a free one', parsePort).default(8080),
    option('--host <address>', 'address to listen on').default('127.0.0.1'),
    new Option('--role <role>', 'with DATABASE_URL: only the API, or only the work on runs')
      .choices(['all', 'api', 'worker'])
      .default('all'),
    DATABASE_OPTION,
    API_OPTION,
    MCP_OPTION,
    ALLOW_HOST_OPTION,
  ).run((options: ServeOptions) => serve(cli, options))
}

interface ServeOptions extends Pick<SourceOptions, 'db' | 'api' | 'mcp' | 'allowHost'> {
  readonly host: string
  readonly port: number
  readonly role: 'all' | 'api' | 'worker'
}

/** `tutti serve`: continues unfinished runs, shares the queue if there is one, and reports its health. */
async function serve(cli: Cli, options: ServeOptions): Promise<void> {
  const isShared = (cli.env['DATABASE_URL']?.trim() ?? '') !== ''
  if (options.role !== 'all' && !isShared) throw roleError(options.role)
  const { connectionFile } = await import('../../app/connections/connection-file.ts')
  const { folder, secretKey } = storageFromEnv(cli, cli.globals.data)
  const lasting: Lasting = { isShared, port: options.port, dataDir: folder!, file: connectionFile(folder!, secretKey) }
  // Restarts each time an admin connects or removes a source on the page /setup.
  while (await serveOnce(cli, options, lasting).catch((thrown: unknown) => undoLastChange(cli, lasting, thrown)));
}

/** State that survives a restart. */
interface Lasting {
  readonly isShared: boolean
  readonly dataDir: string
  readonly file: ConnectionFile
  /** The chosen free port is reused. */
  port: number
  demo?: ServedDemo
  stopped?: ReturnType<Cli['untilStopped']>
  /** True during a restart, until everything is open. */
  isReopening?: boolean
}

/** Reverts the last change of the page /setup, and earlier ones, until the server can be opened. */
async function undoLastChange(cli: Cli, lasting: Lasting, thrown: unknown): Promise<boolean> {
  if (lasting.isReopening !== true) throw thrown
  const what = await lasting.file.undoLastChange()
  if (what === undefined) throw thrown
  const message = safeLine(toTuttiError(thrown).message)
  cli.err.line(`Warning: the last change on the page /setup was undone (${safeLine(what)}). ${message}`)
  return true
}

/** @returns whether to restart */
async function serveOnce(cli: Cli, { host, role, ...sources }: ServeOptions, lasting: Lasting): Promise<boolean> {
  const { isShared, file, stopped: isAgain } = lasting
  let isDemo = false
  const named = sourceOptions(sources)
  // Create the demo only once, also after restarts.
  const demo = async () => {
    if (role !== 'all' || named.databases.length + named.apis.length > 0) return undefined
    lasting.demo ??= await startDemo(cli)
    isDemo = lasting.demo.sources !== undefined
    return lasting.demo.sources
  }
  const options = { ...named, queue: isShared, isInstallation: true, demo }
  return withApp(cli, options, async (app) => {
    const { accounts } = app.people
    const hasAccounts = await accounts.hasAny()
    if (role !== 'worker' && !hasAccounts) assertLoopback(host)
    const { startServer } = await import('../../server/server.ts')
    const { authenticateBy } = await import('../../server/session/authenticate.ts')
    const { resources, workerResources } = await import('../../server/resources.ts')
    const { hasWebApp, pageFor, web } = await import('../../server/web/web.ts')
    const model = app.models.describe().default
    const closing: { close(): Promise<void> }[] = []
    try {
      const status = { version: packageVersion(), ...omitUndefined({ model }) }
      const { version } = status
      const isWeb = role !== 'worker' && hasWebApp()
      let restart = (): void => undefined
      const changed = new Promise<'changed'>((resolve) => (restart = () => resolve('changed')))
      const desk: SetupDesk = {
        file,
        cwd: cli.cwd,
        dataDir: lasting.dataDir,
        allowHosts: [...app.config.http.allowHosts, ...named.allowHosts],
        isAlone: isLoopbackHost(host),
        isDemo,
        hasMailInEnvironment: mailConfigFromEnv(cli.env) !== undefined,
        readConfiguration: () => assertSetUp(cli, named),
        restart,
      }
      // Listen for signals before the server is reachable.
      lasting.stopped ??= cli.untilStopped()
      const server = await startServer({
        app,
        host,
        port: lasting.port,
        version,
        authenticate: authenticateBy(app.people),
        trustProxy: app.config.server.trustProxy,
        ...(isWeb ? { rewrite: pageFor } : {}),
        resources:
          role === 'worker'
            ? workerResources(status)
            : [...resources(status, isDemo ? DEMO_SUGGESTIONS : [], desk), ...(isWeb ? [web()] : [])],
        clock: cli.clock,
        onError: ({ message }) => cli.err.line(`Warning: ${safeLine(message)}`),
      })
      closing.push(server)
      lasting.port ||= Number(new URL(server.url).port)
      lasting.isReopening = false
      lasting.file.confirmChanges()
      if (isAgain !== undefined) cli.err.line('Restarted with the new connections.')
      else if (role === 'worker') cli.out.line(`Tutti ${version} works on runs. Its health is at ${server.url}/ready`)
      else printAddress(cli, server.url, version, hasAccounts)
      if (isAgain === undefined) {
        printState(cli, app)
        if (role !== 'worker') printCommands(cli, lasting.demo?.commands ?? [`tutti ask "…"`])
      }
      let isOver = false
      if (role !== 'api') void warnUnreachable(cli, app, () => isOver)
      app.descriptions.work()
      // In the background: other sources can be used meanwhile.
      if (isDemo) void addDemoDocuments(cli, app)
      if (role !== 'api') {
        await resumeRuns(cli, app)
        app.schedules.work()
        app.evaluations.work()
        const endSweeping = app.retention.watch((swept) => printDeleted(cli, swept))
        closing.push({ close: endSweeping })
      }
      lasting.isReopening = (await Promise.race([lasting.stopped, changed])) === 'changed'
      isOver = true
      if (!lasting.isReopening) exitAfterTimeout(cli)
      return lasting.isReopening
    } finally {
      for (const part of closing.toReversed()) await part.close()
    }
  })
}

/** Work that does not end in time is left as after a crash, which loses no data. */
function exitAfterTimeout(cli: Cli): void {
  cli.err.line('Stopping. Unfinished runs continue at the next start.')
  cli.clock.timer(SHUTDOWN_TIMEOUT_MS, () => {
    cli.err.line('Warning: some work did not end in time and was abandoned.')
    cli.kill(EXIT.ok)
  })
}

/**
 * @throws TuttiError `ConfigurationError` if the address is reachable from other machines while requests need no
 * sign-in
 */
function assertLoopback(host: string): void {
  if (isLoopbackHost(host)) return
  throw new TuttiError(
    'ConfigurationError',
    `Others could reach ${host}, and no accounts exist yet, so every visitor would be signed in. Serve it at 127.0.0.1, or create an account first: tutti people add NAME`,
  )
}

function roleError(role: string): TuttiError {
  return new TuttiError(
    'ConfigurationError',
    `--role ${role} requires PostgreSQL, which connects the processes. Set DATABASE_URL to a PostgreSQL database, or omit --role: tutti serve`,
  )
}

function printAddress(cli: Cli, url: string, version: string, hasAccounts: boolean): void {
  cli.out.line(`Tutti ${version} is at ${url}: open it in a browser. Its API is described at ${url}/openapi.json`)
  cli.out.line(
    hasAccounts
      ? 'People sign in with their accounts, programs with keys.'
      : 'No accounts exist yet. Requests from this machine are signed in as the local user, who sees the runs of the command line.',
  )
}

function printState(cli: Cli, app: App): void {
  cli.out.line(`Runs are kept in ${app.storage}.`)
  cli.out.line(`Model: ${app.models.describe().default ?? 'none configured; answers are made by rules.'}`)
}

/**
 * Prints a warning for databases and MCP servers that do not answer; otherwise users would notice only when they ask.
 * @param isOver whether they have been closed
 */
async function warnUnreachable(cli: Cli, app: App, isOver: () => boolean): Promise<void> {
  const { checkDatabase, checkServer } = await import('../../app/check-source.ts')
  const looking = [
    ...app.databases.map(async (one) => ({ kind: 'database', ...(await checkDatabase(one)) })),
    ...app.mcp.map(async (one) => ({ kind: 'MCP server', ...(await checkServer(one)) })),
  ]
  for (const look of looking) {
    const { kind, name, ok, message } = await look
    if (!ok && !isOver()) cli.err.line(`Warning: the ${kind} ${safeLine(name)} cannot be asked: ${safeLine(message)}`)
  }
}

function printCommands(cli: Cli, commands: readonly string[]): void {
  // `npm start` serves a clone, where `tutti` is not on the path.
  const start = cli.env['npm_lifecycle_event'] === 'start' ? 'npx ' : ''
  cli.out.line('On the command line you can ask, too:')
  for (const command of commands) cli.out.line(`  ${start}${command}`)
}

function printDeleted(cli: Cli, { runs, conversations, uploads, waiting }: DeletionCounts): void {
  if (runs + conversations + uploads === 0) return
  const stay = waiting === 0 ? '' : ` ${waiting} more runs that are old enough wait or are under way, and stay.`
  cli.err.line(`Deleted for their age: ${runs} runs, ${conversations} conversations, ${uploads} uploads.${stay}`)
}

/**
 * Resumes unfinished runs. Runs that were started with their own databases, APIs or configuration on the command line
 * are skipped: without these they could only fail.
 */
async function resumeRuns(cli: Cli, app: App): Promise<void> {
  const left: string[] = []
  const { configFileOf } = await import('../../app/config/config-file.ts')
  const configFile = await configFileOf(cli.cwd, cli.globals.config)
  const mayTake = async ({ runId }: RunRecord): Promise<boolean> => {
    const { ownSources, configFile: own = configFile } = (await app.engine.state(runId)).request
    const mayTake = ownSources === undefined && own === configFile
    if (!mayTake) left.push(runId)
    return mayTake
  }
  const resumed = await app.engine.recover(mayTake)
  if (resumed.length > 0)
    cli.err.line(`Continued ${resumed.length} unfinished ${resumed.length === 1 ? 'run' : 'runs'}.`)
  for (const runId of left) {
    const id = shortId(runId)
    cli.err.line(
      `Did not continue run ${id}, since it has databases, APIs or a configuration of its own. Continue it with: tutti runs resume ${id}`,
    )
  }
  await app.engine.work(mayTake)
}
