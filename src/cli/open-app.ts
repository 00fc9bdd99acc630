import type { App } from '../app/user-app.ts'
import type { TuttiError } from '../domain/errors.ts'
import type { OpenAppOptions } from '../app/setup.ts'
import type { Cli } from './cli.ts'
import { safeLine } from './render/text.ts'
import { typedOptions } from './printed-commands.ts'
import { omitUndefined } from '../shared/json.ts'

/** What commands choose; the rest follows from the command line. */
type OpenOptions = Omit<OpenAppOptions, 'env' | 'cwd' | 'clock' | 'dataDir' | 'howToSetUp' | 'onError'>

/** Opens the app for one command and closes it afterwards, also after errors. */
export async function withApp<T>(cli: Cli, options: OpenOptions, work: (app: App) => Promise<T>): Promise<T> {
  const app = await openCliApp(cli, options)
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

/** @throws TuttiError `ConfigurationError` if files and variables do not allow the app to open */
export async function assertSetUp(cli: Cli, options: OpenOptions): Promise<void> {
  const { readSetup } = await import('../app/setup.ts')
  const { mcpFiles } = options
  await readSetup({
    env: cli.env,
    cwd: cli.cwd,
    ...omitUndefined({ mcpFiles, dataDir: cli.globals.data, configFile: cli.globals.config }),
  })
}

/**
 * @param onError called with problems that do not stop the work; by default they are printed once as a warning
 * @throws TuttiError `ConfigurationError` or `StorageError` with one clear sentence
 */
export async function openCliApp(
  cli: Cli,
  options: OpenOptions = {},
  onError: (error: TuttiError) => void = warner(cli),
): Promise<App> {
  const { data, config: configFile } = cli.globals
  const { openConfiguredApp } = await import('../app/setup.ts')
  return openConfiguredApp({
    env: cli.env,
    cwd: cli.cwd,
    clock: cli.clock,
    howToSetUp: {
      ...(options.isInstallation === true ? IN_THE_WEB_APP : HOW_TO_SET_UP),
      ...omitUndefined({ commandOptions: typedOptions(cli) }),
    },
    ...options,
    ...omitUndefined({ dataDir: data, configFile }),
    onError,
  })
}

/** Hints for the command line, which agents do not know. */
const HOW_TO_SET_UP = {
  databases: 'Name one with --db, such as --db sqlite:shop.db, or in tutti.config.yaml.',
  apis: 'Name its OpenAPI file with --api, such as --api openapi.json, or in tutti.config.yaml.',
  documents: 'Add some with "tutti docs add", or name them with --docs.',
}

/** Hints for the users of a server, who may have no command line. */
const IN_THE_WEB_APP = {
  databases: 'An admin connects one on the page /setup.',
  apis: 'The operator configures its OpenAPI document when starting Tutti, see the guide.',
  documents: 'Add some on the page Documents.',
  mail: 'An admin connects one on the page /setup.',
  webSearch: 'The operator configures it, see the guide.',
}

function warner(cli: Cli): (error: TuttiError) => void {
  const warned = new Set<string>()
  return ({ message }) => {
    if (warned.has(message)) return
    warned.add(message)
    cli.err.line(cli.err.style.yellow(`Warning: ${safeLine(message)}`))
  }
}
