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
import { memoryRoles } from './agents/roles/memory-roles.ts'
import { sqlAgent } from './agents/sql/agent.ts'
import type { SqlSource } from './agents/sql/source.ts'
import { webAgent } from './agents/web/agent.ts'
import { asWorker } from './agents/worker/worker.ts'
import { approvalPolicy } from './app/approvals.ts'
import { AUTO, withStrategy } from './app/auto-strategy.ts'
import { openDatabases } from './app/databases.ts'
import { namedOnce } from './app/named-once.ts'
import { openKnowledge, type OpenKnowledge } from './app/knowledge.ts'
import { checkOptions, type Checked } from './app/check-options.ts'
import type { Config } from './app/config.ts'
import { sourcesToKeep } from './app/kept-sources.ts'
import { openMcpServers } from './app/mcp.ts'
import { assertActors, modelsOf, openModels, providersOf } from './app/models.ts'
import { httpPolicy, listedHosts, openAllApis, publicPolicy } from './app/network.ts'
import { defined, type AppOptions } from './app/options.ts'
import { maskedConversations, maskedExecutions, maskedSkills, secretsOf } from './app/secrets.ts'
import { requestFrom } from './app/request.ts'
import { abandonedUnlessNamed, takeIn } from './app/run-documents.ts'
import { folderOf, openKept, storageInWords } from './app/storage.ts'
import { RESERVED, rolesOf, STRATEGIES } from './app/strategies.ts'
import { agentOfTools } from './app/tools.ts'
import { openTracing, type Tracing } from './app/tracing.ts'
import { readWordings, withWordings } from './app/wordings.ts'
import { embedTask, workerSettings } from './app/workers.ts'
import { defineAgent, type Agent } from './core/actor.ts'
import type { ArtifactStore, Erasure } from './core/artifacts.ts'
import type { ConversationStore } from './core/conversation.ts'
import { TuttiError } from './core/errors.ts'
import type { RunId } from './core/events.ts'
import type { ExecutionStore } from './core/execution.ts'
import type { ProfileStore } from './core/memory.ts'
import type { SkillStore } from './core/skill.ts'
import type { ModelPort } from './core/model.ts'
import { parseRequest, type Attached, type RequestInput } from './core/request.ts'
import { responseOf, type RunResponse } from './core/response.ts'
import type { RunStore } from './core/store.ts'
import { Engine } from './engine/engine.ts'
import type { EngineOptions } from './engine/options.ts'
import type { OwnedRuns } from './engine/owned-runs.ts'
import { planQuestion, type PlannedQuestion } from './engine/run/plan-question.ts'
import { createHttpClient, type HttpClient } from './http/client.ts'
import { httpTools } from './http/tools.ts'
import { internalHosts } from './http/internal.ts'
import { openMailAccount, type MailConfig } from './mail/open.ts'
import type { MailAccount } from './mail/types.ts'
import type { McpServer } from './mcp/offered.ts'
import { recall } from './memory/recall.ts'
import { parseModelRef } from './models/config.ts'
import type { Models } from './models/registry.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox/sandbox.ts'
import { createMemoryStorage } from './storage/index.ts'
import { planOnly } from './strategies/plan-only.ts'
import { remembering } from './strategies/remembering.ts'
import { openWebSearch } from './web-search/open.ts'

export { keepPrivate } from './app/keep-private.ts'
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
  /** How tasks were done before. */
  readonly skills: SkillStore
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
  /** Those that offer tools. */
  readonly mcp: readonly McpServer[]
  /** The mailbox of the mail agent. */
  readonly mail?: MailAccount
  readonly artifacts: ArtifactStore
  /** Traces of runs as OpenTelemetry has them. */
  readonly tracing: Tracing
  /** Where runs are kept, in words. */
  readonly storage: string
  /** Checks a request, or a question alone, and starts it. @throws TuttiError `InvalidRequest`, `UnknownAgent` */
  start(request: RequestInput | string): Promise<RunId>
  /**
   * Starts a request and waits for what comes of it. A call that needs approval waits for `runs.decide`, until its time
   * is up; with `interactive: false` in the request it fails at once.
   */
  ask(request: RequestInput | string): Promise<RunResponse>
  /** How a question would be worked on; nothing of it is done or kept. @throws TuttiError of the planner */
  plan(request: RequestInput | string): Promise<PlannedQuestion>
  /** What a run has come to so far. */
  response(runId: RunId): Promise<RunResponse>
  close(): Promise<void>
}

