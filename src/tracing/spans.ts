import { stepOfPath } from '../domain/effects.ts'
import type { ErrorInfo } from '../domain/errors.ts'
import { isTerminal, type RunEvent } from '../domain/events.ts'
import { omitUndefined, truncate } from '../shared/json.ts'
import { parseStepKey } from '../domain/job.ts'
import { isQuestion } from '../domain/approvals.ts'
import { modelCall, turnSpan } from './model-call.ts'
import {
  startOf,
  codeOf,
  countOf,
  tagsOf,
  spanIdOf,
  attributeText,
  type Attributes,
  type Span,
  type SpanData,
  type SpanKind,
} from './span.ts'
import { verdictIn } from './verdicts.ts'

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

/** A run to export: its log with secrets masked, and its trace. */
export interface TracedRun {
  readonly events: readonly RunEvent[]
  readonly traceId: string
  readonly conversationId?: string
}

interface Job {
  readonly started: EventOf<'job.started'>
  attempts: number
  end?: EventOf<'job.settled'>
}

const MAX_NAME_CHARS = 200

/** Name of the check of results within a job. */
const REFLECTION = 'reflection'

const UNKNOWN: ErrorInfo = { type: 'EffectUnknown', message: 'It is not known whether the call took place.' }

/**
 * Computes the spans of a run from its log, with OpenTelemetry's conventions for generative AI. IDs are derived from
 * the run ID, job keys and call paths. Operations in progress end with the last event.
 * @param withContent include texts; otherwise spans contain only names, numbers and codes
 */
export function spansOf(run: TracedRun, withContent: boolean): Span[] {
  return new Reading(run, withContent).spans
}

class Reading {
  readonly spans: Span[] = []
  private readonly run: TracedRun
  private readonly withContent: boolean
  private readonly started: EventOf<'run.started'>
  private readonly lastAt: string
  private readonly jobs = new Map<string, Job>()
  /** Open operations by position; the function writes the span. */
  private readonly open = new Map<string, (end?: RunEvent) => void>()
  private readonly times = new Map<string, number>()
  /** Span IDs of turns, by job and turn. */
  private readonly turns = new Map<string, string>()
  private lastActor = 'start'

  constructor(run: TracedRun, withContent: boolean) {
    this.run = run
    this.withContent = withContent
    this.started = run.events[0] as EventOf<'run.started'>
    this.lastAt = run.events.at(-1)!.at
    for (const event of run.events) this.read(event)
    for (const place of this.open.keys()) this.close(place)
    for (const job of this.jobs.values()) this.addJob(job)
    this.addRun()
  }

  private read(event: RunEvent): void {
    switch (event.type) {
      case 'job.started':
        return this.begin(event)
      case 'job.settled':
        return this.settle(event)
      case 'job.retrying':
        return this.sendBack(event)
      case 'call.finished':
        return this.addCall(event)
      case 'turn.finished':
        return this.addTurn(event)
      case 'approval.requested':
        this.open.set(event.approvalId, (end) =>
          this.addApproval(event, end as EventOf<'approval.decided'> | undefined),
        )
        return
      case 'approval.decided':
        return this.close(event.approvalId, event)
      case 'effect.intended':
        this.close(event.path)
        this.open.set(event.path, (end) => this.addEffect(event, end))
        return
      case 'effect.done':
      case 'effect.unknown':
        return this.close(event.path, event)
    }
  }

  private close(place: string, end?: RunEvent): void {
    const finish = this.open.get(place)
    this.open.delete(place)
    finish?.(end)
  }

  private begin(event: EventOf<'job.started'>): void {
    const { key, actor, attempt, dependsOn = [], feedback, at } = event
    const known = this.jobs.get(key)
    // A retry, here or in another process, belongs to the same job.
    if (known !== undefined) return void (known.attempts = attempt)
    const before = [...new Set(dependsOn.flatMap((one) => this.actorOf(one) ?? []))]
    const from = before.length > 0 ? before : [this.lastActor]
    this.jobs.set(key, { started: event, attempts: attempt })
    const attributes = { 'tutti.transition.from': from, 'tutti.transition.to': actor }
    this.add('transition', [key], `transition ${from.join(', ')} → ${actor}`, { from: at, to: at, attributes })
    // A judging role has reported its verdict in its own result.
    if (feedback === undefined || (feedback.from !== undefined && this.verdictOf(feedback.from))) return
    this.addReflection(key, at, { status: 'REJECTED', by: feedback.by, of: actor, said: feedback.text })
  }

