import { readFile } from 'node:fs/promises'
import { defineAgent, type Agent } from '../../core/actor.ts'
import { toTuttiError, TuttiError } from '../../core/errors.ts'
import { discoverAgents, type AgentFile } from './discover.ts'
import { importDefault } from './import-default.ts'
import { boundTools, parseMcpName, unknownReads } from '../mcp/bind.ts'
import type { ToolServer } from '../mcp/server.ts'
import { problemsError, shownPath, type Problem } from './problems.ts'
import { toolsOf, type KnownTool } from '../tool-agent/tools.ts'
import { outputType } from '../tool-agent/tool-agent.ts'
import { yamlAgent, readYamlFile, type Declared } from './yaml-file.ts'

export interface LoadOptions {
  /** Paths in messages are shown from here. */
  readonly cwd: string
  /** Folders to look into, as absolute paths. */
  readonly folders: readonly string[]
  /** Agents that are there already: their names are taken, their tools can be named. */
  readonly agents: readonly Agent[]
  /** Names of actors that are no agents. */
  readonly reserved: readonly string[]
  /** MCP servers whose tools can be named; one is started when it was never seen before. */
  readonly mcp: readonly ToolServer[]
  /** @throws TuttiError when no configured provider can have the model */
  readonly checkModel: (reference: string) => void
  /** Told of agents that cannot work for now. */
  readonly onTrouble: (error: TuttiError) => void
}

export interface LoadedAgents {
  readonly agents: readonly Agent[]
  /** The file of each agent, by its name. */
  readonly files: ReadonlyMap<string, string>
  /** The same where there are these agents and servers only: those are left out that name what is not among them. */
  among(agents: readonly Agent[], mcp: readonly ToolServer[]): readonly Agent[]
}

/**
 * Loads the agents of folders: those in code first, so that the declared ones can use their tools. All files are read
 * before anything is said, so that all mistakes come at once.
 * @throws TuttiError `ConfigurationError` with file and line of every mistake
 */
export async function loadAgents(options: LoadOptions): Promise<LoadedAgents> {
  const { cwd, agents, onTrouble } = options
  const files = (await Promise.all(options.folders.map(discoverAgents))).flat()
  const problems: Problem[] = []
  const names = new Names(options)
  const coded: Agent[] = []
  for (const file of files.filter(({ kind }) => kind === 'code')) {
    const agent = await loadCode(file, problems)
    if (agent !== undefined && names.take(agent.name, file.path, undefined, problems)) coded.push(agent)
  }
  const declared = await readDeclared(files, names, problems)
  const binder: Binder = { own: toolsOf([...agents, ...coded]), mcp: options.mcp, problems }
  const made: Agent[] = []
  for (const one of declared) made.push(...(await build(one, binder, options)))
  if (problems.length > 0) throw problemsError(problems, cwd)
  for (const { name, unavailable } of made) {
    if (unavailable !== undefined)
      onTrouble(new TuttiError('ConfigurationError', `The agent "${name}" cannot work: ${unavailable}`))
  }
  return {
    agents: [...coded, ...made],
    files: names.files,
    among(fewer, servers) {
      const own = toolsOf([...fewer, ...coded])
      const tools = new Map([...own, ...servers.flatMap((server) => [...boundTools(server)])])
      const bound = declared.map(({ definition }) => ({
        definition,
        tools: definition.tools.map((name) => tools.get(name)),
      }))
      const whole = bound.flatMap(({ definition, tools: found }) =>
        found.some((tool) => tool === undefined) ? [] : [yamlAgent(definition, found as KnownTool[], undefined)],
      )
      return [...coded, ...whole]
    },
  }
}

/** Every name once, and where it was taken. */
class Names {
  readonly files = new Map<string, string>()
  readonly #options: LoadOptions
  readonly #others: ReadonlySet<string>

  constructor(options: LoadOptions) {
    this.#options = options
    this.#others = new Set([...options.agents.map(({ name }) => name), ...options.reserved])
  }

