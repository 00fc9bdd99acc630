import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { apiAgent } from './agents/api/agent.ts'
import type { Api } from './agents/api/api.ts'
import { openApis } from './agents/api/open.ts'
import { computationAgent } from './agents/computation/agent.ts'
import { memoryRoles } from './agents/roles/memory-roles.ts'
import { plannerRole } from './agents/roles/planner.ts'
import { composerRole } from './agents/roles/composer.ts'
import { loadAgents, type LoadOptions } from './agents/registry/load.ts'
import { sqlAgent } from './agents/sql/agent.ts'
import { mcpSource } from './agents/sql/mcp-source.ts'
import type { SqlSource } from './agents/sql/source.ts'
import { attachedTo } from './attached.ts'
import { importDefault, loadConfig, type Config, type DatabaseConfig } from './config.ts'
import type { Agent } from './core/actor.ts'
import type { ConversationStore } from './core/conversation.ts'
import type { ExecutionStore } from './core/execution.ts'
import type { ProfileStore } from './core/memory.ts'
import type { ArtifactStore } from './core/artifacts.ts'
import { systemClock, type Clock } from './core/clock.ts'
import { TuttiError } from './core/errors.ts'
import type { RunId } from './core/events.ts'
import { LOCAL_OWNER, type Owner } from './core/owner.ts'
import { parseRequest, type RequestInput } from './core/request.ts'
import { responseOf, type RunResponse } from './core/response.ts'
import type { RunStore } from './core/store.ts'
import { dataDirOf } from './data-dir.ts'
import { openDatabase } from './databases/database.ts'
import { createGate } from './databases/gate/index.ts'
import { createSqlSources } from './databases/sources.ts'
import { Engine } from './engine/engine.ts'
import { MemoryArtifacts } from './engine/memory-artifacts.ts'
import type { OwnedRuns } from './engine/owned-runs.ts'
import type { ApprovalPolicy } from './engine/run-host.ts'
import { createHttpClient, type HttpClient } from './http/client.ts'
import { proxyFromEnv, type HttpPolicyOptions } from './http/policy.ts'
import { recall } from './memory/recall.ts'
import type { McpSpec } from './mcp/client.ts'
import { normalizeActor, parseModelRef, type ModelsConfig } from './models/config.ts'
import { createModels, type Models } from './models/registry.ts'
import { modelsConfigFromEnv, type Environment } from './models/environment.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox/sandbox.ts'
import { FileArtifacts } from './storage/file-artifacts.ts'
import { openStorage } from './storage/index.ts'
import { pipeline } from './strategies/pipeline.ts'
import { remembering } from './strategies/remembering.ts'

export interface AppOptions {
  /** Environment variables; none are read from anywhere else. */
  readonly env: Environment
  /** Where configuration files and relative paths are looked up. */
  readonly cwd: string
  readonly configFile?: string
  /** Folder for Tutti's own data; see `dataDirOf`. Not used with `DATABASE_URL`. */
  readonly dataDir?: string
  /** Keep nothing on disk. */
  readonly inMemory?: boolean
  /** Databases to ask, in addition to the configured ones; kept with the runs that are started here. */
  readonly databases?: readonly { readonly url: string; readonly name?: string }[]
  /** APIs to ask, likewise: files or URLs of their catalogues. The host of such a URL may be internal. */
  readonly apis?: readonly { readonly catalogue: string; readonly name?: string }[]
  /** Key or token for the sign-ins of those APIs, else that of `TUTTI_API_KEY`; not kept. */
  readonly apiKey?: string
  /** Internal hosts that agents may reach, in addition to the configured ones; kept likewise. */
  readonly allowHosts?: readonly string[]
  /** Take runs from the queue that several workers share, and put new ones there (PostgreSQL). */
  readonly queue?: boolean
  /** Whose runs these are; `local`, the one user of the machine, when absent. */
  readonly owner?: Owner
  /** Told of trouble that no caller waits for. */
  readonly onTrouble: (error: TuttiError) => void
  readonly clock?: Clock
}

/** All parts of Tutti, put together. */
export interface App {
  readonly config: Config
  /** Works for everyone; for what one user sees and does there is `runs`. */
  readonly engine: Engine
  readonly runs: OwnedRuns
  readonly store: RunStore
  /** What is remembered of users. */
  readonly profiles: ProfileStore
  readonly conversations: ConversationStore
  /** Every job of every run, for an audit. */
  readonly executions: ExecutionStore
  readonly models: Models
  readonly agents: readonly Agent[]
  /** The file of each agent that was found in a folder, by its name. */
  readonly agentFiles: ReadonlyMap<string, string>
  /** What the SQL agent can ask. */
  readonly databases: readonly SqlSource[]
  /** What the API agent can ask. */
  readonly apis: readonly Api[]
  readonly sandbox: Sandbox
  readonly artifacts: ArtifactStore
  /** Where runs are kept, in words. */
  readonly storage: string
  /** Checks a request and starts it. @throws TuttiError `InvalidRequest`, `UnknownAgent` */
  start(request: RequestInput): Promise<RunId>
  /** What a run has come to so far. */
  response(runId: RunId): Promise<RunResponse>
  close(): Promise<void>
}

