import { apiAgent } from '../agents/api/agent.ts'
import type { Api } from '../agents/api/api.ts'
import { codeAgent } from '../agents/code/agent.ts'
import { computationAgent } from '../agents/computation/agent.ts'
import { mailAgent } from '../agents/mail/agent.ts'
import { mcpAgentName } from '../agents/mcp/name.ts'
import type { McpToolServer } from '../agents/mcp/server.ts'
import type { McpServers } from '../agents/mcp/servers.ts'
import { ragAgent } from '../agents/rag/agent.ts'
import { loadAgents, type LoadOptions } from '../agents/registry/load.ts'
import { sqlAgent } from '../agents/sql/agent.ts'
import type { SqlSource } from '../agents/sql/source.ts'
import { architectAgent, type ArchitectParts } from '../agents/teams/architect.ts'
import { webAgent } from '../agents/web/agent.ts'
import { defineAgent, type Agent } from '../core/actor.ts'
import { givenIn, MAILBOX, type IsGiven, type SourceName } from '../core/source-name.ts'
import type { HttpClient } from '../http/client.ts'
import { internalHosts } from '../http/internal.ts'
import type { MailAccount } from '../mail/types.ts'
import { parseModelRef } from '../models/config.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { openWebSearch } from '../web-search/open.ts'
import type { Checked } from './check-options.ts'
import type { OpenKnowledge } from './knowledge.ts'
import { providersOf } from './models.ts'
import type { OwnMailbox } from './mailboxes.ts'
import { namedOnce } from './named-once.ts'
import { listedHosts, type Lacking } from './network.ts'
import { defined } from './options.ts'
import { designing } from './teams.ts'
import { agentOfTools } from './tools.ts'
import { databaseForPeople, isBroken, serverForPeople } from './without-addresses.ts'

/** What agents work with. */
export interface AgentParts {
  readonly options: Checked
  readonly http: HttpClient
  readonly publicHttp: HttpClient
  readonly databases: readonly SqlSource[]
  readonly apis: readonly Api[]
  /** The APIs that could not be read. */
  readonly lacking: readonly Lacking[]
  readonly sandbox: Sandbox
  readonly knowledge: OpenKnowledge
  readonly mail: MailAccount | undefined
  readonly mcp: McpServers
  /** What the architect of teams works with, besides the databases. */
  readonly teams: Pick<ArchitectParts, 'store' | 'registryOf'>
  /** Names of actors that are no agents. */
  readonly reserved: readonly string[]
}

export interface Agents {
  readonly all: readonly Agent[]
  /** The file of each agent that was found in a folder, by its name. */
  readonly files: ReadonlyMap<string, string>
  /** What people can be given. */
  readonly sources: readonly SourceName[]
  /** With these MCP servers. @throws TuttiError `ConfigurationError` for a name that is taken; nothing is changed then */
  renew(servers: readonly McpToolServer[]): Promise<void>
  /** As an installation has them that knows these sources and no others, has documents or none, and this mailbox. */
  with(sources: readonly SourceName[] | undefined, hasDocuments: boolean, mailbox?: OwnMailbox): readonly Agent[]
}

/** Sets of sources for which agents are kept ready. */
const SETS_KEPT = 200

/**
 * All specialists. What people are not given is nowhere in the agents that work for them: these are made of the sources that
 * are left, as if there were no others.
 * @throws TuttiError `ConfigurationError`
 */
