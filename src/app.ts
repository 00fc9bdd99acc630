import { randomUUID } from 'node:crypto'
import { memoryRoles } from './agents/roles/memory-roles.ts'
import type { App, AppOf } from './app/app-of.ts'
import { openAgents } from './app/agents.ts'
import { approvalPolicy } from './app/approvals.ts'
import { sandboxOptions } from './app/sandbox.ts'
import { AUTO, withStrategy } from './app/auto-strategy.ts'
import { openDatabases } from './app/databases.ts'
import { openEvaluations } from './app/evaluations.ts'
import { openDescriptions } from './app/descriptions.ts'
import { namedOnce } from './app/named-once.ts'
import { openHousekeeping } from './app/housekeeping.ts'
import { openLeaseKeeper } from './app/lease-keeper.ts'
import { openKnowledge } from './app/knowledge.ts'
import { openLimits } from './app/limits.ts'
import { checkOptions } from './app/check-options.ts'
import { openMcpServers } from './app/mcp.ts'
import { openMail } from './app/mail.ts'
import { openRights } from './app/rights.ts'
import { openMailboxes } from './app/mailboxes.ts'
import { assertActors, modelsOf, openModels } from './app/models.ts'
import { httpPolicy, openAllApis, providerFetch, publicPolicy } from './app/network.ts'
import { followMcp } from './app/follow-mcp.ts'
import { defined, type AppOptions } from './app/options.ts'
import { maskedConversations, maskedExecutions, maskedSkills, sealWith, secretsOf } from './app/secrets.ts'
import { openRequests } from './app/request.ts'
import { abandonedUnlessNamed, takeIn, withCollection } from './app/run-documents.ts'
import { startRecalled } from './app/start-recalled.ts'
import { openKept, storageInWords } from './app/storage.ts'
import { COMMON_ROLES, leadsOf, RESERVED, rolesOf, STRATEGIES } from './app/strategies.ts'
import { openSchedules } from './app/schedules.ts'
import { openTeams } from './app/teams.ts'
import { openTracing } from './app/tracing.ts'
import { readWordings, withWordings } from './app/wordings.ts'
import { asWorkers, dressWith, embedTask, workerSettings } from './app/workers.ts'
import type { Agent } from './core/actor.ts'
import type { Erasure } from './core/artifacts.ts'
import { TuttiError } from './core/errors.ts'
import type { RunId } from './core/events.ts'
import type { Owner } from './core/owner.ts'
import { combine } from './core/provenance.ts'
import type { RequestInput } from './core/request.ts'
import { responseOf, type RunResponse } from './core/response.ts'
import { givenIn } from './core/source-name.ts'
import { Engine } from './engine/engine.ts'
import type { EngineOptions } from './engine/options.ts'
import type { OwnedRuns } from './engine/owned-runs.ts'
import { planQuestion, type PlannedQuestion } from './engine/run/plan-question.ts'
import { createHttpClient } from './http/client.ts'
import { httpTools } from './http/tools.ts'
import { recall } from './memory/recall.ts'
import { createPeople } from './people/people.ts'
import { Uploads } from './people/uploads.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import { createMemoryStorage } from './storage/index.ts'
import { confirming } from './strategies/confirming.ts'
import { planOnly } from './strategies/plan-only.ts'
import { remembering } from './strategies/remembering.ts'

export type { App } from './app/app-of.ts'
export type { Swept } from './app/retention.ts'
export { keepPrivate } from './app/keep-private.ts'
export type { AppOptions } from './app/options.ts'
export { backUp, restore } from './storage/backup.ts'
export { KEY_FILE } from './storage/secret-key.ts'

/**
 * Puts the parts together: the one place where concrete storage, models, databases and agents are made. Nothing is
 * connected or loaded before it is needed, except the storage.
 * @throws TuttiError `ConfigurationError` or `StorageError` with one clear sentence
 */
