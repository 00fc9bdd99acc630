import { actionOf, noteActions, callWithin, doneEffect, intendedEffect } from './effects.ts'
import { withdraw, withoutJob, type Message } from './blackboard.ts'
import { TuttiError } from './errors.ts'
import type { EventBody, NewEvent, RunEvent } from './events.ts'
import { filesOfOutput } from './answer-files.ts'
import { omitUndefined, pickDefined } from '../shared/json.ts'
import { parseStepKey, isFruitless } from './job.ts'
import { markOutdated, retiredTasks, currentPlan } from './plan-changes.ts'
import { combine } from './provenance.ts'
import { isQuestion, questionText, type UserQuestion } from './approvals.ts'
import type { CallRecord, JobState, RunState } from './state.ts'
import { reduceTranscript } from './reduce-transcript.ts'
import { addUsage } from './usage.ts'

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** The state while it is folded, as mutable. */
export type StateDraft = {
  -readonly [K in keyof RunState]: RunState[K] extends ReadonlyMap<infer A, infer B> ? Map<A, B> : RunState[K]
}

/** Applies an event to the state, in place. */
export function reduce(draft: StateDraft, event: NewEvent): void {
  switch (event.type) {
    case 'run.started':
      throw new TuttiError('StorageError', `Run ${draft.runId} starts twice in its log.`)
    case 'plan.set': {
      const { key: _key, upon: _upon, ...set } = contentOf(event)
      const userPlan = currentPlan(draft, event)
      // A planner only adds to the tasks that exist.
      const isAddition = userPlan === undefined && set.by === 'planner'
      const retired = isAddition
        ? (draft.plan?.retired ?? [])
        : retiredTasks(draft, userPlan?.plan ?? set.plan, set.plan)
      // A user's change of the plan does not make impossible parts possible.
      const kept = set.by === 'user' && draft.plan !== undefined ? pickDefined(draft.plan, ['notPossible']) : {}
      const next = userPlan ?? { ...set, ...kept }
      const asked = next.by === 'supervisor' ? (draft.plan?.asked ?? draft.plan?.plan.tasks) : undefined
      const round = (draft.plan?.round ?? 0) + 1
      draft.plan = { ...next, ...omitUndefined({ asked }), ...(retired.length === 0 ? {} : { retired }), round }
      if (retired.length > 0) for (const job of draft.jobs.values()) markOutdated(draft, job)
      return
    }
    case 'job.started': {
      const { key, replaces } = event
      const startedAt = draft.jobs.get(key)?.startedAt ?? event.at
      const step = parseStepKey(key)
      const round = step?.round ?? 1 + (replaces === undefined ? 0 : jobOf(draft, replaces).round)
      if (step !== undefined) noteStep(draft, step.name, key)
      if (replaces !== undefined) {
        jobOf(draft, replaces).supersededBy = key
        withdraw(draft.shared, replaces)
      }
      const job: Writable<JobState> = { ...contentOf(event), status: 'running', round, startedAt }
      restart(draft, job)
      // It was begun while the change of the plan was being written to the log.
      if (draft.plan?.retired !== undefined) markOutdated(draft, job)
      return
    }
    case 'job.retrying': {
      const job = jobOf(draft, event.key)
      job.attempt = event.attempt
      if (event.rejected !== undefined) job.rejections = [...(job.rejections ?? []), event.rejected]
      return
    }
    case 'job.settled': {
      const job = jobOf(draft, event.key)
      const turnsBefore = turnsOf(job)
      job.status = event.result.status
      job.result = event.result
      draft.resultProvenance = combine([draft.resultProvenance, event.result.provenance])
      draft.turns += turnsOf(job) - turnsBefore
      settleCalls(draft, job)
      draft.takeovers = 0
      return
    }
    case 'call.finished':
      rememberCall(draft, event)
      if (event.effect === 'write') noteActions(draft, event.key, [actionOf(event)])
      draft.takeovers = 0
      if (event.kind === 'model') draft.usage = addUsage(draft.usage, event.usage, event.requests ?? 0)
      return
    case 'transcript.started':
    case 'turn.finished':
    case 'call.answered':
    case 'transcript.compacted': {
      const { key } = event
      if (event.type === 'turn.finished') draft.usage = addUsage(draft.usage, event.usage, event.requests)
      draft.takeovers = 0
      const attempt = draft.jobs.get(key)?.attempt ?? 1
      draft.transcripts.set(key, reduceTranscript(draft.transcripts.get(key), event, attempt, draft.transcripts))
      return
    }
    case 'message':
      ;(draft.messages as Message[]).push(contentOf(event))
      draft.resultProvenance = combine([draft.resultProvenance, event.provenance])
      return
    case 'shared.set': {
      const before = withoutJob(draft.shared.get(event.name), event.key)
      draft.shared.set(event.name, { ...contentOf(event), ...omitUndefined({ before }) })
      draft.resultProvenance = combine([draft.resultProvenance, event.provenance])
      return
    }
    case 'approval.requested': {
      const { approvalId, key, payload, provenance } = event
      const question = isQuestion(event) ? questionText(payload as UserQuestion) : undefined
      const call = pickDefined(event, ['approvalId', 'key', 'path', 'tool', 'expiresAt', 'destination'])
      const approval = question === undefined ? call : { ...call, question, provenance }
      draft.approvals.set(approvalId, approval)
      draft.openApprovals.set(approvalId, approval)
      const job = draft.jobs.get(key) as Writable<JobState> | undefined
      if (job !== undefined && job.approvals?.includes(approvalId) !== true) {
        job.approvals = [...(job.approvals ?? []), approvalId]
      }
      return
    }
    case 'approval.decided': {
      const approval = draft.approvals.get(event.approvalId)
      if (approval === undefined || approval.decision !== undefined) return
      draft.openApprovals.delete(event.approvalId)
      const decided = { ...approval, ...contentOf(event) }
      draft.approvals.set(event.approvalId, decided)
      if (event.decision === 'approved' && event.scope === 'run') {
        draft.runApprovals = [...draft.runApprovals, decided]
      }
      return
    }
    case 'effect.intended': {
      const { effects, sameEffects } = draft
      const call = callWithin(event.key, event.path)
      if (!effects.has(event.path)) sameEffects.set(call, [...(sameEffects.get(call) ?? []), event.path])
      effects.set(event.path, intendedEffect(effects.get(event.path), draft.jobs.get(event.key), event))
      noteEffect(draft, event)
      return
    }
    case 'effect.done':
      draft.effects.set(event.path, doneEffect(draft.effects.get(event.path), event))
      draft.takeovers = 0
      noteEffect(draft, event)
      noteFiles(draft, event)
      return
    case 'child.started':
      draft.children.set(event.path, event.childId)
      if (event.budget !== undefined) draft.childBudgets.set(event.childId, event.budget)
      return
    case 'child.finished':
      countChild(draft, event)
      noteActions(draft, event.key, event.actions ?? [])
      draft.takeovers = 0
      return
    case 'run.resumed':
      // In a fork the shared events are older than its start.
      draft.activeMs += Math.max(0, Date.parse(draft.lastAt) - Date.parse(draft.sessionStart))
      draft.awayMs += Math.max(0, Date.parse(event.at) - Date.parse(draft.lastAt))
      draft.sessionStart = event.at
      if (event.takenFrom !== undefined) draft.takeovers += 1
      return
    case 'answer.delta':
      if (event.part > draft.answerPart) {
        draft.answerPart = event.part
        draft.answerText = ''
      }
      // Cutting it at its very end would copy the whole text for each piece.
      if (event.offset < draft.answerText.length) draft.answerText = draft.answerText.slice(0, event.offset)
      draft.answerText += event.text
      return
    case 'answer.composed': {
      const { key: _key, answer: text, ...about } = contentOf(event)
      draft.answer = { text, ...about }
      return
    }
    case 'budget.exhausted':
      draft.exhausted ??= contentOf(event)
      return
    case 'egress.counted':
      draft.egressBits.set(event.to, new Map(draft.egressBits.get(event.to)).set(event.path, event.bits))
      return
    case 'user.said':
      draft.said = [...draft.said, event.text]
      return
    case 'run.cancelling':
      draft.cancelling ??= { by: event.by }
      return
    case 'run.finished':
    case 'run.failed':
    case 'run.cancelled':
      draft.status = event.type === 'run.finished' ? 'finished' : event.type === 'run.failed' ? 'failed' : 'cancelled'
      draft.endedAt = event.at
      if (event.type === 'run.failed') draft.error = event.error
      return
    case 'effect.unknown':
      // A write that was cut off; irreversible calls are known by their intents.
      if (!draft.effects.has(event.path)) {
        noteActions(draft, event.key, [{ tool: event.tool, effect: 'write', error: event.reason }])
      }
      return
    case 'note':
    case 'effect.claimed':
      return
    default:
      // Written by a newer version. Unknown events stay in the log and are ignored here.
      event satisfies never
  }
}

