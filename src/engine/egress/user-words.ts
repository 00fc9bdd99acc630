import { plannedTask } from '../../domain/job.ts'
import type { Task } from '../../domain/plan.ts'
import { isByUser } from '../../domain/provenance.ts'
import { isSecretName } from '../../shared/secret-names.ts'
import type { ApprovalState, RunState } from '../../domain/state.ts'
import type { ActorCall } from '../calls/actor-call.ts'

/** Context keys whose values are only for services and never the user's words. */
function isServiceKey(name: string): boolean {
  return isSecretName(name) || /session/i.test(name)
}

/**
 * The user's own words that a job may send out: the question, the context, what the user added to the run or wrote when
 * deciding on calls, and earlier questions of the conversation. A task that was planned from these alone counts as
 * well, since its planner had read nothing that could leak.
 */
export function outgoingUserWords({ host, job }: ActorCall): readonly string[] {
  const { state } = host
  const { plan } = state
  // A nested run's question was written by a job, not by a user.
  const request = isByUser(state.provenance) ? [state.request.question, ...textsIn(state.request.context)] : []
  const planned =
    plan !== undefined && isByUser(plan.provenance) && isByUser(state.provenance)
      ? plannedTexts(plannedTask(state, job.input))
      : []
  return [...request, ...planned, ...userTexts(state)].filter((text) => text !== '')
}

function plannedTexts(task: Task | undefined): string[] {
  return task === undefined ? [] : [task.text ?? '', ...textsIn(task.entities ?? {})]
}

function userTexts(state: RunState): string[] {
  const { recent = [] } = state.recollection ?? {}
  const earlier = recent.filter(({ role, provenance }) => role === 'user' && isByUser(provenance))
  return [...userMessages(state), ...earlier.map(({ text }) => text)]
}

/** Additions of the user to the run, instructions given with decisions, and replies to questions. */
export function userMessages({ approvals, said }: RunState): string[] {
  return [...[...approvals.values()].flatMap(instructionsIn), ...said]
}

/**
 * The parts of a reply that the question did not offer. A choice copied from the question counts as the asking job's
 * words.
 */
function instructionsIn({ instructions, question }: ApprovalState): string[] {
  if (instructions === undefined || question === undefined) return instructions === undefined ? [] : [instructions]
  const offered = question.split('\n').map((line) => line.replace(/^- /, '').trim())
  const own = offered
    .filter((line) => line !== '')
    .toSorted((a, b) => b.length - a.length)
    .reduce((reply, line) => reply.replaceAll(wholeWords(line), '\n'), instructions)
    .trim()
  return question.includes(own) ? [] : own.split('\n')
}

function wholeWords(text: string): RegExp {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'gu')
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return Object.entries(value).flatMap(([key, inner]) => (isServiceKey(key) ? [] : textsIn(inner)))
}

const MAX_VALUES = 20_000
/** Total size of all values: a text of a million characters is stored whole, by lines and by parts. */
const MAX_CHARS = 4_000_000
/** Folders are looked for in pieces of at most so many characters: each costs the path before it once more. */
const MAX_PATH_CHARS = 300
const MAX_FOLDERS = 16

/**
 * Values that a destination returned, as they are and in lower case: strings and numbers of its output, and for texts
 * also the lines, the pieces between spaces and punctuation, and the folders of paths, since many services reply in
 * prose. Each choice among them costs bits, so pieces of a long text cost more.
 */
export function returnedValues(output: unknown): ReadonlySet<string> {
  const values = new Set<string>()
  let remaining = MAX_CHARS
  const add = (value: string): void => {
    if (value === '' || values.size >= MAX_VALUES || value.length > remaining || values.has(value)) return
    values.add(value).add(value.toLowerCase())
    remaining -= value.length
  }
  const visit = (value: unknown): void => {
    if (typeof value === 'number') add(String(value))
    if (typeof value === 'string') {
      add(value)
      for (const piece of value.split(/\n/)) add(piece.trim())
      for (const piece of value.split(/[\s"'`“”,;()[\]{}<>|]+/)) {
        add(piece.replace(/[.:!?]+$/, ''))
        if (piece.length > MAX_PATH_CHARS) continue
        for (const { index } of [...piece.matchAll(/\//g)].slice(0, MAX_FOLDERS)) add(piece.slice(0, index))
      }
    }
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) visit(inner)
  }
  visit(output)
  return values
}