export async function createApp(given: AppOptions = {}): Promise<App> {
  const options = checkOptions(given)
  const { config, clock, onTrouble, owner } = options
  const http = createHttpClient(httpPolicy(options), { clock })
  const publicHttp = createHttpClient(publicPolicy(options), { clock })
  const databases = openDatabases(options)
  const { apis, lacking } = await openAllApis(options, http)
  const sandbox = createSandbox(sandboxOptions(options), { clock })
  const knowledge = openKnowledge(options, randomUUID, () => people)
  const mail = openMail(options, http)
  const registered = [...STRATEGIES, ...(options.strategies ?? [])]
  const ownRoles = namedOnce(rolesOf(options.strategies ?? []), RESERVED)
  const mcp = openMcpServers(options)
  const reserved = [...RESERVED, ...ownRoles.map(({ name }) => name)]
  const agents = await openAgents({
    options,
    http,
    publicHttp,
    databases: databases.sources,
    apis,
    lacking,
    sandbox,
    knowledge,
    mail,
    mcp,
    teams: { store: () => storage.teams, registryOf: (user) => teams.registryOf(user) },
    reserved,
  }).catch(async (error: unknown) => {
    await mcp.close()
    throw error
  })
  const names = agents.all.map(({ name }) => name)
  assertActors(config, [...reserved, ...names])
  const settingsOf = workerSettings(config, names)
  const wordings = await readWordings(config.prompts)
  const models = withWordings(openModels(options, modelsOf(agents.all)), wordings)
  const secrets = secretsOf(options)
  const { storage, artifacts } = await openKept(options, secrets, knowledge)
  const { profiles } = storage
  const seal = sealWith(storage.key)
  const people = createPeople(storage.sql, clock, seal, { ...config.people, send: providerFetch(options) })
  const uploads = new Uploads(storage.sql, clock, artifacts)
  const mailboxes = openMailboxes(people.mailboxes, config.mail.personalServers, clock)
  const conversations = maskedConversations(storage.conversations, secrets, mailboxes.secretsOf)
  const skills = maskedSkills(storage.skills, secrets)
  const shelf = { store: skills, now: () => clock.now(), ...embedTask(knowledge.embedder) }
  const dress = dressWith(settingsOf, shelf)
  const workers = asWorkers(dress)
  const isGivenTo = async (user: Owner) => givenIn(await people.sourcesOf(user, agents.sources))
  const givenTo = async (user: Owner): Promise<readonly Agent[]> => {
    const [sources, hasDocuments, mailbox] = await Promise.all([
      people.sourcesOf(user, agents.sources),
      knowledge.hasDocumentsOf(user),
      mailboxes.of(user),
    ])
    return workers(agents.with(sources, hasDocuments, mailbox))
  }
  const memoryOf = memoryRoles({ profiles, conversations, shelf })
  const strategies = namedOnce(
    Array.from(registered, ({ strategy }) => strategy),
    [AUTO],
  )
  const teams = openTeams({ agentsOf: givenTo, mcp, reserved, dress, store: storage.teams })
  /** All who may work for a person. */
  const teamOf = (user: Owner) => teams.agentsOf({ owner: user, request: {} })
  const tracing = openTracing(options, secrets, () => engine)
  const parts: Omit<EngineOptions, 'store' | 'strategies'> = {
    models,
    strategyNames: [AUTO],
    roles: [...rolesOf(registered), ...COMMON_ROLES, ...memoryOf],
    leads: leadsOf(registered),
    agents: workers(agents.all),
    agentsOf: teams.agentsOf,
    rightsOf: openRights(people, () => agents.sources),
    clock,
    approvals: approvalPolicy(config.approvals, config.egress),
    artifacts,
    http: httpTools(http, secrets),
    secrets,
  }
  const limits = openLimits(people, storage.store, onTrouble)
  const leaseKeeper = openLeaseKeeper(options)
  const engine = new Engine({
    ...parts,
    store: storage.store,
    strategies: strategies.map((strategy) => remembering(confirming(strategy))),
    limits,
    ...defined({ leaseKeeper }),
    onOver(runId) {
      tracing.onOver(runId)
      limits.onOver(runId)
    },
    ...(options.queue === true ? { wakeups: storage.wakeups } : {}),
  })
  const followServers = followMcp(given, options, agents.renew)
  const knowServers = async (): Promise<void> => {
    await followServers()
    await mcp.know()
  }
  const { hasModel, completed, withCollections } = openRequests(options, models, knowledge)
  const descriptions = openDescriptions({ knowledge, models, hasModel, people, clock, onTrouble })
  let isClosed = false
  const starting = async (
    runs: OwnedRuns,
    ...[asked, given, said, fingerprint, provenance]: Parameters<AppOf['start']>
  ): Promise<RunId> => {
    const { owner } = runs
    if (isClosed) throw new TuttiError('InvalidRequest', 'This app is closed; make another with createApp.')
    await knowServers()
    const [request, team] = await Promise.all([withCollections(owner, asked), teamOf(owner)])
    engine.assertStrategy(completed(request, team))
    const notes: Erasure[] = []
    const fill = () =>
      takeIn(knowledge.ofRuns, owner, options, async (collection) => {
        const note = abandonedUnlessNamed(owner, collection, clock.now())
        notes.push(note)
        await artifacts.begin(note)
      })
    const documents = await fill()
    // A conversation that begins with a run of a chosen id has that id, too: sent twice, it begins once.
    const memory = { profiles, conversations, now: () => clock.now(), newId: () => given ?? randomUUID() }
    const before = { ...memory, responseOf: (id: RunId) => runs.events(id).then(responseOf, () => undefined) }
    const chosen = await withStrategy(completed(request, team, documents), team, hasModel)
    const recalled = await recall(before, owner, chosen, said)
    const ofTeam = await teams.provenanceOf(owner, recalled.request)
    const origin = provenance === undefined ? ofTeam : combine([provenance, ofTeam])
    const secrets = await mailboxes.secretsOf(owner)
    const own = secrets.length === 0 ? undefined : secrets
    const about = defined({ runId: given, fingerprint, provenance: origin, secrets: own })
    const runId = await startRecalled(runs, conversations, chosen, { ...recalled, ...about })
    // The last other run of the same documents may have been deleted meanwhile, and they with it.
    if (documents.length > 0) await fill()
    for (const note of notes) await artifacts.end(note)
    return runId
  }
  const as = (one: Owner): AppOf => {
    const runs = engine.as(one)
    const start: AppOf['start'] = (...asked) => starting(runs, ...asked)
    const response = async (runId: RunId): Promise<RunResponse> => responseOf(await runs.events(runId))
    const ask = async (request: RequestInput | string): Promise<RunResponse> => {
      const runId = await start(request)
      await runs.outcome(runId)
      return response(runId)
    }
    const plan = async (request: RequestInput | string): Promise<PlannedQuestion> => {
      await knowServers()
      const team = await teamOf(one)
      const passing = await createMemoryStorage({ clock, onError: onTrouble })
      try {
        return await planQuestion(
          { ...parts, store: passing.store, strategies: strategies.map(planOnly) },
          await withStrategy(
            { ...completed(await withCollections(one, request), team), confirmPlan: true },
            team,
            hasModel,
          ),
          one,
        )
      } finally {
        await passing.close()
      }
    }
    const withDocuments: AppOf['withDocuments'] = (...named) => withCollection(knowledge.ofRuns, one, ...named)
    // Servers that were added or removed meanwhile are seen wherever somebody looks who there is to ask.
    const team = (): Promise<readonly Agent[]> => followServers().then(() => teamOf(one))
    return { runs, start, ask, response, withDocuments, plan, team, isGiven: () => isGivenTo(one) }
  }
  const check: Parameters<typeof openSchedules>[0]['check'] = async (user, request) =>
    engine.assertStrategy(completed(await withCollections(user, request), await teamOf(user)))
  const scheduled = openSchedules({ options, sql: storage.sql, seal, people, conversations, as, check })
  const tested = openEvaluations({ clock, models, onTrouble, sql: storage.sql, seal, people, as, check })
  const beside = { schedules: scheduled.schedules, evaluations: tested.evaluations, onRunOver: limits.listen }
  return {
    ...as(owner),
    as,
    ...beside,
    descriptions,
    config,
    engine,
    store: storage.store,
    profiles,
    conversations,
    skills,
    executions: maskedExecutions(storage.executions, secrets),
    models,
    people,
    get agents() {
      return workers(agents.all)
    },
    get sources() {
      return agents.sources
    },
    strategies: [AUTO, ...strategies.map(({ name }) => name)],
    agentFiles: agents.files,
    databases: databases.sources,
    apis,
    sandbox,
    knowledge,
    get mcp() {
      return mcp.servers
    },
    ...(mail === undefined ? {} : { mail }),
    mailboxes,
    uploads,
    artifacts,
    teams: storage.teams,
    teamRegistry: teams.registryOf,
    feedback: storage.feedback,
    tracing,
    ...openHousekeeping(storage, {
      ...options,
      people,
      engine,
      limits,
      artifacts,
      knowledge,
      conversations,
      mailboxes,
      uploads,
      ...beside,
    }),
    storage: storageInWords(options),
    async close() {
      await Promise.all([scheduled.close(), tested.close(), descriptions.close()])
      isClosed = true
      await engine.close()
      await leaseKeeper?.close()
      await Promise.all([tracing.close(), limits.counted()])
      await Promise.allSettled([
        ...[mcp, databases, http, publicHttp, sandbox, knowledge].map((part) => part.close()),
        mail?.close(),
      ])
      await storage.close()
    },
  }
}
