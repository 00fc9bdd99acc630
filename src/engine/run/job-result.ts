import { TuttiError, type ErrorInfo } from '../../domain/errors.ts'
import type { Job } from '../../domain/job.ts'
import type { Outcome, Result } from '../../domain/result.ts'
import { isSettled, type RunState } from '../../domain/state.ts'
import type { Actor, ActorCall } from '../calls/actor-call.ts'
import { loggedError } from '../log/plain-json.ts'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** The logged result of a job: its actor's outcome, and the engine's metadata. */
export function resultOf(call: ActorCall, outcome: Outcome, latencyMs: number): Result {
  // Agents in plain JavaScript may return nothing at all.
  const status = outcome?.status ?? 'succeeded'
  // Object.assign instead of a spread with further fields, which would take a tenth of a job's time.
  const known = { status, provenance: call.provenance, latencyMs }
  const result: Writable<Result> = Object.assign({}, outcome, known)
  if (call.usage.calls > 0) result.usage = call.usage
  if (call.models.length > 0) result.models = call.models
  if (call.effectiveTask !== undefined) result.effectiveTask = call.effectiveTask
  return status === 'failed' ? withWhatWasDone(call, result) : result
}

/** A failure does not undo a job's earlier effects: the error names them, and their outputs are part of the result. */
function withWhatWasDone({ host, job }: ActorCall, result: Writable<Result>): Result {
  const { jobs, effects } = host.state
  const effectsDone = (jobs.get(job.key)?.effects ?? []).flatMap((path) => {
    const effect = effects.get(path)
    if (effect?.state !== 'done' || effect.error !== undefined) return []
    return [{ tool: effect.origin.tool, ...(effect.output === undefined ? {} : { output: effect.output }) }]
  })
  if (effectsDone.length === 0) return result
  const tools = [...new Set(effectsDone.map(({ tool }) => `"${tool}"`))].join(', ')
  const error = result.error ?? { type: 'Internal', message: 'The agent failed.' }
  const sentence = /[.!?…]$/.test(error.message) ? error.message : `${error.message}.`
  const message = `${sentence} Done before that, and it stays done: ${tools}.`
  return { ...result, error: { ...error, message }, partial: result.partial ?? { done: effectsDone } }
}

/**
 * The outcome of a job whose actor threw. The error detail `partial` may hold its results so far; for a call that was
 * not approved, the reason and the tools.
 */
export function failedOutcome({ declined }: ActorCall, error: TuttiError): Outcome {
  const info = loggedError(error)
  if (info.type === 'PlanningDeclined') return { ...declined, status: 'failed', error: info }
  const partial = info.details?.['partial'] ?? refusedPart(info)
  return { status: 'failed', error: info, ...(partial === undefined ? {} : { partial }) }
}

function refusedPart({ type, details = {} }: ErrorInfo): unknown {
  const isRefused = type === 'ApprovalDenied' || type === 'ApprovalTimedOut'
  return isRefused && 'reason' in details ? { reason: details['reason'], tools: [details['tool']] } : undefined
}

/** Replaces a missing actor, such as an agent that was removed while its run waited. Every job of it fails. */
export function unknownActor(name: string, actors: ReadonlyMap<string, Actor>): Actor {
  const known = [...actors.keys()].sort().join(', ')
  const error = new TuttiError('UnknownAgent', `There is no actor "${name}". Known: ${known}.`)
  return { name, isRole: false, limits: {}, run: () => Promise.reject(error) }
}

/** @throws TuttiError `Internal` for a strategy that starts a job before its dependencies have settled */
export function assertDue({ key, dependsOn = [], replaces }: Job, state: RunState): void {
  const awaited = replaces === undefined ? dependsOn : [...dependsOn, replaces]
  const early = awaited.filter((other) => !isSettled(state.jobs.get(other)))
  if (early.length > 0) throw new TuttiError('Internal', `Job "${key}" is due before ${early.join(', ')} settled.`)
  const by = replaces === undefined ? key : (state.jobs.get(replaces)?.supersededBy ?? key)
  if (by !== key) throw new TuttiError('Internal', `Job "${key}" is to replace "${replaces}", which "${by}" replaced.`)
}