/**
 * Puts the parts together: the one place where concrete storage, models, databases and agents are made. Nothing is
 * connected or loaded before it is needed, except the storage.
 * @throws TuttiError `ConfigurationError` or `StorageError` with one clear sentence
 */
export async function createApp(given: AppOptions = {}): Promise<App> {
  const options = checkOptions(given)
  const { config, clock, onTrouble, owner, webSearch = {}, apiSettings = {} } = options
  const words = options.howToSetUp ?? {}
  const http = createHttpClient(httpPolicy(options), { clock })
  const publicHttp = createHttpClient(publicPolicy(options), { clock })
  const isInternal = internalHosts(listedHosts(options))
  const search = openWebSearch(webSearch, { http })
  const databases = openDatabases(options)
  const { apis, lacking } = await openAllApis(options, http)
  const sandbox = createSandbox(sandboxOptions(options), { clock })
  // Agents need the documents, and the models are known only with the agents.
  const ask: ModelPort['ask'] = (...asked) => models.ask(...asked)
  const knowledge = openKnowledge(options, { ask }, randomUUID)
  const mail = openMail(options, http)
  const registered = [...STRATEGIES, ...(options.strategies ?? [])]
  const ownRoles = namedOnce(rolesOf(options.strategies ?? []), RESERVED)
  const mcp = openMcpServers(options)
  const named = namedOnce(
    [
      ragAgent({
        library: knowledge,
        ofRuns: knowledge.ofRuns,
        hasDocuments: knowledge.hasDocuments,
        ...defined({ howToSetUp: words.documents }),
      }),
      apiAgent({
        apis,
        lacking,
        http,
        settings: apiSettings,
        clock,
        isInternal,
        ...defined({ howToSetUp: words.apis }),
      }),
      sqlAgent(databases.sources, words.databases),
      computationAgent(sandbox),
      codeAgent(sandbox),
      webAgent({ ...(search === undefined ? {} : { search }), http, publicHttp }),
      mailAgent({ account: mail, contacts: config.mail.contacts }),
      ...agentOfTools(options.tools),
      ...[...config.agents, ...(options.agents ?? [])].map(defineAgent),
    ],
    [...RESERVED, ...ownRoles.map(({ name }) => name)],
  )
  const ofMcp = mcp.agents.map(({ name }) => name)
  const loaded = await loadAgents({
    ...loadOptions(options),
    agents: named,
    reserved: [...RESERVED, ...ofMcp],
    mcp: mcp.servers,
  }).catch(async (error: unknown) => {
    await mcp.close()
    throw error
  })
  const all = [...named, ...loaded.agents, ...mcp.agents]
  assertActors(config, [...RESERVED, ...[...ownRoles, ...all].map(({ name }) => name)])
  const settingsOf = workerSettings(
    config,
    all.map(({ name }) => name),
  )
  const wordings = await readWordings(config.prompts)
  const models = withWordings(openModels(options, modelsOf(all)), wordings)
  const secrets = secretsOf(options)
  const { storage, artifacts } = await openKept(options, secrets, knowledge.ofRuns.collections)
  const { profiles } = storage
  const conversations = maskedConversations(storage.conversations, secrets)
  const skills = maskedSkills(storage.skills, secrets)
  const shelf = { store: skills, now: () => clock.now(), ...embedTask(knowledge.embedder) }
  const agents = all.map((agent) => asWorker(agent, settingsOf(agent.name), shelf))
  const memoryOf = memoryRoles({ profiles, conversations, shelf })
  const strategies = namedOnce(
    Array.from(registered, ({ strategy }) => strategy),
    [AUTO],
  )
  const tracing = openTracing(options, secrets, () => engine)
  const parts: Omit<EngineOptions, 'store' | 'strategies'> = {
    models,
    strategyNames: [AUTO],
    roles: [...rolesOf(registered), composerRole, ...memoryOf],
    agents,
    clock,
    approvals: approvalPolicy(config.approvals),
    artifacts,
    http: httpTools(http, secrets),
    secrets,
  }
  const engine = new Engine({
    ...parts,
    store: storage.store,
    strategies: strategies.map((strategy) => remembering(strategy)),
    onOver: tracing.onOver,
    ...(options.queue === true ? { wakeups: storage.wakeups } : {}),
  })
  const runs = engine.as(owner)
  const memory = { profiles, conversations, newId: randomUUID, now: () => clock.now() }
  const knownAgents = new Set(agents.map((agent) => agent.name))
  const completed = (asked: RequestInput | string, documents: readonly Attached[] = []) => {
    const attached = [...sourcesToKeep({ ...options, hasKey: Boolean(options.apiKey) }), ...documents]
    return parseRequest({ attached, strategy: AUTO, ...requestFrom(asked, config) }, knownAgents)
  }
  const hasModel = providersOf(options).length > 0
  let isClosed = false
  const start = async (request: RequestInput | string): Promise<RunId> => {
    if (isClosed) throw new TuttiError('InvalidRequest', 'This app is closed; make another with createApp.')
    await mcp.know()
    engine.assertStrategy(completed(request))
    const notes: Erasure[] = []
    const fill = () =>
      takeIn(knowledge.ofRuns, owner, options, async (collection) => {
        const note = abandonedUnlessNamed(owner, collection, clock.now())
        notes.push(note)
        await artifacts.begin(note)
      })
    const documents = await fill()
    const recalled = await recall(memory, owner, withStrategy(completed(request, documents), agents, hasModel))
    const runId = await runs.start(recalled.request, recalled)
    // The last other run of the same documents may have been deleted meanwhile, and they with it.
    if (documents.length > 0) await fill()
    for (const note of notes) await artifacts.end(note)
    return runId
  }
  const response = async (runId: RunId): Promise<RunResponse> => responseOf(await runs.events(runId))
  return {
    config,
    engine,
    runs,
    store: storage.store,
    profiles,
    conversations,
    skills,
    executions: maskedExecutions(storage.executions, secrets),
    models,
    agents,
    agentFiles: loaded.files,
    databases: databases.sources,
    apis,
    sandbox,
    knowledge,
    mcp: mcp.servers,
    ...(mail === undefined ? {} : { mail }),
    artifacts,
    tracing,
    storage: storageInWords(options),
    start,
    async ask(request) {
      const runId = await start(request)
      await runs.outcome(runId)
      return response(runId)
    },
    async plan(request) {
      await mcp.know()
      const passing = await createMemoryStorage({ clock, onError: onTrouble })
      try {
        return await planQuestion(
          { ...parts, store: passing.store, strategies: strategies.map(planOnly) },
          withStrategy(completed(request), agents, hasModel),
        )
      } finally {
        await passing.close()
      }
    },
    response,
    async close() {
      isClosed = true
      await engine.close()
      await tracing.close()
      await Promise.allSettled([
        ...[mcp, databases, http, publicHttp, sandbox, knowledge].map((part) => part.close()),
        mail?.close(),
      ])
      await storage.close()
    },
  }
}

/** What the agents of folders may use, and how their mistakes are found. */
function loadOptions(options: Checked): Omit<LoadOptions, 'agents' | 'reserved' | 'mcp'> {
  const { config, cwd, onTrouble } = options
  const providers = providersOf(options)
  return {
    cwd,
    folders: config.agentFolders ?? [],
    // Where no model is set up at all, agents go by their rules, whatever model they would have liked.
    checkModel: (text) => void (providers.length > 0 && parseModelRef(text, providers, 'The model')),
    onTrouble,
  }
}

function sandboxOptions(options: Checked): SandboxOptions {
  const folder = folderOf(options)
  return { ...(folder === undefined ? {} : { cacheDir: join(folder, 'cache') }), ...defined(options.config.sandbox) }
}

function openMail({ mail: given, config, cwd, clock }: Checked, http: HttpClient): MailAccount | undefined {
  const { url, smtpUrl, from } = config.mail
  const written: MailConfig | undefined = url === undefined ? undefined : { url, ...defined({ smtpUrl, from }) }
  const account = given ?? written
  return account === undefined ? undefined : openMailAccount(account, { http, cwd, now: () => clock.now() })
}
