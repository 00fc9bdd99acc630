import { TuttiError } from '../core/errors.ts'
import type { Task } from '../core/plan.ts'
import type { Outcome, Result } from '../core/result.ts'
import type { Actor, ActorCall } from './actor-call.ts'
import { loggedError } from './plain.ts'

/** What the log keeps of a job: what its actor came back with, and what the engine knows of it besides. */
export function resultOf(call: ActorCall, outcome: Outcome, latencyMs: number): Result {
  return {
    ...outcome,
    // Agents in plain JavaScript may return nothing at all.
    status: outcome?.status ?? 'succeeded',
    provenance: call.provenance,
    latencyMs,
    ...(call.usage.calls === 0 ? {} : { usage: call.usage }),
    ...(call.models.size === 0 ? {} : { models: [...call.models] }),
  }
}

/** The outcome of a job whose actor threw. What it had got so far may be given as the error's detail `partial`. */
export function failedOutcome(error: TuttiError): Outcome {
  const info = loggedError(error)
  const partial = info.details?.['partial']
  return { status: 'failed', error: info, ...(partial === undefined ? {} : { partial }) }
}

/** Stands in for an actor that does not exist, such as an agent that was taken out while its run waited. */
export function unknownActor(name: string, actors: ReadonlyMap<string, Actor>): Actor {
  const known = [...actors.keys()].sort().join(', ')
  const error = new TuttiError('UnknownAgent', `There is no actor "${name}". Known: ${known}.`)
  return { name, isRole: false, limits: {}, run: () => Promise.reject(error) }
}

/** Whether the input of a job makes it a specialist's. */
export function isTask(input: unknown): input is Task {
  return typeof input === 'object' && input !== null && 'agent' in input && 'id' in input
}
