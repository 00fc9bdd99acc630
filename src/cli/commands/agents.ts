import type { Agent } from '../../core/actor.ts'
import type { Cli, GlobalOptions } from '../cli.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { safeLine } from '../render/text.ts'

/** `tutti agents`: what each agent is for and what its tools do to the world. */
export async function listAgents(
  cli: Cli,
  globals: GlobalOptions,
  { json }: { readonly json?: boolean },
): Promise<ExitCode> {
  return withApp(cli, globals, { inMemory: true }, async ({ agents }) => {
    if (json === true) printJson(cli, { agents: agents.map(describe) })
    else cli.out.line(agents.map((agent) => agentText(cli, describe(agent))).join('\n\n'))
    return EXIT.ok
  })
}

/** The declared part of an agent. */
function describe({ name, description, capabilities, useCases, requiredContext = [], tools = [] }: Agent) {
  return {
    name,
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
    `  can    ${safeLine(agent.capabilities.join('; '))}`,
    ...(agent.requiredContext.length === 0 ? [] : [`  needs  ${safeLine(agent.requiredContext.join(', '))}`]),
    ...agent.tools.map((tool) => `  tool   ${safeLine(`${tool.name} (${tool.effect}): ${tool.description}`)}`),
  ].join('\n')
}
