import type { Event, EventType, Message, TokenUsage } from '@ag-ui/core'
import type { ApprovalDecision } from '../../domain/events.ts'
import { omitUndefined } from '../../shared/json.ts'
import { isOver, type RunState } from '../../domain/state.ts'
import type { LiveItem } from '../../engine/readers/live.ts'
import { RunParts, RunReader, type RunPart, type TextChange } from './run-parts.ts'

/** Fields of the client's request that the events repeat. */
export interface AgUiInput {
  readonly threadId: string
  /** The client's ID of the run; Tutti's is in the state. */
  readonly runId: string
  readonly messages: readonly Message[]
}

/** The package's event types, with string values instead of its enum. */
type ByName<E> = E extends { type: infer T extends EventType } ? Omit<E, 'type'> & { type: `${T}` } : never
export type AgUiEvent = ByName<Event>

const DECIDED: Readonly<Record<ApprovalDecision, string>> = {
  approved: 'hitl_approved',
  denied: 'hitl_denied',
  timed_out: 'hitl_timeout',
  expired: 'hitl_timeout',
}

/**
 * Streams a run as AG-UI events: a step for each job, the answer as a message, and everything else as state (`plan`,
 * `tasks`, `approvals`, `citations`, `table`, `outcome`). Pending approvals are also sent as custom events.
 */
export async function* agUiEvents(items: AsyncIterable<LiveItem>, input: AgUiInput): AsyncGenerator<AgUiEvent> {
  const { threadId, runId } = input
  const reader = new RunReader()
  const parts = new RunParts()
  const text = new MessageEvents(input)
  const steps = new Set<string>()
  for await (const item of items) {
    const change = reader.take(item)
    const { state } = reader
    if (item.type === 'run.started') {
      yield { type: 'RUN_STARTED', threadId, runId }
      yield { type: 'STATE_SNAPSHOT', snapshot: emptyState(state) }
    }
    if (item.type === 'job.started' && !steps.has(item.key)) {
      steps.add(item.key)
      yield { type: 'STEP_STARTED', stepName: item.key }
    }
    if (change !== undefined) yield* text.of(state, change)
    if (item.type === 'live.text') continue
    for (const part of parts.of(item, state)) {
      yield { type: 'STATE_DELTA', delta: [{ op: 'add', path: pathOf(part), value: part.data }] }
      if (part.kind !== 'approval') continue
      const { status } = part.data
      const name = status === 'pending' ? 'hitl_required' : DECIDED[status]
      yield { type: 'CUSTOM', name, value: { approvalId: part.id, ...part.data } }
    }
    if (item.type === 'job.settled' && steps.delete(item.key)) yield { type: 'STEP_FINISHED', stepName: item.key }
    if (!isOver(state)) continue
    yield* text.end()
    for (const stepName of steps) yield { type: 'STEP_FINISHED', stepName }
    yield { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/status', value: state.status }] }
    const { error } = state
    const usage = [usageOf(state)]
    if (error !== undefined) yield { type: 'RUN_ERROR', message: error.message, code: error.type, usage }
    else {
      const outcome = { type: state.status === 'cancelled' ? ('cancelled' as const) : ('success' as const) }
      yield { type: 'RUN_FINISHED', threadId, runId, outcome, usage }
    }
  }
}

/** The answer as a message. If it starts over, the client gets a snapshot of its messages without the previous text. */
class MessageEvents {
  private readonly messages: readonly Message[]
  private part = 0
  private messageId: string | undefined

  constructor({ messages }: AgUiInput) {
    this.messages = messages
  }

  *of({ runId }: RunState, { isReplaced, text }: TextChange): Generator<AgUiEvent> {
    if (isReplaced) {
      yield* this.end()
      yield { type: 'MESSAGES_SNAPSHOT', messages: [...this.messages] }
    }
    if (text === '') return
    if (this.messageId === undefined) {
      this.messageId = `${runId}-answer-${++this.part}`
      yield { type: 'TEXT_MESSAGE_START', messageId: this.messageId, role: 'assistant' }
    }
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId: this.messageId, delta: text }
  }

  *end(): Generator<AgUiEvent> {
    if (this.messageId !== undefined) yield { type: 'TEXT_MESSAGE_END', messageId: this.messageId }
    this.messageId = undefined
  }
}

function emptyState({ runId, status, request }: RunState) {
  const { conversationId } = request
  return {
    runId,
    ...omitUndefined({ conversationId }),
    status,
    plan: null,
    tasks: {},
    approvals: {},
    citations: {},
    table: null,
    outcome: null,
  }
}

/** A JSON Pointer (RFC 6901). */
function pathOf({ kind, id }: RunPart): string {
  if (kind === 'plan' || kind === 'table' || kind === 'outcome') return `/${kind}`
  return `/${kind}s/${id.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function usageOf({ usage }: RunState): TokenUsage {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens: cacheWriteInputTokens } = usage
  const totalTokens = inputTokens + outputTokens
  return { inputTokens, outputTokens, totalTokens, ...omitUndefined({ cachedInputTokens, cacheWriteInputTokens }) }
}