/** An event without its type and its place in the log. */
function contentOf<E extends NewEvent>(event: E): Omit<E, 'type' | 'at' | 'secrets'> {
  const { type: _type, at: _at, secrets: _secrets, runId: _runId, seq: _seq, v: _v, ...content } = event as E & RunEvent
  return content as unknown as Omit<E, 'type' | 'at' | 'secrets'>
}

/** Puts the step that started last at the end. */
function noteStep({ steps }: StateDraft, name: string, key: string): void {
  const keys = (steps.get(name) ?? []).filter((other) => other !== key)
  steps.delete(name)
  steps.set(name, [...keys, key])
}

function jobOf(draft: StateDraft, key: string): Writable<JobState> {
  const job = draft.jobs.get(key) as Writable<JobState> | undefined
  if (job === undefined) throw new TuttiError('StorageError', `Job "${key}" is in the log before its start.`)
  return job
}

/**
 * Drops the calls of a settled job, except tool outputs behind a model-worded result: the answer is checked against
 * them. A long run would keep all of them in memory otherwise.
 */
function settleCalls({ calls }: StateDraft, { key, result }: JobState): void {
  const isWorded = result?.status === 'succeeded' && (result.models?.length ?? 0) > 0
  const records = isWorded ? [...(calls.get(key) ?? [])].filter(([, { kind }]) => kind === 'tool') : []
  if (records.length === 0) calls.delete(key)
  else calls.set(key, new Map(records))
}

