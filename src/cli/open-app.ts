import type { App, AppOptions } from '../app.ts'
import type { Cli, GlobalOptions } from './cli.ts'
import { safeLine } from './render/text.ts'

export type OpenOptions = Pick<AppOptions, 'inMemory' | 'queue' | 'databases' | 'apis' | 'apiKey' | 'allowHosts'>

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

/** @throws TuttiError `ConfigurationError` or `StorageError` with one clear sentence */
export async function openApp(cli: Cli, { data, config }: GlobalOptions, options: OpenOptions = {}): Promise<App> {
  const { createApp } = await import('../app.ts')
  const warned = new Set<string>()
  return createApp({
    env: cli.env,
    cwd: cli.cwd,
    clock: cli.clock,
    ...options,
    ...(data === undefined ? {} : { dataDir: data }),
    ...(config === undefined ? {} : { configFile: config }),
    onTrouble(error) {
      if (warned.has(error.message)) return
      warned.add(error.message)
      cli.err.line(cli.err.style.yellow(`Warning: ${safeLine(error.message)}`))
    },
  })
}
