import { OpenParts } from './app-parts.ts'
import { offline } from '../offline/index.ts'
import { openAccounts } from './accounts.ts'
import { openAgents } from './agents.ts'
import { openArtifacts } from './artifacts.ts'
import { AUTO } from './auto-strategy.ts'
import { checkOptions } from './check-options.ts'
import type { AppOptions } from './config/options.ts'
import { openDescriptions } from './descriptions.ts'
import { openEngine } from './engine.ts'
import { openEvaluations } from './evaluations.ts'
import { openHousekeeping } from './housekeeping.ts'
import { openKnowledge } from './knowledge.ts'
import { openMemory } from './memory.ts'
import { openModels } from './models.ts'
import { reloadMcpOnChange } from './reload-mcp.ts'
import { openRequests } from './request.ts'
import { openSchedules } from './schedules.ts'
import { secretsOf } from './secrets.ts'
import { openSources } from './sources.ts'
import { openAppStorage, storageInWords } from './storage.ts'
import { openStrategies } from './strategies.ts'
import type { App } from './user-app.ts'
import { openUserApps } from './user-apps.ts'

/**
 * The composition root: creates storage, models, databases and agents. Nothing except the storage is connected or
 * loaded before it is needed.
 * @throws TuttiError `ConfigurationError` or `StorageError` with one clear sentence
 */
export async function createApp(given: AppOptions = {}): Promise<App> {
  const opened = new OpenParts()
  try {
    return await openApp(given, opened)
  } catch (thrown) {
    await opened.close().catch(() => undefined)
    throw thrown
  }
}

async function openApp(given: AppOptions, opened: OpenParts): Promise<App> {
  const options = checkOptions(given)
  const { config } = options
  const secrets = secretsOf(options)
  const strategies = openStrategies(options)
  const storage = opened.add(await openAppStorage(options, secrets))
  const accounts = openAccounts(options, storage)
  const knowledge = opened.add(openKnowledge(options, accounts.people, storage.store.artifacts))
  const stored = { options, secrets, storage, knowledge, ...accounts }
  const artifacts = await openArtifacts(stored)
  const memory = openMemory(stored)
  const sources = opened.add(await openSources(options))
  const agents = await openAgents({ ...stored, sources, memory, strategies })
  const models = openModels(options, agents.all)
  const working = { ...stored, artifacts, sources, strategies, memory, agents, models }
  const { engine, limits, tracing, plan } = opened.add(openEngine(working))
  const requests = openRequests(options, models, knowledge)
  const followServers = reloadMcpOnChange(given, options, agents.renew)
  const users = opened.add(openUserApps({ ...working, requests, engine, plan, followServers }))
  const descriptions = opened.add(openDescriptions(working, requests.hasModel))
  const { schedules } = opened.add(openSchedules({ ...working, users }))
  const { evaluations } = opened.add(openEvaluations({ ...working, users }))
  const { people, mailboxes } = accounts
  const { profiles, conversations, skills, executions } = memory
  const { databases, storedTables, apis, sandbox, mail } = sources
  const own = { artifacts, conversations, knowledge, mailboxes, people, engine, schedules, evaluations }
  const read = {
    config,
    databases,
    storedTables,
    apis,
    sandbox,
    profiles,
    skills,
    executions,
    descriptions,
    models,
    tracing,
  }
  return {
    ...users.as(options.owner),
    as: users.as,
    ...openHousekeeping({ ...working, engine, limits, schedules, evaluations }),
    ...own,
    ...read,
    ...(mail === undefined ? {} : { mail }),
    store: storage.store,
    teams: storage.teams,
    feedback: storage.feedback,
    storage: storageInWords(options),
    get agents() {
      return agents.all
    },
    get sources() {
      return agents.sources
    },
    get mcp() {
      return sources.mcp.servers
    },
    teamRegistry: agents.teams.registryOf,
    strategies: [AUTO, ...strategies.all.map(({ name }) => name)],
    suggestQuestions: offline.suggest,
    close: () => opened.close(),
  }
}