/**
 * Puts the parts together: the one place where concrete storage, models, databases and agents are made. Nothing is
 * connected or loaded before it is needed, except the storage.
 * @throws TuttiError `ConfigurationError` or `StorageError` with one clear sentence
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { env, cwd, clock = systemClock, onTrouble } = options
  const config = await loadConfig(cwd, options.configFile)
  const databases = openDatabases(config, options, clock)
  const http = createHttpClient(httpPolicy(config, options), { clock })
  const apis = await openAllApis(config, options, http)
  const sandbox = createSandbox(sandboxOptions(config, options), { clock })
  const named = namedOnce([
    apiAgent({ apis, http, env, clock }),
    sqlAgent(databases.sources),
    computationAgent(sandbox),
    ...config.agents,
  ])
  const loaded = await loadAgents({ ...loadOptions(config, options), agents: named })
  const agents = [...named, ...loaded.agents]
  const models = createModels(modelsConfig(env, config, loaded.models), { clock })
  const artifacts = openArtifacts(options)
  const storage = await openStorage({ clock, onError: onTrouble, ...storagePlace(options) })
  const engine = new Engine({
    store: storage.store,
    models,
    strategies: [pipeline].map(remembering),
    roles: [plannerRole(agents), composerRole, ...memoryRoles(storage)],
    agents,
    clock,
    approvals: approvalPolicy(config),
    artifacts,
    ...(options.queue === true ? { wakeups: storage.wakeups } : {}),
  })
  const runs = engine.as(options.owner ?? LOCAL_OWNER)
  const { profiles, conversations } = storage
  const memory = { profiles, conversations, newId: randomUUID, now: () => clock.now() }
  const knownAgents = new Set(agents.map((agent) => agent.name))
  return {
    config,
    engine,
    runs,
    store: storage.store,
    profiles,
    conversations,
    executions: storage.executions,
    models,
    agents,
    agentFiles: loaded.files,
    databases: databases.sources,
    apis,
    sandbox,
    artifacts,
    storage: storageInWords(options),
    async start(request) {
      const locale = request.locale ?? config.locale
      const attached = attachedTo({ ...options, hasKey: keyOf(options) !== undefined })
      const completed = { attached, ...request, ...(locale === undefined ? {} : { locale }) }
      const recalled = await recall(memory, runs.owner, parseRequest(completed, knownAgents))
      return runs.start(recalled.request, recalled)
    },
    response: async (runId) => responseOf(await runs.events(runId)),
    async close() {
      await engine.close()
      await Promise.allSettled([loaded.close(), databases.close(), http.close(), sandbox.close()])
      await storage.close()
    },
  }
}

/** What the agents of folders may use, and how their mistakes are found. */
function loadOptions(config: Config, { cwd, env, onTrouble }: AppOptions): Omit<LoadOptions, 'agents'> {
  const { providers } = modelsConfigFromEnv(env)
  return {
    cwd,
    folders: config.agentFolders ?? [],
    reserved: ['planner', 'composer', 'memory-extractor', 'summarizer', 'recorder', 'default'],
    mcp: config.mcp.map(mcpSpec),
    importDefault,
    // Where no model is set up at all, agents go by their rules, whatever model they would have liked.
    checkModel: (text) => void (providers.length > 0 && parseModelRef(text, providers, 'The model')),
    onTrouble,
  }
}

/** The environment says which providers there are; the file may name models and prices, agents their own models. */
function modelsConfig(env: Environment, { models }: Config, ofAgents: Readonly<Record<string, string>>): ModelsConfig {
  const fromEnv = modelsConfigFromEnv(env)
  const asDeclared = fromEnv.providers.length === 0 ? {} : ofAgents
  return {
    ...fromEnv,
    ...(fromEnv.default !== undefined || models.default === undefined ? {} : { default: models.default }),
    actors: { ...normalised(asDeclared), ...normalised(models.actors), ...fromEnv.actors },
    prices: models.prices,
    timeouts: defined(models.timeouts),
  }
}

/** Names as variables spell them, so that a later entry for the same actor replaces an earlier one. */
function normalised(actors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(actors).map(([actor, text]) => [normalizeActor(actor), text]))
}

/** Without the keys whose value is absent. */
function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as never
}

interface OpenDatabases {
  readonly sources: readonly SqlSource[]
  close(): Promise<void>
}

