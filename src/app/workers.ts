import type { WorkerSettings } from '../agents/worker/settings.ts'
import type { Agent } from '../core/actor.ts'
import { TuttiError } from '../core/errors.ts'
import type { Embedder } from '../knowledge/types.ts'
import type { EmbedTask } from '../memory/skills/tools.ts'
import type { Config } from './config.ts'
import { defined } from './options.ts'

/** What costs calls, or tells agents of one another, is off unless it is asked for. */
const USUAL: WorkerSettings = { reflection: 'off', rejections: 1, context: false, skills: false }

/**
 * What is done around the work of each agent, by its name.
 * @throws TuttiError `ConfigurationError` for an agent that there is not, and for skills without reflection
 */
export function workerSettings({ workers }: Config, names: readonly string[]): (agent: string) => WorkerSettings {
  const { agents: own, ...all } = workers
  const unknown = Object.keys(own).filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    throw wrong(`workers.agents names ${unknown.join(', ')}, and there are the agents ${names.join(', ')}`)
  }
  const usual = { ...USUAL, ...defined(all) }
  const settings = new Map(names.map((name) => [name, { ...usual, ...defined(own[name] ?? {}) }]))
  if ([usual, ...settings.values()].some(({ skills, reflection }) => skills && reflection === 'off')) {
    throw wrong(
      'workers.skills learns from results that were looked at again; set workers.reflection to rules or model',
    )
  }
  return (agent) => settings.get(agent) ?? usual
}

/** The same agents with what is done around their work; for one list always one list, by which it is known again. */
export function asWorkers(dress: (agent: Agent) => Agent): (agents: readonly Agent[]) => readonly Agent[] {
  const made = new WeakMap<readonly Agent[], readonly Agent[]>()
  return (agents) => {
    const dressed = made.get(agents) ?? agents.map(dress)
    made.set(agents, dressed)
    return dressed
  }
}

function wrong(message: string): TuttiError {
  return new TuttiError('ConfigurationError', `${message}.`)
}

/** Words find skills, too: a model that cannot be reached makes no run fail. */
export function embedTask(embedder: Embedder | undefined): { readonly embed?: EmbedTask } {
  if (embedder === undefined) return {}
  const { model } = embedder
  return {
    embed: async (task) => {
      const [vector] = await embedder.embed([task], 'query').catch(() => [])
      return vector === undefined ? undefined : { model, values: [...vector] }
    },
  }
}
