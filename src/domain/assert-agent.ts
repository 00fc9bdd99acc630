import { z } from 'zod'
import { assertDeclared, field } from './declaration.ts'
import type { Agent } from './actor.ts'

const planningSchema = z.object({
  rank: z.number().optional(),
  isDefault: field.flag.optional(),
  worksOnResults: field.flag.optional(),
  acts: field.flag.optional(),
  understands: field.function.optional(),
  offers: field.function.optional(),
})

const agentSchema = z.object({
  name: field.text,
  description: field.text,
  capabilities: field.texts,
  useCases: field.texts,
  keywords: field.texts,
  run: field.function,
  planning: field.object.optional(),
  label: field.text.optional(),
  requiredContext: field.texts.optional(),
  unavailable: field.text.optional(),
  lacking: field.texts.optional(),
  worksAnyway: field.function.optional(),
  model: field.text.optional(),
  typicalLatencyMs: z.number().optional(),
  followsInstructions: field.flag.optional(),
  tools: field.list.optional(),
  limits: field.object.optional(),
  output: field.schema.optional(),
  createTools: field.function.optional(),
  toolkit: field.function.optional(),
  holds: field.function.optional(),
})

/** Validates the declaration of an agent. @throws TuttiError `ConfigurationError` in one sentence */
export function assertAgent(agent: Agent): void {
  assertDeclared('agent', agent, agentSchema)
  if (agent.planning !== undefined)
    assertDeclared(`planning of the agent "${agent.name}"`, agent.planning, planningSchema)
}
