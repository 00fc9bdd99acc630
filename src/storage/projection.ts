import { type NewEvent, type RunId, LOCAL_OWNER } from '../domain/events.ts'
import { omitUndefined } from '../shared/json.ts'
import { runParts, type RunPart, type Append, type ApprovalRecord, type RunRecord } from '../domain/store.ts'
import { insert, sql, type Query } from './sql/query.ts'
import { encode } from './stored-events.ts'

/**
 * The first row of a run, from its `run.started`. Undefined for an append that does not start a run: it has a worker,
 * follows other events, or begins with another event.
 */
export function startedRecord(append: Append): RunRecord | undefined {
  const first = append.events[0]
  if (append.afterSeq !== 0 || append.epoch !== undefined || first?.type !== 'run.started') return undefined
  const at = Date.parse(first.at)
  return {
    runId: append.runId,
    owner: first.owner ?? LOCAL_OWNER,
    question: displayText(first.request.question),
    strategy: first.request.strategy,
    status: append.status ?? 'running',
    ...(first.parent === undefined ? {} : { parentId: first.parent.runId }),
    lastSeq: append.events.length,
    epoch: 0,
    createdAt: at,
    updatedAt: lastTime(append.events) ?? at,
  }
}

/** The agents and models that take part in a run according to these events. */
export function partsIn(events: readonly NewEvent[]): readonly RunPart[] {
  return runParts(events).map(({ kind, name }) => ({ kind, name: displayText(name) }))
}

/** When the last of these events happened, in milliseconds since the epoch. */
export function lastTime(events: readonly NewEvent[]): number | undefined {
  const last = events.at(-1)
  return last === undefined ? undefined : Date.parse(last.at)
}

/** The pending row of an approval; its owner is that of the run. */
export function approvalOf(
  runId: RunId,
  event: Extract<NewEvent, { type: 'approval.requested' }>,
): Omit<ApprovalRecord, 'owner' | 'editedPayload'> {
  const { approvalId, payload, provenance, expiresAt, destination, scopes, conversationId } = event
  const [key, path, tool, reason] = [event.key, event.path, event.tool, event.reason].map(displayText)
  const requestedAt = Date.parse(event.at)
  const columns = { approvalId, runId, key: key!, path: path!, tool: tool!, payload, reason: reason!, provenance }
  const covers = omitUndefined({ destination: destination && displayText(destination), scopes, conversationId })
  return { ...columns, ...covers, status: 'pending', requestedAt, expiresAt }
}

/** Changes of an approval's row by a decision. */
export function decisionOf(event: Extract<NewEvent, { type: 'approval.decided' }>) {
  const { decision, by, at, instructions, scope, payload } = event
  return {
    status: decision,
    decidedBy: displayText(by),
    decidedAt: Date.parse(at),
    ...omitUndefined({ instructions: instructions && displayText(instructions), scope, editedPayload: payload }),
  }
}

/** Changes to the list of approvals by an event of a run. */
export function approvalQuery(runId: RunId, event: NewEvent): Query | undefined {
  if (event.type === 'approval.requested') {
    const { payload, provenance, scopes, ...row } = approvalOf(runId, event)
    const owner = sql`(SELECT owner FROM runs WHERE run_id = ${runId})`
    return insert('approvals', {
      ...row,
      payload: encode(payload, `The payload of approval ${row.approvalId}`),
      provenance: provenance === undefined ? null : encode(provenance, 'A provenance'),
      ...(scopes === undefined ? {} : { scopes: JSON.stringify(scopes) }),
      owner,
    })
  }
  if (event.type !== 'approval.decided') return undefined
  const { status, decidedBy, decidedAt, instructions, scope, editedPayload } = decisionOf(event)
  const edited = editedPayload === undefined ? null : encode(editedPayload, 'An edited payload')
  return sql`UPDATE approvals SET status = ${status}, decided_by = ${decidedBy}, decided_at = ${decidedAt},
    instructions = ${instructions}, scope = ${scope}, edited_payload = ${edited} WHERE run_id = ${runId} AND approval_id = ${event.approvalId} AND status = 'pending'`
}

/** True while a live worker holds the run: its lease is valid and its process is not known to be dead. */
export function isLeased(
  record: Pick<RunRecord, 'worker' | 'leaseUntil'>,
  now: number,
  isAlive: ((worker: string) => boolean) | undefined,
): boolean {
  if (record.worker === undefined || (record.leaseUntil ?? 0) <= now) return false
  return isAlive?.(record.worker) ?? true
}

/**
 * Text columns cannot hold a NUL: PostgreSQL rejects it and SQLite truncates the text there. The log keeps the
 * original.
 */
export function displayText(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}
