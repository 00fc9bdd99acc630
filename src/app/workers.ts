import type { WorkerSettings } from '../agents/worker/settings.ts'
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
  const settings = new Map(names.map((name) => [name, { ...USUAL, ...defined(all), ...defined(own[name] ?? {}) }]))
  if ([...settings.values()].some(({ skills, reflection }) => skills && reflection === 'off')) {
    throw wrong(
      'workers.skills learns from results that were looked at again; set workers.reflection to rules or model',
    )
  }
  return (agent) => settings.get(agent) ?? USUAL
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
