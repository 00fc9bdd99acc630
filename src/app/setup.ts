import { omitUndefined } from '../shared/json.ts'
import { resolve } from 'node:path'
import type { App } from './user-app.ts'
import type { Config } from './config/schema.ts'
import type { AppOptions, McpSetup } from './config/options.ts'
import { secretsIn } from '../domain/secrets.ts'
import { isOwnFile, sqliteFileOf } from './connections/connect-limits.ts'
import {
  connectionFile,
  withConnected,
  withConnectedModel,
  type Connectable,
  type Connected,
} from './connections/connection-file.ts'
import { configFileOf, loadConfig, readMcpFile } from './config/config-file.ts'
import {
  dataDirOf,
  apiSettingsFromEnv,
  approvalTimeoutFromEnv,
  classifierFromEnv,
  mailConfigFromEnv,
  proxyFromEnv,
  storageFromEnv,
  webSearchFromEnv,
  type Environment,
} from './config/environment.ts'
import { embeddingFromEnv, qdrantFromEnv } from './config/embedding.ts'
import { modelsConfigFromEnv } from './config/models.ts'
import { tracingFromEnv } from './config/tracing.ts'
import { readOnChange } from './config/read-on-change.ts'

/** Sources that were made to be tried. */
export interface DemoSources {
  readonly databases: readonly { readonly url: string; readonly name: string }[]
  readonly mail: { readonly url: string; readonly from: string }
}

/** Sources of the settings; defaults are those of this process. */
export interface SetupOptions {
  /** Environment variables. */
  readonly env?: Environment
  /** Base of relative paths, and the folder to look for the configuration file in. */
  readonly cwd?: string
  /** In place of `tutti.config.*` in that folder. */
  readonly configFile?: string
  /** Folder for Tutti's own data, in place of `TUTTI_DATA`. */
  readonly dataDir?: string
  /** Files with MCP servers, as other programs have them in JSON. */
  readonly mcpFiles?: readonly string[]
  /** Creates demo sources. Only called if no database, API, MCP server or mailbox is named. */
  readonly demo?: () => Promise<DemoSources | undefined>
  /** Store nothing, even if the environment configures storage. */
  readonly inMemory?: boolean
  /** The web app and the API are served: approvals wait for a day by default. */
  readonly isInstallation?: boolean
}

/** Options of `createApp` for an installation. */
export type Setup = AppOptions & { readonly config: Config; readonly cwd: string }

/**
 * Reads environment variables and the configuration file, as `tutti ask` does, and makes options for `createApp` of them.
 * @throws TuttiError `ConfigurationError` naming the variable, or the file and field, that is wrong
 */
export async function readSetup(options: SetupOptions = {}): Promise<Setup> {
  const { env = process.env, cwd = process.cwd(), configFile, dataDir, mcpFiles = [], demo, inMemory = false } = options
  const mcpFolder = dataDirOf(dataDir, { env, cwd })
  const named = mcpFiles.map((file) => resolve(cwd, file))
  const mail = mailConfigFromEnv(env)
  const storage = storageFromEnv({ env, cwd }, dataDir)
  const connected = await withoutOwnFiles(await connectionFile(mcpFolder, storage.secretKey).read(), cwd, mcpFolder)
  const read = async (): Promise<{ config: Config; mcp: McpSetup['mcp'] }> => {
    const found = withConnected(await loadConfig(cwd, configFile, env), connected)
    const isBare = mail === undefined && named.length === 0 && namesNothing(found)
    const demoSources = isBare ? await demo?.() : undefined
    const config = demoSources === undefined ? found : withDemo(found, demoSources)
    return { config, mcp: await Promise.all(named.map((file) => readMcpFile(file, env))) }
  }
  const mcpNow = readOnChange(async () => {
    const written = await configFileOf(cwd, configFile)
    return written === undefined ? named : [...named, written]
  }, read)
  const { config, mcp } = await read()
  const timeoutMs =
    approvalTimeoutFromEnv(env) ?? config.approvals.timeoutMs ?? (options.isInstallation === true ? DAY_MS : undefined)
  const actors = { ...classifierFromEnv(env), ...config.models.actors }
  return {
    config: {
      ...config,
      models: { ...config.models, actors },
      approvals: { ...config.approvals, ...omitUndefined({ timeoutMs }) },
    },
    cwd,
    models: withConnectedModel(modelsConfigFromEnv(env), connected),
    webSearch: webSearchFromEnv(env),
    apiSettings: apiSettingsFromEnv(env),
    secrets: [...new Set(secretsIn(env))],
    mcp,
    mcpNow,
    mcpFolder,
    ...(inMemory ? {} : { storage }),
    ...(config.http.proxyFromEnv ? { proxy: proxyFromEnv(env) } : {}),
    ...omitUndefined({
      // A file that was found is stored by its path, since in another folder it would not be found.
      configFile: await configFileOf(cwd, configFile),
      apiKey: env['TUTTI_API_KEY'] || undefined,
      mail,
      embedding: embeddingFromEnv(env),
      qdrant: qdrantFromEnv(env),
      tracing: tracingFromEnv(env),
    }),
  }
}

/** Files may be linked, and the data folder be moved, after a database was connected. */
async function withoutOwnFiles(connected: Connected, cwd: string, dataDir: string): Promise<Connected> {
  const databases: Connectable<'database'>[] = []
  for (const one of connected.databases) {
    const file = sqliteFileOf(one, cwd)
    if (file === undefined || !(await isOwnFile(file, dataDir))) databases.push(one)
  }
  return { ...connected, databases }
}

function namesNothing({ databases, apis, mcp, mcpServers, mail }: Config): boolean {
  const lists = [databases, apis, mcp, Object.keys(mcpServers)]
  return mail.url === undefined && lists.every(({ length }) => length === 0)
}

/** Default approval timeout where users can come back later: in the web app, over the API, and with the demo. */
const DAY_MS = 86_400_000

function withDemo(config: Config, { databases, mail }: DemoSources): Config {
  const approvals = { ...config.approvals, timeoutMs: config.approvals.timeoutMs ?? DAY_MS }
  return { ...config, approvals, databases: [...databases], mail: { ...config.mail, ...mail } }
}

/** Options of `openApp`: sources of the settings, and options that win over them. */
export type OpenAppOptions = SetupOptions & Omit<AppOptions, 'config' | 'storage'>

/**
 * Opens Tutti with the configuration of this machine.
 * @throws TuttiError `ConfigurationError` or `StorageError` with one clear sentence
 */
export async function openConfiguredApp(options: OpenAppOptions = {}): Promise<App> {
  const { env, cwd, configFile, dataDir, mcpFiles, demo, inMemory, apiKey, ...given } = options
  const [{ createApp }, setup] = await Promise.all([
    import('./create-app.ts'),
    readSetup(
      omitUndefined({ env, cwd, configFile, dataDir, mcpFiles, demo, inMemory, isInstallation: given.isInstallation }),
    ),
  ])
  const secrets = [...new Set([...(setup.secrets ?? []), ...(given.secrets ?? [])])]
  return createApp({ ...setup, ...omitUndefined(given), secrets, ...(apiKey ? { apiKey } : {}) })
}
