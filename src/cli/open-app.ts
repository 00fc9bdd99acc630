import type { App, AppOptions } from '../app.ts'
import type { Cli, GlobalOptions } from './cli.ts'
import { safeLine } from './render/text.ts'

export type OpenOptions = Pick<
  AppOptions,
  'inMemory' | 'queue' | 'databases' | 'apis' | 'apiKey' | 'allowHosts' | 'documents' | 'onDocument'
>

/** Puts Tutti together for one command and takes it apart again, whatever came of the work. */
export async function withApp<T>(
  cli: Cli,
  globals: GlobalOptions,
  options: OpenOptions,
  work: (app: App) => Promise<T>,
): Promise<T> {
  const app = await openApp(cli, globals, options)
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

/**
 * @param onTrouble told of trouble that does not stop the work; absent: it is printed as a warning, once
 * @throws TuttiError `ConfigurationError` or `StorageError` with one clear sentence
 */
export async function openApp(
  cli: Cli,
  { data, config }: GlobalOptions,
  options: OpenOptions = {},
  onTrouble: AppOptions['onTrouble'] = warner(cli),
): Promise<App> {
  const { createApp } = await import('../app.ts')
  return createApp({
    env: cli.env,
    cwd: cli.cwd,
    clock: cli.clock,
    ...options,
    ...(data === undefined ? {} : { dataDir: data }),
    ...(config === undefined ? {} : { configFile: config }),
    onTrouble,
  })
}

function warner(cli: Cli): AppOptions['onTrouble'] {
  const warned = new Set<string>()
  return ({ message }) => {
    if (warned.has(message)) return
    warned.add(message)
    cli.err.line(cli.err.style.yellow(`Warning: ${safeLine(message)}`))
  }
}