function rememberCall(draft: StateDraft, event: CallRecord & Partial<RunEvent>): void {
  // The end of a call that its job did not wait for: it counts in the usage and is of no other use.
  if (draft.jobs.get(event.key)?.result !== undefined) return
  if (event.kind === 'tool') noteFiles(draft, event)
  // Its place in the log, which who writes it does not know yet, is no part of it.
  const { runId: _runId, seq: _seq, v: _v, ...call } = event
  const calls = draft.calls.get(call.key) as Map<string, CallRecord> | undefined
  if (calls === undefined) draft.calls.set(call.key, new Map([[call.path, call]]))
  else calls.set(call.path, call)
}

function noteFiles({ files }: StateDraft, { key, output }: { readonly key: string; readonly output?: unknown }): void {
  const stored = filesOfOutput(output)
  if (stored.length > 0) files.set(key, [...(files.get(key) ?? []), ...stored])
}

type ChildFinished = Extract<EventBody, { type: 'child.finished' }>

/**
 * Adds a nested run's usage to its parent; of its time only the part during which the parent was not running itself.
 */
function countChild(draft: StateDraft, { childId, usage, turns = 0, activeMs = 0 }: ChildFinished): void {
  draft.childBudgets.delete(childId)
  draft.finishedChildren = new Set(draft.finishedChildren).add(childId)
  draft.usage = addUsage(draft.usage, usage, usage.calls)
  draft.turns += turns
  const away = Math.min(activeMs, draft.awayMs)
  draft.awayMs -= away
  draft.activeMs += away
}

/** A settled job that starts again no longer has a result. */
function restart(draft: StateDraft, job: Writable<JobState>): void {
  const before = draft.jobs.get(job.key)
  if (before !== undefined) Object.assign(job, pickDefined(before, ['approvals', 'effects', 'actions', 'supersededBy']))
  draft.jobs.set(job.key, job)
  draft.turns += turnsOf(job) - turnsOf(before)
  if (before?.result !== undefined) draft.calls.delete(job.key)
}

function noteEffect(draft: StateDraft, { key, path }: { readonly key: string; readonly path: string }): void {
  const job = draft.jobs.get(key) as Writable<JobState> | undefined
  if (job !== undefined && job.effects?.includes(path) !== true) job.effects = [...(job.effects ?? []), path]
}

/** Roles take no turn, nor do tasks that were skipped because inputs were missing. */
function turnsOf(job: JobState | undefined): number {
  return job?.task === undefined || isFruitless(job) ? 0 : 1
}
