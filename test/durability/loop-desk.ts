/**
 * The tool loop that is killed: an agent declared in YAML whose first turn requests a read, a read that fails and a mail. It can be
 * opened as after an upgrade: with another prompt, another tool and another schema.
 */
import { appendFile, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { definitionSchema } from '../../src/agents/registry/definition.ts'
import { yamlAgent } from '../../src/agents/registry/yaml-file.ts'
import { knownTool } from '../../src/agents/tool-agent/tools.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { BY_USER } from '../../src/domain/provenance.ts'
import { parseRequest, type RunRequest } from '../../src/domain/request.ts'
import { isSettled } from '../../src/domain/state.ts'
import type { RunStore } from '../../src/domain/store.ts'
import type { Strategy } from '../../src/domain/strategy.ts'
import { defineTool, loopTool } from '../../src/domain/tool.ts'
import { Engine } from '../../src/engine/engine.ts'
import { createModels } from '../../src/models/registry.ts'
import { modelsConfigFromEnv } from '../../src/app/config/models.ts'
import type { Rule } from '../support/model-server.ts'

export const JOB = 'desk'
export const ANSWER = 'Ann has it.'

export const LOOP_RULES: readonly Rule[] = [
  {
    when: ({ messages }) => messages.at(-1)?.role !== 'tool',
    reply: {
      toolCalls: [
        { name: 'look', arguments: { n: 1 } },
        { name: 'lost', arguments: {} },
        { name: 'send', arguments: { to: 'Ann' } },
      ],
    },
  },
  { reply: { text: ANSWER } },
]

export interface LoopDeskOptions {
  readonly store: RunStore
  readonly modelUrl: string
  /** Each call adds a line to this file: `look`, or the idempotency key of a mail. */
  readonly outbox: string
  readonly isUpgraded?: boolean
  /** Called right before and right after a mail is sent, before the engine knows the result. */
  readonly aroundMail?: (when: 'before mail' | 'after mail') => void | Promise<void>
}

export const loopRequest = (): RunRequest => parseRequest({ question: 'Write to Ann.', strategy: 'graph' }, new Set())

const onlyTask: Strategy = {
  name: 'graph',
  next: ({ jobs }) => {
    const task = { id: JOB, agent: JOB, dependsOn: [] }
    return isSettled(jobs.get(JOB)) ? { finish: 'answered' } : [{ key: JOB, actor: JOB, input: task }]
  },
}

/** An engine on the given store. */
export function openLoopDesk({ store, modelUrl, outbox, isUpgraded = false, aroundMail }: LoopDeskOptions): Engine {
  const later = isUpgraded ? { language: z.string().default('en') } : {}
  const about = {
    description: isUpgraded ? 'Another wording.' : 'A tool.',
    provenance: BY_USER,
    reach: 'inside' as const,
  }
  const look = defineTool({
    ...about,
    name: 'look',
    effect: 'read',
    input: z.object({ n: z.number(), ...later }),
    run: async () => (await appendFile(outbox, 'look\n'), 'seen'),
  })
  const lost = defineTool({
    ...about,
    name: 'lost',
    effect: 'read',
    input: z.object({}),
    run: () => Promise.reject(new Error('gone')),
  })
  const send = defineTool({
    ...about,
    name: 'send',
    effect: 'irreversible',
    input: z.object({ to: z.string(), ...later }),
    async run(_input, { idempotencyKey }) {
      await aroundMail?.('before mail')
      await appendFile(outbox, `${idempotencyKey}\n`)
      await aroundMail?.('after mail')
      return 'sent'
    },
    async check(_input, idempotencyKey) {
      const lines = (await readFile(outbox, 'utf8').catch(() => '')).split('\n')
      return lines.includes(idempotencyKey) ? { state: 'done', output: 'sent' } : { state: 'not-done' }
    },
  })
  const added = defineTool({ ...about, name: 'a_new_tool', effect: 'read', input: z.object({}), run: async () => '' })
  const source = { kind: 'api', name: JOB } as const
  const bound = [loopTool(look, source), loopTool(lost, source), loopTool(send, source), loopTool(added, source)]
  const tools = isUpgraded ? bound : bound.slice(0, -1)
  const definition = definitionSchema.parse({
    name: JOB,
    description: 'Works at a desk.',
    prompt: isUpgraded ? 'Be quick.' : 'Take your time.',
    tools: tools.map(({ tool }) => tool.name),
  })
  const env = { TUTTI_MODEL_URL: modelUrl, TUTTI_MODEL: 'compatible:scripted' }
  return new Engine({
    store,
    models: createModels(modelsConfigFromEnv(env), { clock: systemClock }),
    strategies: [onlyTask],
    roles: [],
    agents: [yamlAgent(definition, { tools: tools.map(knownTool) })],
  })
}
