import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { apiAgent } from './agents/api/agent.ts'
import type { Api } from './agents/api/api.ts'
import { codeAgent } from './agents/code/agent.ts'
import { computationAgent } from './agents/computation/agent.ts'
import { mailAgent } from './agents/mail/agent.ts'
import { ragAgent } from './agents/rag/agent.ts'
import { loadAgents, type LoadOptions } from './agents/registry/load.ts'
import { composerRole } from './agents/roles/composer.ts'
import { masterPlannerRole } from './agents/roles/graph/master-planner.ts'
import { memoryRoles } from './agents/roles/memory-roles.ts'
import { plannerRole } from './agents/roles/pipeline/planner.ts'
import { sqlAgent } from './agents/sql/agent.ts'
import type { SqlSource } from './agents/sql/source.ts'
import { webAgent } from './agents/web/agent.ts'
import { openDatabases } from './app/databases.ts'
import { openKnowledge, takeIn, type OpenKnowledge } from './app/knowledge.ts'
import { assertActors, modelsConfig, modelsOf } from './app/models.ts'
import { httpPolicy, keyOf, listedHosts, openAllApis, publicPolicy } from './app/network.ts'
import { maskedConversations, maskedExecutions, secretsOf } from './app/secrets.ts'
import { defined, mcpToolServer, storageInWords, storagePlace, type AppOptions } from './app/options.ts'
import { attachedTo } from './attached.ts'
import { importDefault, loadConfig, type Config } from './config.ts'
import { defineAgent, type Agent } from './core/actor.ts'
import type { ArtifactStore } from './core/artifacts.ts'
import { systemClock } from './core/clock.ts'
import type { ConversationStore } from './core/conversation.ts'
import { TuttiError } from './core/errors.ts'
import type { RunId } from './core/events.ts'
import type { ExecutionStore } from './core/execution.ts'
import type { ProfileStore } from './core/memory.ts'
import type { ModelPort } from './core/model.ts'
import { LOCAL_OWNER } from './core/owner.ts'
import { parseRequest, type RequestInput } from './core/request.ts'
import { responseOf, type RunResponse } from './core/response.ts'
import type { RunStore } from './core/store.ts'
import type { RegisteredStrategy } from './core/strategy.ts'
import { CLASSIFIER } from './engine/approvals/instructions.ts'
import { Engine } from './engine/engine.ts'
import type { EngineOptions } from './engine/options.ts'
import { MemoryArtifacts } from './engine/memory-artifacts.ts'
import type { OwnedRuns } from './engine/owned-runs.ts'
import { planQuestion, type PlannedQuestion } from './engine/run/plan-question.ts'
import type { ApprovalPolicy } from './engine/run/live-run.ts'
import { createHttpClient, type HttpClient } from './http/client.ts'
import { httpTools } from './http/tools.ts'
import { internalHosts } from './http/internal.ts'
import { mailConfigFromEnv, openMailAccount, type MailConfig } from './mail/open.ts'
import type { MailAccount } from './mail/types.ts'
import { recall } from './memory/recall.ts'
import { parseModelRef } from './models/config.ts'
import { modelsConfigFromEnv } from './models/environment.ts'
import { createModels, type Models } from './models/registry.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox/sandbox.ts'
import { dataDirOf, keepPrivate } from './data-dir.ts'
import { FileArtifacts } from './storage/file-artifacts.ts'
import { createMemoryStorage, openStorage } from './storage/index.ts'
import { KEY_FILE, lastingKey } from './storage/secret-key.ts'
import { graph } from './strategies/graph/graph.ts'
import { pipeline } from './strategies/pipeline/pipeline.ts'
import { planOnly } from './strategies/plan-only.ts'
import { MEMORY_ACTORS, remembering } from './strategies/remembering.ts'
import { webSearchConfig } from './web-search/config.ts'
import { openWebSearch } from './web-search/open.ts'