export async function openAgents(parts: AgentParts): Promise<Agents> {
  const { options, databases, apis, lacking, mail, mcp, reserved } = parts
  const named = namedOnce(
    ownAgents(
      parts,
      () => true,
      () => parts.knowledge.hasDocuments,
    ),
    reserved,
  )
  const ofMcp = mcp.agents.map(({ name }) => name)
  const loaded = await loadAgents({
    ...loadOptions(options),
    agents: named,
    reserved: [...reserved, ...ofMcp],
    mcp,
  })
  const sets = new Map<string, readonly Agent[]>()
  const allNow = (): readonly Agent[] => namedOnce([...named, ...loaded.agents, ...mcp.agents], reserved)
  let all = allNow()
  const sourcesNow = (): readonly SourceName[] => [
    ...databases.map(({ name }): SourceName => `database:${name}`),
    ...[...apis.map(({ catalogue }) => catalogue), ...lacking].map(({ name }): SourceName => `api:${name}`),
    ...mcp.servers.map(({ name }): SourceName => `mcp:${name}`),
    ...(mail === undefined ? [] : [MAILBOX]),
  ]
  return {
    get all() {
      return all
    },
    files: loaded.files,
    get sources() {
      return sourcesNow()
    },
    async renew(servers) {
      const ofServers = [...new Set(servers.map(({ spec }) => mcpAgentName(spec.name)))].map((name) => ({ name }))
      namedOnce([...named, ...loaded.agents, ...ofServers], reserved)
      await mcp.set(servers)
      all = allNow()
      sets.clear()
    },
    with(given, hasDocuments, mailbox) {
      if (given === undefined && hasDocuments && mailbox === undefined) return all
      const key = JSON.stringify([hasDocuments, mailbox?.version, given === undefined ? 'all' : [...given].sort()])
      const kept = sets.get(key)
      if (kept !== undefined) return kept
      const isGiven = givenIn(given)
      const own = ownAgents(parts, isGiven, () => hasDocuments, given !== undefined, mailbox)
      const isOpen = mcp.servers.map(({ name }) => isGiven(`mcp:${name}`))
      const servers = mcp.servers.flatMap(({ name }, i) => (isOpen[i] ? [name] : []))
      const made =
        given === undefined && mailbox === undefined
          ? all.map((agent) => own.find(({ name }) => name === agent.name) ?? agent)
          : [
              ...own,
              ...loaded.among(own, servers),
              ...mcp.agents.flatMap((agent, i) => {
                const ofServer = given === undefined ? agent : serverForPeople(agent, mcp.servers[i]!.name)
                return isOpen[i] ? [ofServer] : []
              }),
            ]
      if (sets.size >= SETS_KEPT) sets.clear()
      sets.set(key, made)
      return made
    },
  }
}

/** What people do who were given nothing: the configuration and the command line are somebody else's. */
const FOR_PEOPLE = {
  databases: 'An admin can give you one (Admin, Access).',
  apis: 'An admin can give you one (Admin, Access).',
  documents: 'Add some on the page Documents, or have an admin give you a collection.',
  mail: 'An admin can give you one (Admin, Access), or allow you one of your own (Settings, Mailbox).',
  webSearch: 'An admin can set it up.',
}

/** Those of Tutti and of the configuration, with what they are given. */
function ownAgents(
  parts: AgentParts,
  isGiven: IsGiven,
  hasDocuments: () => boolean,
  isForPeople = false,
  mailbox?: OwnMailbox,
): readonly Agent[] {
  const { options, http, publicHttp, apis, lacking, sandbox, knowledge, mail } = parts
  const given = parts.databases.filter(({ name }) => isGiven(`database:${name}`))
  const databases = isForPeople ? given.map(databaseForPeople) : given
  const { config, clock, webSearch = {}, apiSettings = {} } = options
  const words = isForPeople ? FOR_PEOPLE : (options.howToSetUp ?? {})
  const search = openWebSearch(webSearch, { http })
  const lack = isForPeople ? 'No database is open to you.' : undefined
  const sql = sqlAgent(databases, { howToSetUp: words.databases, lack })
  return [
    ragAgent({
      library: knowledge,
      shelvesOf: knowledge.shared.shelvesOf,
      collectionsOf: knowledge.shared.namesFor,
      ofRuns: knowledge.ofRuns,
      hasDocuments,
      topicsOf: knowledge.topicsOf,
      ...defined({ howToSetUp: words.documents }),
    }),
    apiAgent({
      apis: apis.filter(({ catalogue }) => isGiven(`api:${catalogue.name}`)),
      lacking: lacking
        .filter(({ name }) => isGiven(`api:${name}`))
        .map(({ name, why }) => (isForPeople ? isBroken(`The service “${name}”`) : why)),
      http,
      settings: apiSettings,
      clock,
      isInternal: internalHosts(listedHosts(options)),
      ...defined({ howToSetUp: words.apis, lack: isForPeople ? 'No API is open to you.' : undefined }),
    }),
    sql,
    computationAgent(sandbox),
    codeAgent(sandbox),
    webAgent({ ...defined({ search, howToSetUp: words.webSearch }), http, publicHttp }),
    mailAgent({
      ...(mailbox === undefined
        ? { account: isGiven(MAILBOX) ? mail : undefined }
        : { account: undefined, ...mailbox }),
      ...defined({ howToSetUp: words.mail, none: isForPeople ? 'No mail account is open to you.' : undefined }),
      contacts: isGiven(MAILBOX) ? config.mail.contacts : {},
    }),
    architectAgent({ ...designing(databases, sql), ...parts.teams }),
    ...agentOfTools(options.tools),
    ...[...config.agents, ...(options.agents ?? [])].map(defineAgent),
  ]
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
