import { plannedTask } from '../../core/attempts.ts'
import type { Task } from '../../core/plan.ts'
import { isByUser } from '../../core/provenance.ts'
import { isSecretName } from '../../core/secret-names.ts'
import type { RunState } from '../../core/state.ts'
import type { ActorCall } from '../calls/actor-call.ts'

/** Keys of a context whose values are for services alone, and never words of the user. */
function isNoWord(name: string): boolean {
  return isSecretName(name) || /session/i.test(name)
}

/**
 * The user's own words as far as a job may repeat them to the outside: the question, the context, what the user added to the
 * run or said when deciding on calls, and earlier questions of the conversation. A task that was planned from nothing else counts, too:
 * whoever planned it knew nothing that could leak.
 */
export function ownWords({ host, job }: ActorCall): readonly string[] {
  const { state } = host
  const { plan } = state
  // A nested run's request is written by a job, not by a person.
  const request = isByUser(state.provenance) ? [state.request.question, ...textsIn(state.request.context)] : []
  const planned =
    plan !== undefined && isByUser(plan.provenance) && isByUser(state.provenance)
      ? plannedTexts(plannedTask(state, job.input))
      : []
  return [...request, ...planned, ...saidBy(state)].filter((text) => text !== '')
}

function plannedTexts(task: Task | undefined): string[] {
  return task === undefined ? [] : [task.text ?? '', ...textsIn(task.entities ?? {})]
}

function saidBy({ approvals, recollection, said }: RunState): string[] {
  const instructions = [...approvals.values()].flatMap(({ instructions: text }) => text ?? [])
  const earlier = (recollection?.recent ?? []).filter(({ role, provenance }) => role === 'user' && isByUser(provenance))
  return [...instructions, ...said, ...earlier.map(({ text }) => text)]
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return Object.entries(value).flatMap(([key, inner]) => (isNoWord(key) ? [] : textsIn(inner)))
}
