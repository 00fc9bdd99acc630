import { readFile } from 'node:fs/promises'
import { defineAgent, type Agent } from '../../domain/actor.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { discoverAgents, type AgentFile } from './discover.ts'
import { importDefault } from './import-default.ts'
import { boundTools, parseMcpName, unknownReads } from '../mcp/bind.ts'
import { declaredAgent, type AvailableTools } from './declared-agent.ts'
import { problemsError, displayPath, type Problem, readYamlFile, type Declared } from './yaml-file.ts'
import { toolsOf } from '../tool-agent/tools.ts'
import { outputType } from '../tool-agent/tool-agent.ts'

export interface LoadOptions {
  /** Paths in messages are shown from here. */
  readonly cwd: string
  /** Folders to look into, as absolute paths. */
  readonly folders: readonly string[]
  /** Existing agents: their names are taken, and their tools can be named. */
  readonly agents: readonly Agent[]
  /** Names of actors that are no agents. */
  readonly reserved: readonly string[]
  /** MCP servers whose tools can be named; a server is started if it was never used before. */
  readonly mcp: AvailableTools['mcp']
  readonly offline?: AvailableTools['offline']
  /** @throws TuttiError when no configured provider can have the model */
  readonly checkModel: (reference: string) => void
  /** Called for agents that cannot work for now. */
  readonly onError: (error: TuttiError) => void
}

export interface LoadedAgents {
  readonly agents: readonly Agent[]
  /** The agents that only use these agents and servers; others are left out. */
  among(agents: readonly Agent[], servers: readonly string[]): readonly Agent[]
}

/**
 * Loads the agents of folders: agents in code first, so that declared ones can use their tools. All files are read
 * before an error is thrown, so that it names all problems.
 * @throws TuttiError `ConfigurationError` with the file of every problem
 */
export async function loadAgents(options: LoadOptions): Promise<LoadedAgents> {
  const { cwd, agents, onError } = options
  const files = (await Promise.all(options.folders.map(discoverAgents))).flat()
  const problems: Problem[] = []
  const usedNames = new Set([...agents.map(({ name }) => name), ...options.reserved])
  const places = new Map<string, string>()
  const take: TakeName = (name, file) => {
    const other = places.get(name)
    if (other === undefined && !usedNames.has(name)) {
      places.set(name, file)
      return true
    }
    const where =
      other === undefined ? 'one of Tutti’s own or of the configuration' : `that of ${displayPath(other, cwd)}`
    const message = `The name "${name}" is taken already: ${where}. Choose another.`
    problems.push({ file, message })
    return false
  }
  const coded: Agent[] = []
  for (const file of files.filter(({ kind }) => kind === 'code')) {
    const agent = await loadCode(file, problems)
    if (agent !== undefined && take(agent.name, file.path)) coded.push(agent)
  }
  const declared = await readDeclared(files, take, problems)
  const available: AvailableTools = { own: toolsOf([...agents, ...coded]), mcp: options.mcp, offline: options.offline }
  for (const one of declared) problems.push(...(await problemsOf(one, available, options)))
  if (problems.length > 0) throw problemsError(problems, cwd)
  const created = declared.map(({ definition }) => declaredAgent(definition, available))
  for (const { name, unavailable } of created) {
    if (unavailable !== undefined)
      onError(new TuttiError('ConfigurationError', `The agent "${name}" cannot work: ${unavailable}`))
  }
  return {
    agents: [...coded, ...created],
    among(fewer, servers) {
      const remaining: AvailableTools = { ...available, own: toolsOf([...fewer, ...coded]) }
      const isAvailable = (tool: string): boolean => {
        const inMcp = parseMcpName(tool)
        return inMcp === undefined ? remaining.own.has(tool) : servers.includes(inMcp.server)
      }
      const complete = declared.filter(({ definition }) => definition.tools.every(isAvailable))
      return [...coded, ...complete.map(({ definition }) => declaredAgent(definition, remaining))]
    },
  }
}

/** Reserves a name for a file; false, with a problem, if another has it. */
type TakeName = (name: string, file: string) => boolean

async function loadCode({ path }: AgentFile, problems: Problem[]): Promise<Agent | undefined> {
  try {
    const loaded = await importDefault(path)
    if (isAgent(loaded)) return defineAgent(loaded)
    problems.push({
      file: path,
      message: 'Its default export is no agent. Export what defineAgent gives: export default defineAgent({ … }).',
    })
  } catch (thrown) {
    problems.push({ file: path, message: toTuttiError(thrown).message })
  }
  return undefined
}

function isAgent(value: unknown): value is Agent {
  if (typeof value !== 'object' || value === null) return false
  return 'name' in value && 'run' in value
}

async function readDeclared(files: readonly AgentFile[], take: TakeName, problems: Problem[]): Promise<Declared[]> {
  const accepted: Declared[] = []
  for (const { path, kind, fallbackName } of files) {
    if (kind !== 'yaml') continue
    const read = await readYamlFile(path, await readFile(path, 'utf8'), fallbackName)
    problems.push(...read.problems)
    for (const declared of read.declared) {
      if (take(declared.definition.name, path)) accepted.push(declared)
    }
  }
  return accepted
}

/** Problems that depend on the whole installation. */
async function problemsOf(
  declared: Declared,
  available: AvailableTools,
  { checkModel }: LoadOptions,
): Promise<Problem[]> {
  const { file, definition } = declared
  const problems: Problem[] = []
  const complain = (message: string): void => void problems.push({ file, message })
  const { model, prompt } = definition
  if (model?.name !== undefined) attempt(() => checkModel(model.name!), complain)
  if (prompt?.output !== undefined) {
    const { output } = prompt
    attempt(
      () => outputType(output),
      (message) => complain(`prompt.output is no JSON schema: ${message}`),
    )
  }
  for (const name of definition.tools) {
    const flaw = await flawOf(name, available)
    if (flaw !== undefined) complain(flaw)
  }
  return problems
}

function attempt(work: () => void, onError: (message: string) => void): void {
  try {
    work()
  } catch (thrown) {
    onError(toTuttiError(thrown).message)
  }
}

/**
 * The problem of a tool's name. An unknown tool is an error; a tool of a server that does not answer may be available
 * later.
 */
async function flawOf(name: string, { own, mcp: { servers } }: AvailableTools): Promise<string | undefined> {
  const listNames = (names: Iterable<string>): string => [...names].join(', ') || 'none'
  const inMcp = parseMcpName(name)
  if (inMcp === undefined) {
    const ofServers = servers.map((server) => `mcp:${server.name}/<tool>`)
    return own.has(name)
      ? undefined
      : `There is no tool "${name}". There are: ${listNames([...own.keys(), ...ofServers])}.`
  }
  const server = servers.find((one) => one.name === inMcp.server)
  if (server === undefined) {
    const names = listNames(servers.map((one) => one.name))
    return `No MCP server is named "${inMcp.server}" in the configuration. There are: ${names}.`
  }
  const isKnown = await server.know().then(
    () => true,
    () => false,
  )
  if (!isKnown) return undefined
  const problem = unknownReads(server)
  const tools = boundTools(server)
  if (problem !== undefined || tools.has(name)) return problem
  return `The MCP server "${server.name}" has no tool "${inMcp.tool}". There are: ${listNames(tools.keys())}.`
}
