import { TuttiError } from '../../domain/errors.ts'
import { isTerminal, type ApprovalDecision, type RunEvent, type RunId } from '../../domain/events.ts'
import type { TextPosition } from '../../domain/store.ts'
import { responseOf } from '../../domain/response.ts'
import type { LiveItem } from '../../engine/readers/live.ts'
import type { StreamOptions } from '../../engine/readers/stream.ts'
import type { OwnedRuns } from '../../engine/owned-runs.ts'
import type { ServerSentEvent } from '../sse.ts'
import { z } from 'zod'
import { eventOf } from '../media-types.ts'
import { moment } from '../schemas.ts'
import { responseSchema } from './schema.ts'

/** Parses the `id:` of an event: the position in the log, and the length of answer text that was sent after it. */
export function positionOf(id: string): Pick<StreamOptions, 'afterSeq' | 'afterText'> {
  const [, seq, part, length] = /^(\d{1,15})(?::(\d{1,15}):(\d{1,15}))?$/.exec(id) ?? []
  if (seq === undefined) {
    throw new TuttiError(
      'InvalidRequest',
      'Last-Event-ID is not valid for this stream; leave it out to start from the beginning.',
    )
  }
  const text: { afterText?: TextPosition } =
    part === undefined ? {} : { afterText: { part: Number(part), length: Number(length) } }
  return { afterSeq: Number(seq), ...text }
}

/**
 * Streams a run as server-sent events: `token` for text, `hitl_*` for approvals in the format that other programs
 * expect, `done` at the end with the whole response, and all other log events under their own names.
 */
export async function* runEvents(
  runs: OwnedRuns,
  runId: RunId,
  { afterSeq = 0, ...options }: StreamOptions,
): AsyncGenerator<ServerSentEvent> {
  let seq = afterSeq
  for await (const item of runs.stream(runId, { afterSeq, ...options })) {
    if (item.type === 'live.text' || item.type === 'answer.delta') {
      const { part, offset, text } = item
      if (item.type === 'answer.delta') ({ seq } = item)
      yield { id: textId(seq, item), event: 'token', data: JSON.stringify({ text, part, offset }) }
      continue
    }
    ;({ seq } = item)
    const { event, data } = await eventView(runs, item)
    yield { id: String(seq), event, data: JSON.stringify(data) }
  }
}

/** Streams the log of a run, for clients that fold it themselves, with the answer text while it is being written. */
export async function* logEvents(
  runs: OwnedRuns,
  runId: RunId,
  { afterSeq = 0, ...options }: StreamOptions,
): AsyncGenerator<ServerSentEvent> {
  let seq = afterSeq
  for await (const item of runs.stream(runId, { afterSeq, isWhole: true, ...options })) {
    if (item.type !== 'live.text') ({ seq } = item)
    const isText = item.type === 'live.text' || item.type === 'answer.delta'
    yield { id: isText ? textId(seq, item) : String(seq), data: JSON.stringify(item) }
  }
}

function textId(
  seq: number,
  { part, offset, text }: Extract<LiveItem, { type: 'live.text' | 'answer.delta' }>,
): string {
  return `${seq}:${part}:${offset + text.length}`
}

type Logged = Exclude<LiveItem, { type: 'live.text' | 'answer.delta' }>

async function eventView(runs: OwnedRuns, item: Logged): Promise<{ readonly event: string; readonly data: unknown }> {
  if (item.type === 'approval.requested') {
    return { event: 'hitl_required', data: await hitlRequired(runs, item) }
  }
  if (item.type === 'approval.decided') {
    const { approvalId, decision, runId } = item
    const { approvals } = await runs.state(runId)
    const agent = approvals.get(approvalId)?.key
    return { event: HITL[decision], data: { request_id: approvalId, agent_id: agent } }
  }
  if (isTerminal(item.type)) return { event: 'done', data: responseOf(await runs.events(item.runId)) }
  const { v: _v, ...data } = item
  return { event: item.type, data }
}

const HITL: Readonly<Record<ApprovalDecision, string>> = {
  approved: 'hitl_approved',
  denied: 'hitl_denied',
  timed_out: 'hitl_timeout',
  expired: 'hitl_expired',
}

async function hitlRequired(runs: OwnedRuns, item: Extract<RunEvent, { type: 'approval.requested' }>) {
  const { approvalId, key, tool, expiresAt, at, runId, effectiveTask } = item
  const { jobs, request } = await runs.state(runId)
  const job = jobs.get(key)
  return {
    request_id: approvalId,
    agent_id: key,
    agent_name: job?.actor ?? key,
    tool_names: [tool],
    task_description: effectiveTask?.text ?? job?.task?.text ?? request.question,
    timeout_seconds: Math.round((expiresAt - Date.parse(at)) / 1_000),
  }
}

const piece = z.object({
  text: z.string(),
  part: z.number().int().describe('Incremented when the answer starts over'),
  offset: z.number().int().describe('Offset of the text in its part, in characters'),
})

const approvalSchema = z.object({
  request_id: z.string().describe('ID for POST /hitl/respond'),
  agent_id: z.string(),
  agent_name: z.string(),
  tool_names: z.array(z.string()),
  task_description: z.string(),
  timeout_seconds: z.number().int(),
})

/** A log entry; each type has further fields, which may be extended. */
const entry = z
  .looseObject({ type: z.string(), runId: z.string(), seq: z.number().int(), at: moment })
  .meta({ id: 'RunEvent' })

/** An event of `runEvents`. */
const streamEvent = z.union([
  eventOf(piece, 'token', true),
  eventOf(approvalSchema, 'hitl_required', true),
  eventOf(
    z.object({ request_id: z.string(), agent_id: z.string().optional() }),
    ['hitl_approved', 'hitl_denied', 'hitl_timeout', 'hitl_expired'],
    true,
  ),
  eventOf(responseSchema, 'done', true),
  z.object({ ...eventOf(entry, undefined, true).shape, event: z.string().describe('The type of the entry') }),
])

/** An event of `logEvents`. */
const logged = eventOf(z.union([entry, piece.extend({ type: z.literal('live.text') })]), undefined, true)

export const runEventSchema = streamEvent.meta({ id: 'StreamedEvent' })
export const logEventSchema = logged.meta({ id: 'LoggedEvent' })
