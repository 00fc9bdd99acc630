import { join, relative } from 'node:path'
import type { App } from '../../app/user-app.ts'
import type { Agent } from '../../domain/actor.ts'
import { dataDirOf } from '../../app/config/environment.ts'
import type { Cli } from '../cli.ts'
import { fileExists } from '../doctor/machine.ts'
import type { Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { safeLine } from '../render/text.ts'
import { withSpinner } from '../render/spinner.ts'
import { JSON_OPTION } from '../shared-options.ts'

export function addAgents({ root, cli, command }: Program): void {
  command(root, 'agents', 'list agents with their abilities and tools', JSON_OPTION).run(
    (options: { readonly json?: boolean }) => listAgents(cli, options),
  )
}

/** `tutti agents`: lists each agent with its purpose, its file, and the effects of its tools. */
async function listAgents(cli: Cli, { json }: { readonly json?: boolean }): Promise<void> {
  return withApp(cli, { inMemory: !(await hasDocuments(cli)) }, async (app) => {
    // Servers that do not answer make their agents unavailable, which the list shows.
    const asked = Promise.all(app.mcp.map((server) => server.know().catch(() => undefined)))
    await withSpinner(cli, 'Asking the servers', asked)
    const agents = app.agents.map((agent) => describe(agent, originOf(cli, app, agent)))
    if (json === true) printJson(cli, { agents })
    else cli.out.line(agents.map((agent) => agentText(cli, agent)).join('\n\n'))
  })
}

/** Returns whether the data folder has documents. Without any, the folder need not be opened. */
function hasDocuments(cli: Cli): Promise<boolean> {
  return fileExists(join(dataDirOf(cli.globals.data, cli), 'knowledge.db'))
}

/** The agent's file, relative to the working directory. */
function originOf({ cwd }: Cli, { agentFiles, config }: App, { name }: Agent): string {
  const file = agentFiles.get(name)
  if (file !== undefined) return relative(cwd, file).startsWith('..') ? file : relative(cwd, file)
  if (name.startsWith('mcp_agent_')) return 'an MCP server'
  return config.agents.some((agent) => agent.name === name) ? 'the configuration' : 'built in'
}

/** The declaration of an agent. */
function describe(agent: Agent, origin: string) {
  const { name, description, capabilities, useCases, requiredContext = [], tools = [], unavailable } = agent
  return {
    name,
    origin,
    ...(unavailable === undefined ? {} : { unavailable }),
    description,
    capabilities,
    useCases,
    requiredContext,
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description, effect: tool.effect })),
  }
}

function agentText(cli: Cli, agent: ReturnType<typeof describe>): string {
  return [
    `${cli.out.style.bold(safeLine(agent.name))}  ${safeLine(agent.description)}`,
    `  from   ${safeLine(agent.origin)}`,
    ...(agent.unavailable === undefined ? [] : [`  now    cannot work: ${safeLine(agent.unavailable)}`]),
    ...(agent.capabilities.length === 0 ? [] : [`  can    ${safeLine(agent.capabilities.join('; '))}`]),
    ...(agent.requiredContext.length === 0 ? [] : [`  needs  ${safeLine(agent.requiredContext.join(', '))}`]),
    ...agent.tools.map((tool) => `  tool   ${safeLine(`${tool.name} (${tool.effect}): ${tool.description}`)}`),
  ].join('\n')
}
