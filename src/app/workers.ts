import type { WorkerSettings } from '../agents/agent-middleware/worker.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Config } from './config/schema.ts'

/**
 * Middleware settings of all agents, in general and in the strategy `supervisor` with a model. Options that cost calls or
 * share data between agents are off by default, except there.
 * @throws TuttiError `ConfigurationError` for skills without reflection
 */
export function workerSettings({ workers: { reflection, skills } }: Config) {
  const settings: WorkerSettings = { reflection: reflection ?? 'off', context: false, skills: skills ?? false }
  if (settings.skills && settings.reflection === 'off') {
    const message = 'workers.skills learns from results that were looked at again; set workers.reflection to model.'
    throw new TuttiError('ConfigurationError', message)
  }
  // Unchecked results are not learnt from.
  const learns = skills ?? reflection !== 'off'
  const supervised: WorkerSettings = { reflection: reflection ?? 'model', context: true, skills: learns }
  return { settings, supervised }
}