export type { AppOptions } from './app/options.ts'
export { backUp, restore } from './storage/backup.ts'
export { KEY_FILE } from './storage/secret-key.ts'

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
  readonly knowledge: Omit<OpenKnowledge, 'close'>
  /** The mailbox of the mail agent. */
  readonly mail?: MailAccount
  readonly artifacts: ArtifactStore
  /** Where runs are kept, in words. */
  readonly storage: string
  /** Checks a request and starts it. @throws TuttiError `InvalidRequest`, `UnknownAgent` */
  start(request: RequestInput): Promise<RunId>
  /** How a question would be worked on; nothing of it is done or kept. @throws TuttiError of the planner */
  plan(request: RequestInput): Promise<PlannedQuestion>
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
  const { env, cwd, clock = systemClock, onTrouble, owner = LOCAL_OWNER } = options
  const config = await loadConfig(cwd, options.configFile, env)
  const web = webSearchConfig(env)
  const http = createHttpClient(httpPolicy(config, options, web), { clock })
  const publicHttp = createHttpClient(publicPolicy(config, env), { clock })
  const isInternal = internalHosts(listedHosts(config, options))
  const search = openWebSearch(web, { http })
  const databases = openDatabases(config, options, clock)
  const apis = await openAllApis(config, options, http)
  const sandbox = createSandbox(sandboxOptions(config, options), { clock })
  // Agents need the documents, and the models are known only with the agents.
  const ask: ModelPort['ask'] = (...asked) => models.ask(...asked)
  const knowledge = openKnowledge(config, options, { ask }, randomUUID, clock)
  const mail = openMail(config, options, http, () => clock.now())
  const named = namedOnce([
    ragAgent({ retriever: knowledge, hasDocuments: knowledge.hasDocuments }),
    apiAgent({ apis, http, env, clock, isInternal }),
    sqlAgent(databases.sources),
    computationAgent(sandbox),
    codeAgent(sandbox),
    webAgent({ ...(search === undefined ? {} : { search }), http, publicHttp }),
    mailAgent({ account: mail, contacts: config.mail.contacts }),
    ...config.agents.map(defineAgent),
  ])
  const loaded = await loadAgents({ ...loadOptions(config, options, isInternal), agents: named })
  const agents = [...named, ...loaded.agents]
  assertActors(config, [...RESERVED, ...agents.map(({ name }) => name)])
  const models = createModels(modelsConfig(env, config, modelsOf(agents), onTrouble), { clock })
  const artifacts = openArtifacts(options)
  const secrets = secretsOf(config, options)
  const key = lastingKey(env['TUTTI_SECRET_KEY']?.trim(), join(dataDirOf(options.dataDir, env), KEY_FILE))
  const kept = options.inMemory === true ? {} : { key }
  const { dataDir } = storagePlace(options)
  if (dataDir !== undefined) await keepPrivate(dataDir)
  const storage = await openStorage({ clock, onError: onTrouble, secrets, ...kept, ...storagePlace(options) })
  const { profiles } = storage
  const conversations = maskedConversations(storage.conversations, secrets)
  const parts: Omit<EngineOptions, 'store' | 'strategies'> = {
    models,
    roles: [...STRATEGIES.flatMap(({ roles }) => roles), composerRole, ...memoryRoles({ profiles, conversations })],
    agents,
    clock,
    approvals: approvalPolicy(config),
    artifacts,
    http: httpTools(http),
    secrets,
  }
  const engine = new Engine({
    ...parts,
    store: storage.store,
    strategies: STRATEGIES.map(({ strategy }) => remembering(strategy)),
    ...(options.queue === true ? { wakeups: storage.wakeups } : {}),
  })
  const runs = engine.as(owner)
  const memory = { profiles, conversations, newId: randomUUID, now: () => clock.now() }
  const knownAgents = new Set(agents.map((agent) => agent.name))
  const completed = (request: RequestInput, documents: readonly string[] = []) => {
    const locale = request.locale ?? config.locale
    const attached = attachedTo({ ...options, documents, hasKey: keyOf(options) !== undefined })
    return parseRequest({ attached, ...request, ...(locale === undefined ? {} : { locale }) }, knownAgents)
  }
  return {
    config,
    engine,
    runs,
    store: storage.store,
    profiles,
    conversations,
    executions: maskedExecutions(storage.executions, secrets),
    models,
    agents,
    agentFiles: loaded.files,
    databases: databases.sources,
    apis,
    sandbox,
    knowledge,
    ...(mail === undefined ? {} : { mail }),
    artifacts,
    storage: storageInWords(options),
    async start(request) {
      engine.assertStrategy(completed(request))
      const documents = await takeIn(knowledge, owner, options)
      const recalled = await recall(memory, owner, completed(request, documents))
      return runs.start(recalled.request, recalled)
    },
    async plan(request) {
      const passing = await createMemoryStorage({ clock, onError: onTrouble })
      try {
        return await planQuestion(
          { ...parts, store: passing.store, strategies: STRATEGIES.map(({ strategy }) => planOnly(strategy)) },
          completed(request),
        )
      } finally {
        await passing.close()
      }
    },
    response: async (runId) => responseOf(await runs.events(runId)),
    async close() {
      await engine.close()
      await Promise.allSettled([
        ...[loaded, databases, http, publicHttp, sandbox, knowledge].map((part) => part.close()),
        mail?.close(),
      ])
      await storage.close()
    },
  }
}