function openDatabases(config: Config, { databases: named = [] }: AppOptions, clock: Clock): OpenDatabases {
  const opened = [...config.databases, ...named].map((entry: DatabaseConfig) => {
    const { url, name, role, schema } = entry
    const database = openDatabase(url, {
      ...(name === undefined ? {} : { name }),
      ...(role === undefined ? {} : { role }),
      ...(schema === undefined ? {} : { schemas: [schema] }),
    })
    return { database, tables: entry.tables }
  })
  const databaseServers = config.mcp.filter(({ offers }) => offers !== 'tools')
  const gate = createGate()
  const allowedTables = Object.fromEntries(
    opened.flatMap(({ database, tables }) => (tables === undefined ? [] : [[database.name, tables]])),
  )
  const sqlSources = createSqlSources({
    databases: opened.map(({ database }) => database),
    gate,
    mcp: databaseServers.map(mcpSpec),
    allowedTables,
    clock,
  })
  const ours = opened.map(({ database, tables }) =>
    mcpSource(sqlSources, gate, {
      name: database.name,
      trusted: true,
      ...(tables === undefined ? {} : { allowedTables: tables }),
    }),
  )
  const foreign = databaseServers.map(({ name }) => mcpSource(sqlSources, gate, { name, trusted: false }))
  return {
    sources: [...ours, ...foreign],
    async close() {
      await sqlSources.close()
      await Promise.allSettled(opened.map(({ database }) => database.close()))
      await gate.close()
    },
  }
}

/** The host of an address that the operator wrote down is one that the operator wants to be reached. */
function httpPolicy({ apis, http }: Config, { apis: named = [], allowHosts = [], env }: AppOptions): HttpPolicyOptions {
  const addresses = [...named, ...apis].flatMap(({ catalogue }) => catalogue)
  const baseUrls = apis.flatMap(({ baseUrl }) => baseUrl ?? [])
  const hosts = [...addresses, ...baseUrls].flatMap((text) => (/^https?:/i.test(text) ? new URL(text).host : []))
  return {
    allowHosts: [...http.allowHosts, ...allowHosts, ...hosts],
    ...(http.proxyFromEnv ? { proxy: proxyFromEnv(env) } : {}),
  }
}

/** A named API that cannot be read is an error; a configured one is left out with a word, since most work needs none. */
function openAllApis({ apis }: Config, options: AppOptions, http: HttpClient): Promise<Api[]> {
  const { apis: named = [], cwd, env, onTrouble: onUnreadable } = options
  const key = keyOf(options)
  const configs = [...apis.map((api) => ({ ...api, onUnreadable })), ...named.map((api) => ({ ...api, key }))]
  return openApis(configs, { http, cwd, env })
}

function keyOf({ apiKey, env }: AppOptions): string | undefined {
  return apiKey || env['TUTTI_API_KEY'] || undefined
}

/** What is too large for the log is kept beside it, where there is a folder. */
function openArtifacts(options: AppOptions): ArtifactStore {
  const { dataDir } = storagePlace(options)
  return dataDir === undefined ? new MemoryArtifacts() : new FileArtifacts(join(dataDir, 'artifacts'))
}

function sandboxOptions({ sandbox }: Config, options: AppOptions): SandboxOptions {
  const { dataDir } = storagePlace(options)
  const cacheDir = dataDir === undefined ? {} : { cacheDir: join(dataDir, 'cache') }
  return { ...cacheDir, ...defined(sandbox) }
}

function mcpSpec(server: Config['mcp'][number]): McpSpec {
  return 'url' in server ? { transport: 'http', ...server } : { transport: 'stdio', ...server }
}

function namedOnce(agents: readonly Agent[]): readonly Agent[] {
  const twice = agents.find((agent, i) => agents.findIndex((other) => other.name === agent.name) !== i)
  if (twice === undefined) return agents
  throw new TuttiError(
    'ConfigurationError',
    `Two agents are named "${twice.name}"; rename the one in the configuration.`,
  )
}

function approvalPolicy({ approvals }: Config): Partial<ApprovalPolicy> {
  return {
    allowsWithoutApproval: (tool) => approvals.allow.includes(tool),
    ...(approvals.timeoutMs === undefined ? {} : { timeoutMs: approvals.timeoutMs }),
  }
}

function storagePlace({ inMemory, env, dataDir }: AppOptions): { databaseUrl?: string; dataDir?: string } {
  if (inMemory === true) return {}
  const databaseUrl = env['DATABASE_URL']?.trim()
  return databaseUrl ? { databaseUrl } : { dataDir: dataDirOf(dataDir, env) }
}

function storageInWords(options: AppOptions): string {
  const { databaseUrl, dataDir } = storagePlace(options)
  if (databaseUrl !== undefined) return `PostgreSQL at ${new URL(databaseUrl).host}`
  return dataDir === undefined ? 'memory, gone with the process' : `SQLite in ${dataDir}`
}