  take(name: string, file: string, line: number | undefined, problems: Problem[]): boolean {
    const other = this.files.get(name)
    const where =
      other === undefined
        ? 'one of Tutti’s own or of the configuration'
        : `that of ${shownPath(other, this.#options.cwd)}`
    if (other === undefined && !this.#others.has(name)) {
      this.files.set(name, file)
      return true
    }
    problems.push({
      file,
      ...(line === undefined ? {} : { line }),
      message: `The name "${name}" is taken already: ${where}. Choose another.`,
    })
    return false
  }
}

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

async function readDeclared(files: readonly AgentFile[], names: Names, problems: Problem[]): Promise<Declared[]> {
  const kept: Declared[] = []
  for (const { path, kind, fallbackName } of files) {
    if (kind !== 'yaml') continue
    const read = await readYamlFile(path, await readFile(path, 'utf8'), fallbackName)
    problems.push(...read.problems)
    for (const declared of read.declared) {
      const { name } = declared.definition
      if (names.take(name, path, declared.lineOf(['name']), problems)) kept.push(declared)
    }
  }
  return kept
}

interface Binder {
  readonly own: ReadonlyMap<string, KnownTool>
  readonly mcp: readonly ToolServer[]
  readonly problems: Problem[]
}

/** Checks what only the whole installation can tell, and makes the agent; none where something is wrong. */
async function build(declared: Declared, binder: Binder, { checkModel }: LoadOptions): Promise<Agent[]> {
  const { file, definition, lineOf } = declared
  const before = binder.problems.length
  const complain = (path: readonly PropertyKey[], message: string): void => {
    binder.problems.push({ file, line: lineOf(path), message })
  }
  const { model, prompt } = definition
  if (model?.name !== undefined)
    attempt(
      () => checkModel(model.name!),
      (message) => complain(['model'], message),
    )
  if (prompt?.output !== undefined) {
    const { output } = prompt
    attempt(
      () => outputType(output),
      (message) => complain(['prompt', 'output'], `prompt.output is no JSON schema: ${message}`),
    )
  }
  const tools: KnownTool[] = []
  let unavailable: string | undefined
  for (const [i, name] of definition.tools.entries()) {
    const bound = await bind(name, binder)
    if ('info' in bound) tools.push(bound)
    else if ('unreachable' in bound) unavailable ??= bound.unreachable
    else complain(['tools', i], bound.unknown)
  }
  return binder.problems.length > before ? [] : [yamlAgent(definition, tools, unavailable)]
}

function attempt(work: () => void, onError: (message: string) => void): void {
  try {
    work()
  } catch (thrown) {
    onError(toTuttiError(thrown).message)
  }
}

type Bound = KnownTool | { readonly unknown: string } | { readonly unreachable: string }

/** A tool by its name. An unknown one is a mistake; a server that does not answer may answer tomorrow. */
async function bind(name: string, { own, mcp }: Binder): Promise<Bound> {
  const there = (names: Iterable<string>): string => [...names].join(', ') || 'none'
  const inMcp = parseMcpName(name)
  if (inMcp === undefined) {
    const servers = mcp.map((server) => `mcp:${server.name}/<tool>`)
    return own.get(name) ?? { unknown: `There is no tool "${name}". There are: ${there([...own.keys(), ...servers])}.` }
  }
  const server = mcp.find((one) => one.name === inMcp.server)
  if (server === undefined) {
    const names = there(mcp.map((one) => one.name))
    return { unknown: `No MCP server is named "${inMcp.server}" in the configuration. There are: ${names}.` }
  }
  try {
    await server.know()
  } catch (thrown) {
    return { unreachable: toTuttiError(thrown).message }
  }
  const problem = unknownReads(server)
  if (problem !== undefined) return { unknown: problem }
  const tools = boundTools(server)
  return (
    tools.get(name) ?? {
      unknown: `The MCP server "${server.name}" has no tool "${inMcp.tool}". There are: ${there(tools.keys())}.`,
    }
  )
}
