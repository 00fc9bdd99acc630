import type { WorkerSettings } from '../agents/agent-middleware/worker.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Config } from './config/schema.ts'
import { omitUndefined } from '../shared/json.ts'

/** Options that cost calls or share data between agents are off by default, except in the strategy `supervisor`. */
const USUAL: WorkerSettings = { reflection: 'off', rejections: 1, context: false, skills: false }
const SUPERVISED: WorkerSettings = { reflection: 'model', rejections: 1, context: true, skills: true }

interface SettingsOfAgent {
  readonly settings: WorkerSettings
  /** In the strategy `supervisor` with a model. */
  readonly supervised: WorkerSettings
}

/**
 * Middleware settings by agent name.
 * @throws TuttiError `ConfigurationError` for an unknown agent, and for skills without reflection
 */
export function workerSettings({ workers }: Config, names: readonly string[]): (agent: string) => SettingsOfAgent {
  const { agents: own, ...all } = workers
  const unknown = Object.keys(own).filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    throw wrong(`workers.agents names ${unknown.join(', ')}, and there are the agents ${names.join(', ')}`)
  }
  const settingsOf = (agent?: string): SettingsOfAgent => {
    const set = { ...omitUndefined(all), ...omitUndefined((agent === undefined ? undefined : own[agent]) ?? {}) }
    const supervised = { ...SUPERVISED, ...set }
    // Unchecked results are not learnt from.
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

function wrong(message: string): TuttiError {
  return new TuttiError('ConfigurationError', `${message}.`)
}
