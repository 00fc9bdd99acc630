import type { Owner } from '../domain/events.ts'
import { withAgentMiddleware } from '../agents/agent-middleware/worker.ts'
import { apiAgent } from '../agents/api/agent.ts'
import { codeAgent } from '../agents/code/agent.ts'
import { computationAgent } from '../agents/computation/agent.ts'
import { mailAgent } from '../agents/mail/agent.ts'
import { mcpAgentName, type McpToolServer } from '../agents/mcp/server.ts'
import { ragAgent } from '../agents/rag/agent.ts'
import { loadAgents, type LoadOptions } from '../agents/registry/load.ts'
import { sqlAgent } from '../agents/sql/agent.ts'
import { architectAgent, type ArchitectParts } from '../agents/teams/architect.ts'
import { webAgent } from '../agents/web/agent.ts'
import { offline } from '../offline/index.ts'
import { defineAgent, type Agent } from '../domain/actor.ts'
import { allowedSources, MAILBOX, type IsSourceAllowed, type SourceName } from '../shared/source-name.ts'
import { internalHosts } from '../http/internal.ts'
import { parseModelRef } from '../models/config.ts'
import { openWebSearch } from '../web-search/open.ts'
import type { Settings } from './check-options.ts'
import type { AppParts } from './app-parts.ts'
import type { OwnMailbox } from './mailboxes.ts'
import { assertActors, providersOf } from './models.ts'
import { assertUniqueNames } from './strategies.ts'
import { listedHosts } from './network.ts'
import { workerSettings } from './workers.ts'
import { omitUndefined } from '../shared/json.ts'
import { architectSources, openTeams, type Teams } from './teams.ts'
import { redactDatabase, isBroken, redactServer } from './redact-hosts.ts'
import { toolAgent } from '../agents/tool-agent/tool-agent.ts'
import type { ToolInfo } from '../domain/tool.ts'

type AgentParts = Pick<
  AppParts,
  'options' | 'sources' | 'knowledge' | 'people' | 'mailboxes' | 'memory' | 'strategies' | 'storage'
>

/** The parts, plus those that the team architect needs. */
type OwnParts = AgentParts & Pick<ArchitectParts, 'registryOf'>

export type Agents = Awaited<ReturnType<typeof openAgents>>

/** Maximum number of source sets whose agents are cached. */
const MAX_CACHED_SETS = 200

/**
 * All specialists. A user's agents are built only from the sources granted to the user, as if no others existed.
 * @throws TuttiError `ConfigurationError`
 */
