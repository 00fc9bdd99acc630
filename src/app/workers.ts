import type { WorkerSettings } from '../agents/worker/settings.ts'
import type { Agent } from '../core/actor.ts'
import { TuttiError } from '../core/errors.ts'
import type { Embedder } from '../knowledge/types.ts'
import { asWorker } from '../agents/worker/worker.ts'
import type { EmbedTask, SkillShelf } from '../memory/skills/tools.ts'
import type { Config } from './config.ts'
import { defined } from './options.ts'

/** What costs calls, or tells agents of one another, is off unless it is asked for, but in the strategy `supervisor`. */
const USUAL: WorkerSettings = { reflection: 'off', rejections: 1, context: false, skills: false }
const SUPERVISED: WorkerSettings = { reflection: 'model', rejections: 1, context: true, skills: true }

export interface SettingsOfAgent {
  readonly settings: WorkerSettings
  /** In the strategy `supervisor` with a model. */
  readonly supervised: WorkerSettings
}

/**
 * What is done around the work of each agent, by its name.
 * @throws TuttiError `ConfigurationError` for an agent that there is not, and for skills without reflection
 */
export function workerSettings({ workers }: Config, names: readonly string[]): (agent: string) => SettingsOfAgent {
  const { agents: own, ...all } = workers
  const unknown = Object.keys(own).filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    throw wrong(`workers.agents names ${unknown.join(', ')}, and there are the agents ${names.join(', ')}`)
  }
  const settingsOf = (agent?: string): SettingsOfAgent => {
    const set = { ...defined(all), ...defined((agent === undefined ? undefined : own[agent]) ?? {}) }
    const supervised = { ...SUPERVISED, ...set }
    // Nothing is learnt from results that nobody looked at.
    const learns = set.skills ?? supervised.reflection !== 'off'
    return { settings: { ...USUAL, ...set }, supervised: { ...supervised, skills: learns } }
  }
  const settings = new Map(names.map((name) => [name, settingsOf(name)]))
  const usual = settingsOf()
  if ([usual, ...settings.values()].some(({ settings: { skills, reflection } }) => skills && reflection === 'off')) {
    throw wrong(
      'workers.skills learns from results that were looked at again; set workers.reflection to rules or model',
    )
  }
  return (agent) => settings.get(agent) ?? usual
}

/** Puts around an agent what is done around its work. */
export function dressWith(settingsOf: (agent: string) => SettingsOfAgent, shelf: SkillShelf): (agent: Agent) => Agent {
  return (agent) => {
    const { settings, supervised } = settingsOf(agent.name)
    return asWorker(agent, settings, shelf, supervised)
  }
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
