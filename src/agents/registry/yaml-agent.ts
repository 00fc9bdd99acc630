import type { Agent } from '../../core/actor.ts'
import { toolAgent } from '../tool-agent/tool-agent.ts'
import type { KnownTool } from '../tool-agent/tools.ts'
import type { Definition } from './definition.ts'

/**
 * The agent that a file declares.
 * @param unavailable why it cannot work, such as an MCP server that does not answer
 */
export function yamlAgent(definition: Definition, tools: readonly KnownTool[], unavailable?: string): Agent {
  const { name, description, capabilities, useCases, maxSteps, requiredContext, retries, timeout, model } = definition
  const temperature = definition.temperature ?? model?.temperature
  const maxOutputTokens = definition.maxOutputTokens ?? model?.maxOutputTokens
  const { instructions, output } = definition.prompt ?? {}
  return toolAgent({
    name,
    description,
    capabilities,
    useCases,
    keywords: (definition.keywords ?? capabilities).map((word) => word.toLowerCase().replaceAll('_', ' ')),
    tools,
    maxSteps,
    limits: {
      ...(timeout === undefined ? {} : { timeoutMs: timeout }),
      ...(retries === undefined ? {} : { retries }),
    },
    ...(instructions === undefined ? {} : { instructions }),
    ...(output === undefined ? {} : { output }),
    ...(model?.name === undefined ? {} : { model: model.name }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(requiredContext === undefined ? {} : { requiredContext }),
    ...(unavailable === undefined ? {} : { unavailable }),
  })
}