  private settle(event: EventOf<'job.settled'>): void {
    const { key, at, result } = event
    const job = this.jobs.get(key)
    if (job === undefined) return
    job.end = event
    const { actor, dependsOn = [] } = job.started
    this.lastActor = actor
    const own = result.reflection ?? (result.error?.type === 'ResultRejected' ? 'REJECTED' : undefined)
    if (own !== undefined) this.addReflection(key, at, { status: own, by: REFLECTION, of: actor, said: undefined })
    const status = this.verdictOf(key)
    if (status === undefined) return
    const { feedback: said } = result.data as { readonly feedback?: unknown }
    this.addReflection(key, at, { status, by: actor, of: this.actorOf(dependsOn.at(-1)), said })
  }

  /** A result that was rejected within its job. */
  private sendBack({ key, at, rejected }: EventOf<'job.retrying'>): void {
    if (rejected === undefined) return
    const { by, text: said } = rejected
    this.addReflection(key, at, { status: 'REJECTED', by, of: this.actorOf(key), said })
  }

  private addReflection(
    key: string,
    at: string,
    { status, by, of, said }: { status: string; by: string; of: string | undefined; said: unknown },
  ): void {
    const attributes = { 'tutti.reflection.status': status, 'tutti.reflection.by': by, 'tutti.reflection.of': of }
    const span = { from: at, to: at, attributes, parentId: this.jobId(key), output: said }
    this.add('reflection', [key], `reflection ${status}`, span)
  }

  /** Only of roles: results of agents may have a field with that name, too. */
  private verdictOf(key: string): string | undefined {
    const { started, end } = this.jobs.get(key) ?? {}
    return started?.task === undefined ? verdictIn(end?.result.data) : undefined
  }

  private addCall(event: EventOf<'call.finished'>): void {
    const { key, path, kind, name, at, input, refused, output = refused, error } = event
    const span = { from: startOf(event), to: at, input, output, error }
    if (kind === 'tool') return this.addTool(key, path, name, span)
    const { title, failed, attributes: own } = modelCall(event)
    const attributes = { ...this.ofAgent(key), ...own }
    this.add('model', [path], title, { ...span, attributes, parentId: this.jobId(key), error: error ?? failed })
  }

  private addTurn(event: EventOf<'turn.finished'>): void {
    const { key, turn, at, error } = event
    const { title, attributes: own, ...texts } = turnSpan(event)
    const span = { from: startOf(event), to: at, ...texts, error, parentId: this.jobId(key) }
    const attributes = { ...this.ofAgent(key), ...own }
    const spanId = this.add('model', [key, `turn ${turn}`], title, { ...span, attributes })
    if (spanId !== undefined) this.turns.set(`${key}@${turn}`, spanId)
  }

  /** The turn that requested the call, or else the job. */
  private parentOf(key: string, path: string): string {
    return this.turns.get(stepOfPath(key, path) ?? '') ?? this.jobId(key)
  }

  private addTool(key: string, path: string, name: string, about: Omit<SpanData, 'attributes' | 'parentId'>): void {
    const attributes = {
      ...this.ofAgent(key),
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.type': 'function',
    }
    this.add('tool', [path], `execute_tool ${name}`, { ...about, attributes, parentId: this.parentOf(key, path) })
  }

  /** An irreversible call. If the log has no end, its effect is unknown. */
  private addEffect({ key, path, tool, at, payload }: EventOf<'effect.intended'>, end: RunEvent | undefined): void {
    const { error, output } = end?.type === 'effect.done' ? end : { error: UNKNOWN, output: undefined }
    this.addTool(key, path, tool, { from: at, to: end?.at ?? this.lastAt, input: payload, output, error })
  }

