import type { Agent } from './actor.ts'
import { assertDeclared, RULES, type Rules } from './declaration.ts'

const PLANNING: Rules = {
  needed: {},
  optional: {
    rank: RULES.number,
    isDefault: RULES.flag,
    worksOnResults: RULES.flag,
    acts: RULES.flag,
    understands: RULES.run,
    offers: RULES.run,
  },
}

const AGENT: Rules = {
  needed: {
    name: RULES.text,
    description: RULES.text,
    capabilities: RULES.texts,
    useCases: RULES.texts,
    keywords: RULES.texts,
    run: RULES.run,
  },
  optional: {
    planning: RULES.object,
    label: RULES.text,
    requiredContext: RULES.texts,
    unavailable: RULES.text,
    lacking: RULES.texts,
    worksAnyway: RULES.run,
    model: RULES.text,
    typicalLatencyMs: RULES.number,
    tools: RULES.list,
    addresses: RULES.addresses,
    limits: RULES.object,
    output: RULES.schema,
    lend: RULES.run,
    toolkit: RULES.run,
    holds: RULES.run,
  },
}

/** Whether a declaration of an agent is one. @throws TuttiError `ConfigurationError` in one sentence */
export function assertAgent(agent: Agent): void {
  assertDeclared('agent', agent, AGENT)
  if (agent.planning !== undefined) assertDeclared(`planning of the agent "${agent.name}"`, agent.planning, PLANNING)
}
