import { createHash } from 'node:crypto'
import { ERROR_CODES, type ErrorInfo } from '../domain/errors.ts'
import { LOCAL_OWNER } from '../domain/owner.ts'
import { truncate } from '../shared/safe-json.ts'
import type { RunEvent, RunId } from '../domain/events.ts'

/** Longer texts are cut: receivers refuse large requests as a whole. */
const LONGEST_CONTENT = 8_000

export type AttributeValue = string | number | boolean | readonly string[]

export type Attributes = Readonly<Record<string, AttributeValue | undefined>>

export type SpanKind = 'run' | 'job' | 'model' | 'tool' | 'approval' | 'reflection' | 'transition'

/** One thing that took time in a run, or happened in it. Times are milliseconds since the epoch. */
export interface Span {
  readonly kind: SpanKind
  readonly traceId: string
  readonly spanId: string
  readonly parentId?: string
  readonly name: string
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  /** The code of the error that it ended with. */
  readonly errorType?: string
  /** What went in, what came out, and what the error said, where that is told. */
  readonly content?: { readonly [K in 'input' | 'output' | 'error']?: string | undefined }
  /** Of a run: what its spans are searched by, such as `agent_name:sql`. */
  readonly tags?: readonly string[]
}

/** Lower-case hexadecimal digits made of what a thing is, so that they are the same whoever makes them, and when. */
function hexOf(bytes: number, ...parts: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(parts))
    .digest('hex')
    .slice(0, bytes * 2)
}

/** The same for the spans of a run wherever it is told of; a call that comes again has a number. */
export function spanIdOf(runId: RunId, kind: SpanKind, ...parts: readonly string[]): string {
  return hexOf(8, runId, kind, ...parts)
}

/** All runs of a conversation, and those that they start, are one trace; a run without a conversation is one of its own. */
export function traceIdOf({ runId, owner = LOCAL_OWNER, request }: Extract<RunEvent, { type: 'run.started' }>): string {
  const { conversationId } = request
  return conversationId === undefined ? hexOf(16, 'run', runId) : hexOf(16, 'conversation', owner, conversationId)
}

/** By which spans are searched: the agent, how it was judged, the tool. */
export function searchAttributes({ attributes, kind }: Pick<Span, 'attributes' | 'kind'>): Attributes {
  return {
    agent_name: attributes['gen_ai.agent.name'],
    reflection_status: attributes['tutti.reflection.status'],
    tool_usage: kind === 'tool' ? attributes['gen_ai.tool.name'] : undefined,
  }
}

/** What is no code of ours may be anybody's words; OpenTelemetry calls it so. */
export function codeOf(error: ErrorInfo | undefined): string | undefined {
  return error === undefined || ERROR_CODES.includes(error.type) ? error?.type : '_OTHER'
}

/** When a call began, in ISO 8601. */
export function beginOf({ at, latencyMs }: { readonly at: string; readonly latencyMs: number }): string {
  return new Date(Date.parse(at) - (countOf(latencyMs) ?? 0)).toISOString()
}

/** A value as text, cut to a length that receivers accept. */
export function attributeText(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return truncate(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_CONTENT)
}

/** A number that happens to be somebody's secret is masked, and no number any more; there is none below zero. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