/** Each strategy with the roles that it alone needs. To add one takes its two folders and a line here. */
const STRATEGIES: readonly RegisteredStrategy[] = [
  { strategy: pipeline, roles: [plannerRole] },
  { strategy: graph, roles: [masterPlannerRole] },
]

/** Names of roles, and of models for everything that is asked outside of them. */
const RESERVED = [
  ...[...STRATEGIES.flatMap(({ roles }) => roles), composerRole].map(({ name }) => name),
  ...MEMORY_ACTORS,
  CLASSIFIER,
  'describer',
  'default',
]

/** What the agents of folders may use, and how their mistakes are found. */
function loadOptions(
  config: Config,
  { cwd, env, onTrouble }: AppOptions,
  isInternal: (url: URL) => boolean,
): Omit<LoadOptions, 'agents'> {
  const { providers } = modelsConfigFromEnv(env)
  return {
    cwd,
    folders: config.agentFolders ?? [],
    reserved: RESERVED,
    mcp: config.mcp.map((server) => mcpToolServer(server, isInternal)),
    importDefault,
    // Where no model is set up at all, agents go by their rules, whatever model they would have liked.
    checkModel: (text) => void (providers.length > 0 && parseModelRef(text, providers, 'The model')),
    onTrouble,
  }
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

/** The environment says which mailbox; the file may, too. */
function openMail(
  { mail }: Config,
  { env, cwd }: AppOptions,
  http: HttpClient,
  now: () => number,
): MailAccount | undefined {
  const { url, smtpUrl, from } = mail
  const written: MailConfig | undefined = url === undefined ? undefined : { url, ...defined({ smtpUrl, from }) }
  const account = mailConfigFromEnv(env) ?? written
  return account === undefined ? undefined : openMailAccount(account, { http, cwd, now })
}

function namedOnce(agents: readonly Agent[]): readonly Agent[] {
  const taken = new Set(RESERVED)
  for (const { name } of agents) {
    if (taken.has(name)) {
      const message = `The name "${name}" is taken already; rename the agent in the configuration.`
      throw new TuttiError('ConfigurationError', message)
    }
    taken.add(name)
  }
  return agents
}

function approvalPolicy({ approvals }: Config): Partial<ApprovalPolicy> {
  return {
    allowsWithoutApproval: (tool) => approvals.allow.includes(tool),
    ...(approvals.timeoutMs === undefined ? {} : { timeoutMs: approvals.timeoutMs }),
  }
}