export async function openAgents(given: AgentParts) {
  const { options, knowledge, people, mailboxes, memory } = given
  const { databases, apis, lacking, mail, mcp } = given.sources
  const { reserved } = given.strategies
  const parts: OwnParts = { ...given, registryOf: (owner) => teams.registryOf(owner) }
  const named = assertUniqueNames(
    ownAgents(
      parts,
      () => true,
      () => knowledge.hasDocuments,
    ),
    reserved,
  )
  const ofMcp = mcp.agents.map(({ name }) => name)
  const loaded = await loadAgents({
    ...loadOptions(options),
    agents: named,
    reserved: [...reserved, ...ofMcp],
    mcp,
    offline: offline.agents.tools,
  })
  const sets = new Map<string, readonly Agent[]>()
  const allNow = (): readonly Agent[] => assertUniqueNames([...named, ...loaded.agents, ...mcp.agents], reserved)
  let all = allNow()
  assertActors(options, [...reserved, ...all.map(({ name }) => name)])
  const { settings, supervised } = workerSettings(options.config)
  const withMiddleware = (agent: Agent): Agent => withAgentMiddleware(agent, settings, memory.skillIndex, supervised)
  let wrapped = all.map(withMiddleware)
  const sourcesNow = (): readonly SourceName[] => [
    ...databases.map(({ name }): SourceName => `database:${name}`),
    ...[...apis.map(({ catalogue }) => catalogue), ...lacking].map(({ name }): SourceName => `api:${name}`),
    ...mcp.servers.map(({ name }): SourceName => `mcp:${name}`),
    ...(mail === undefined ? [] : [MAILBOX]),
  ]
  /** Agents of an installation that has these sources and no others, documents or none, and this mailbox. */
  const agentsWith = (
    sources: readonly SourceName[] | undefined,
    hasDocuments: boolean,
    mailbox: OwnMailbox | undefined,
  ): readonly Agent[] => {
    if (sources === undefined && hasDocuments && mailbox === undefined) return wrapped
    const key = JSON.stringify([hasDocuments, mailbox?.version, sources === undefined ? 'all' : [...sources].sort()])
    const cached = sets.get(key)
    if (cached !== undefined) return cached
    const isGiven = allowedSources(sources)
    const builtIn = ownAgents(parts, isGiven, () => hasDocuments, sources !== undefined, mailbox)
    const isOpen = mcp.servers.map(({ name }) => isGiven(`mcp:${name}`))
    const servers = mcp.servers.flatMap(({ name }, i) => (isOpen[i] ? [name] : []))
    const agents =
      sources === undefined && mailbox === undefined
        ? all.map((agent) => builtIn.find(({ name }) => name === agent.name) ?? agent)
        : [
            ...builtIn,
            ...loaded.among(builtIn, servers),
            ...mcp.agents.flatMap((agent, i) => {
              const ofServer = sources === undefined ? agent : redactServer(agent, mcp.servers[i]!.name)
              return isOpen[i] ? [ofServer] : []
            }),
          ]
    if (sets.size >= MAX_CACHED_SETS) sets.clear()
    const ready = agents.map(withMiddleware)
    sets.set(key, ready)
    return ready
  }
  const agentsOf = async (user: Owner): Promise<readonly Agent[]> => {
    const [sources, hasDocuments, mailbox] = await Promise.all([
      people.sourcesOf(user, sourcesNow()),
      knowledge.hasDocumentsOf(user),
      mailboxes.of(user),
    ])
    return agentsWith(sources, hasDocuments, mailbox)
  }
  const teams = openTeams({ agentsOf, mcp, reserved, withMiddleware, store: given.storage.teams })
  return {
    get all(): readonly Agent[] {
      return wrapped
    },
    /** Sources that can be granted to users. */
    get sources(): readonly SourceName[] {
      return sourcesNow()
    },
    /** Replaces the MCP servers. @throws TuttiError `ConfigurationError` for a taken name; nothing is changed then */
    async renew(servers: readonly McpToolServer[]): Promise<void> {
      const ofServers = [...new Set(servers.map(({ spec }) => mcpAgentName(spec.name)))].map((name) => ({ name }))
      assertUniqueNames([...named, ...loaded.agents, ...ofServers], reserved)
      await mcp.set(servers)
      all = allNow()
      wrapped = all.map(withMiddleware)
      sets.clear()
    },
    /** Connects to MCP servers that are not known yet. */
    knowServers: (): Promise<void> => mcp.know(),
    /** As `Teams.agentsOf`, with the tools of all MCP servers known. */
    async agentsOf(run: Parameters<Teams['agentsOf']>[0]): Promise<readonly Agent[]> {
      // A process that takes up a run may not have started one.
      await mcp.know('new')
      return teams.agentsOf(run)
    },
    teams,
  }
}

/** Hints for users without grants, who can change neither the configuration nor the command line. */
const FOR_PEOPLE = {
  databases: 'An admin can give you one (Admin, Access).',
  apis: 'An admin can give you one (Admin, Access).',
  documents: 'Add some on the page Documents, or have an admin give you a collection.',
  mail: 'An admin can give you one (Admin, Access), or allow you one of your own (Settings, Mailbox).',
  webSearch: 'An admin can set it up.',
}