  private addApproval(request: EventOf<'approval.requested'>, end: EventOf<'approval.decided'> | undefined): void {
    const { key, path, approvalId, tool, at, payload, reason } = request
    const isCall = !isQuestion(request)
    const decision = { 'tutti.approval.decision': end?.decision ?? 'open' }
    this.add('approval', [approvalId], isCall ? `approval ${tool}` : 'question', {
      from: at,
      to: end?.at ?? this.lastAt,
      attributes: { ...this.ofAgent(key), ...decision, 'gen_ai.tool.name': isCall ? tool : undefined },
      parentId: this.parentOf(key, path),
      input: { reason, payload },
      output: end?.instructions,
    })
  }

  private addJob({ started: { key, actor, at, task }, attempts, end }: Job): void {
    const { status = 'stopped', error, answer } = end?.result ?? {}
    const attributes = {
      ...this.ofAgent(key),
      'gen_ai.operation.name': 'invoke_agent',
      'tutti.job.status': status,
      'tutti.job.attempts': countOf(attempts),
      'tutti.job.round': parseStepKey(key)?.round,
    }
    const span = { from: at, to: end?.at ?? this.lastAt, attributes, input: task?.text, output: answer, error }
    this.add('job', [key], `invoke_agent ${actor}`, span)
  }

  private addRun(): void {
    const { parent, forkOf, at, request } = this.started
    const { strategy, question } = request
    const end = this.run.events.find(({ type }) => isTerminal(type))
    const composed = this.run.events.findLast((event) => event.type === 'answer.composed')
    const labels = this.spans.flatMap((span) => Object.entries(tagsOf(span)))
    const attributes = {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': strategy,
      'tutti.run.status': end?.type.slice('run.'.length) ?? 'running',
      'tutti.run.answered_by': composed?.by,
      'tutti.run.is_answered': composed?.isAnswered,
      'tutti.run.fork_of': forkOf?.runId,
    }
    this.add('run', [], `invoke_workflow ${strategy}`, {
      from: at,
      to: end?.at ?? this.lastAt,
      attributes,
      parentId: parent === undefined ? undefined : spanIdOf(parent.runId, 'job', parent.key),
      input: question,
      output: composed?.answer,
      error: end?.type === 'run.failed' ? end.error : undefined,
      tags: [...new Set(labels.flatMap(([name, value]) => (value === undefined ? [] : `${name}:${String(value)}`)))],
    })
  }

  private actorOf(key: string | undefined): string | undefined {
    return key === undefined ? undefined : this.jobs.get(key)?.started.actor
  }

  private ofAgent(key: string): Attributes {
    return { 'gen_ai.agent.name': this.actorOf(key) }
  }

  private jobId(key: string): string {
    return spanIdOf(this.started.runId, 'job', key)
  }

  private add(kind: SpanKind, parts: readonly string[], name: string, about: SpanData): string | undefined {
    const { runId, forkOf, at } = this.started
    const { traceId, conversationId } = this.run
    const { from, to, attributes, error, input, output, tags } = about
    // Spans that a fork copied from the other run belong to that run.
    if (forkOf !== undefined && to < at) return undefined
    // A failed call and its repetition have the same path.
    const base = spanIdOf(runId, kind, ...parts)
    const time = (this.times.get(base) ?? 0) + 1
    this.times.set(base, time)
    const parentId = 'parentId' in about ? about.parentId : spanIdOf(runId, 'run')
    const all = { 'gen_ai.conversation.id': conversationId, 'tutti.run.id': runId, ...attributes }
    const texts = { input: attributeText(input), output: attributeText(output), error: error?.message }
    const spanId = time === 1 ? base : spanIdOf(runId, kind, ...parts, String(time))
    this.spans.push({
      kind,
      traceId,
      spanId,
      name: truncate(name, MAX_NAME_CHARS),
      startMs: Date.parse(from),
      endMs: Date.parse(to),
      attributes: all,
      ...omitUndefined({ parentId, tags, errorType: codeOf(error), content: this.withContent ? texts : undefined }),
    })
    return spanId
  }
}
