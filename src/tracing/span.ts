import { createHash } from 'node:crypto'
import { ERROR_CODES, type ErrorInfo } from '../domain/errors.ts'
import { LOCAL_OWNER, type RunEvent, type RunId } from '../domain/events.ts'
import { truncate } from '../shared/json.ts'

/** Maximum length of texts: receivers refuse large requests as a whole. */
const MAX_CONTENT_CHARS = 8_000

export type AttributeValue = string | number | boolean | readonly string[]

export type Attributes = Readonly<Record<string, AttributeValue | undefined>>

export type SpanKind = 'run' | 'job' | 'model' | 'tool' | 'approval' | 'reflection' | 'transition'

/** A timed operation or an event of a run. Times are milliseconds since the epoch. */
export interface Span {
  readonly kind: SpanKind
  readonly traceId: string
  readonly spanId: string
  readonly parentId?: string
  readonly name: string
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  /** Code of the error, if it failed. */
  readonly errorType?: string
  /** Input, output and error message, if content is included. */
  readonly content?: { readonly [K in 'input' | 'output' | 'error']?: string | undefined }
  /** Only of runs: tags to search for, such as `agent_name:sql`. */
  readonly tags?: readonly string[]
}

/** A hexadecimal ID derived from its parts, so that every process computes the same one. */
function hexOf(bytes: number, ...parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(parts))
    .digest('hex')
    .slice(0, bytes * 2)
}

/** ID of a span of a run, the same in every trace that contains it. Repeated calls have a number among their parts. */
export function spanIdOf(runId: RunId, kind: SpanKind, ...parts: readonly string[]): string {
  return hexOf(8, runId, kind, ...parts)
}

/**
 * ID of a trace. All runs of a conversation, and the runs that they start, share one trace. A run without a
 * conversation has its own.
 */
export function traceIdOf({ runId, owner = LOCAL_OWNER, request }: Extract<RunEvent, { type: 'run.started' }>): string {
  const { conversationId } = request
  return conversationId === undefined ? hexOf(16, 'run', runId) : hexOf(16, 'conversation', owner, conversationId)
}

/** Attributes to search for: agent, verdict and tool. */
export function tagsOf({ attributes, kind }: Pick<Span, 'attributes' | 'kind'>): Attributes {
  return {
    agent_name: attributes['gen_ai.agent.name'],
    reflection_status: attributes['tutti.reflection.status'],
    tool_usage: kind === 'tool' ? attributes['gen_ai.tool.name'] : undefined,
  }
}

/** The error code. Other values may contain any text and become `_OTHER`, as in OpenTelemetry. */
export function codeOf(error: ErrorInfo | undefined): string | undefined {
  return error === undefined || ERROR_CODES.includes(error.type) ? error?.type : '_OTHER'
}

/** Start of a call, in ISO 8601. */
export function startOf({ at, latencyMs }: { readonly at: string; readonly latencyMs: number }): string {
  return new Date(Date.parse(at) - (countOf(latencyMs) ?? 0)).toISOString()
}

/** A value as text, cut to a length that receivers accept. */
export function attributeText(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return truncate(typeof value === 'string' ? value : JSON.stringify(value), MAX_CONTENT_CHARS)
}

/** A non-negative number. Numbers that equal a secret were masked and are strings: undefined. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/** Data of a span besides its name. */
export interface SpanData {
  readonly from: string
  readonly to: string
  readonly attributes: Attributes
  /** Default: the run. `undefined` means no parent. */
  readonly parentId?: string | undefined
  readonly error?: ErrorInfo | undefined
  readonly input?: unknown
  readonly output?: unknown
  readonly tags?: readonly string[]
}