/** Built-in agents and those of the configuration, with their parts. */
function ownAgents(
  parts: OwnParts,
  isGiven: IsSourceAllowed,
  hasDocuments: () => boolean,
  isForPeople = false,
  mailbox?: OwnMailbox,
): readonly Agent[] {
  const { options, knowledge, registryOf, storage } = parts
  const { http, publicHttp, apis, lacking, sandbox, mail } = parts.sources
  const allowedDatabases = parts.sources.databases.filter(({ name }) => isGiven(`database:${name}`))
  const databases = isForPeople ? allowedDatabases.map(redactDatabase) : allowedDatabases
  const { config, clock, webSearch = {}, apiSettings = {} } = options
  const words = isForPeople ? FOR_PEOPLE : (options.howToSetUp ?? {})
  const search = openWebSearch(webSearch, { http })
  const lack = isForPeople ? 'You have no access to a database.' : undefined
  const { maxAttempts } = config.sql
  const sql = sqlAgent(databases, { howToSetUp: words.databases, lack, maxAttempts, offline: offline.agents.sql })
  return [
    ragAgent(
      {
        library: knowledge,
        readableScope: knowledge.shared.readableScope,
        ofRuns: knowledge.ofRuns,
        hasDocuments,
        ...omitUndefined({ howToSetUp: words.documents }),
      },
      offline.agents.rag,
    ),
    apiAgent({
      apis: apis.filter(({ catalogue }) => isGiven(`api:${catalogue.name}`)),
      lacking: lacking
        .filter(({ name }) => isGiven(`api:${name}`))
        .map(({ name, why }) => (isForPeople ? isBroken(`The service “${name}”`) : why)),
      http,
      settings: apiSettings,
      clock,
      isInternal: internalHosts(listedHosts(options)),
      offline: offline.agents.api,
      ...omitUndefined({ howToSetUp: words.apis, lack: isForPeople ? 'No API is open to you.' : undefined }),
    }),
    sql,
    computationAgent(sandbox, offline.agents.computation),
    codeAgent(sandbox, offline.agents.code),
    webAgent({ ...omitUndefined({ search, howToSetUp: words.webSearch }), http, publicHttp }),
    mailAgent({
      ...(mailbox === undefined
        ? { account: isGiven(MAILBOX) ? mail : undefined }
        : { account: undefined, ...mailbox }),
      ...omitUndefined({ howToSetUp: words.mail, none: isForPeople ? 'No mail account is open to you.' : undefined }),
      contacts: isGiven(MAILBOX) ? config.mail.contacts : {},
      offline: offline.agents.mail,
    }),
    architectAgent({ ...architectSources(sql), store: storage.teams, registryOf }),
    ...agentOfTools(options.tools),
    ...(options.agents ?? []).map(defineAgent),
  ]
}

/** Options for agents from folders, and the checks of their definitions. */
function loadOptions(options: Settings): Omit<LoadOptions, 'agents' | 'reserved' | 'mcp'> {
  const { config, cwd, onError } = options
  const providers = providersOf(options)
  return {
    cwd,
    folders: config.agentFolders ?? [],
    // Without any provider, agents work by rules and their preferred models are ignored.
    checkModel: (text) => void (providers.length > 0 && parseModelRef(text, providers, 'The model')),
    onError,
  }
}

/** Shorter words of a tool's name, such as "get" or "by", do not describe its purpose. */
const MIN_KEYWORD = 4

/** Tools that belong to no agent are worked with by one of their own; none without such tools. */
function agentOfTools(tools: readonly ToolInfo[] = []): readonly Agent[] {
  if (tools.length === 0) return []
  const words = tools.flatMap(({ name }) => name.toLowerCase().split(/[^a-z0-9]+/))
  const agent = toolAgent({
    name: 'tools',
    description: `Works with the tools ${tools.map(({ name }) => name).join(', ')}.`,
    capabilities: tools.map(({ description }) => description),
    keywords: [...new Set(words)].filter((word) => word.length >= MIN_KEYWORD),
    tools,
    offline: offline.agents.tools,
  })
  return [agent]
}
