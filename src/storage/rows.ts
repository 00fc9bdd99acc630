import type { Selectable } from 'kysely'
import { TuttiError } from '../core/errors.ts'
import type { NewEvent, RunEvent, RunId } from '../core/events.ts'
import type { EventPage } from '../core/feed.ts'
import type { Provenance } from '../core/provenance.ts'
import type { ApprovalRecord, RunRecord } from '../core/store.ts'
import { lighten, putBack, takenOut, type LightEvent } from './large-values.ts'
import type { Tables } from './schema.ts'

export type RunRow = Selectable<Tables['runs']>
export type EventRow = Selectable<Tables['events']>
export type ValueRow = Pick<Selectable<Tables['run_values']>, 'hash' | 'data'>
export type ApprovalRow = Selectable<Tables['approvals']>

export const APPROVAL_COLUMNS = [
  'run_id',
  'approval_id',
  'key',
  'path',
  'tool',
  'payload',
  'reason',
  'provenance',
  'status',
  'requested_at',
  'expires_at',
  'decided_by',
  'decided_at',
  'instructions',
] as const satisfies (keyof Omit<ApprovalRow, 'owner'>)[]

/**
 * The event as the `data` column keeps it: without what has a column of its own, and without large values, which are kept
 * once for the whole run.
 * @throws TuttiError `StorageError` when it holds something that JSON cannot express
 */
export function encodeEvent(runId: RunId, event: NewEvent): LightEvent {
  const { type, at: _at, ...body } = event
  return lighten(type, encode(body, `Event ${type} of run ${runId}`))
}

function encode(value: unknown, what: string): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new TuttiError('StorageError', `${what} cannot be stored: ${reason}. Make its values plain JSON.`, {
      cause: error,
    })
  }
}

/** Events of one run that are being read from the database. */
export interface OpenEvents {
  /** Hashes of the values that are kept apart. */
  readonly wanted: readonly string[]
  /** @throws TuttiError `StorageError` when a value is missing */
  close(values: readonly ValueRow[]): EventPage
}

/** @throws TuttiError `StorageError` when the stored text is damaged */
export function openEvents(rows: readonly EventRow[]): OpenEvents {
  const bodies = rows.map((row) => intact(row, () => JSON.parse(row.data) as object))
  const chars = rows.reduce((total, row) => total + row.data.length, 0)
  return {
    wanted: [...new Set(bodies.flatMap(takenOut))],
    close(found) {
      const values = new Map(found.map(({ hash, data }) => [hash, data]))
      const events = rows.map((row, i) => {
        const { run_id: runId, seq, type, at } = row
        intact(row, () => putBack(bodies[i], values))
        return { ...bodies[i], type, runId, seq, at, v: row.v } as RunEvent
      })
      return { events, chars: found.reduce((total, { data }) => total + data.length, chars) }
    },
  }
}

function intact<T>({ run_id: runId, seq }: EventRow, decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    const message = `Event ${seq} of run ${runId} is damaged in the database; restore it from a backup.`
    throw new TuttiError('StorageError', message, { cause: error })
  }
}

export function toRunRow(run: RunRecord): RunRow {
  return {
    run_id: run.runId,
    owner: run.owner,
    question: displayText(run.question),
    strategy: run.strategy,
    status: run.status,
    parent_id: run.parentId ?? null,
    last_seq: run.lastSeq,
    epoch: run.epoch,
    worker: null,
    lease_until: null,
    created_at: run.createdAt,
    updated_at: run.updatedAt,
  }
}

/** PostgreSQL gives 64-bit integers as strings, hence the conversions. */
export function toRunRecord(row: RunRow): RunRecord {
  return {
    runId: row.run_id,
    owner: row.owner,
    question: row.question,
    strategy: row.strategy,
    status: row.status,
    ...(row.parent_id === null ? {} : { parentId: row.parent_id }),
    lastSeq: row.last_seq,
    epoch: row.epoch,
    ...(row.worker === null ? {} : { worker: row.worker }),
    ...(row.lease_until === null ? {} : { leaseUntil: Number(row.lease_until) }),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  }
}

/** Without the owner, which is that of the run's row. */
export function toApprovalRow(approval: Omit<ApprovalRecord, 'owner'>): Omit<ApprovalRow, 'owner'> {
  return {
    run_id: approval.runId,
    approval_id: approval.approvalId,
    key: displayText(approval.key),
    path: displayText(approval.path),
    tool: displayText(approval.tool),
    payload: encode(approval.payload, `The payload of approval ${approval.approvalId}`),
    reason: displayText(approval.reason),
    provenance: approval.provenance === undefined ? null : encode(approval.provenance, 'A provenance'),
    status: approval.status,
    requested_at: approval.requestedAt,
    expires_at: approval.expiresAt,
    decided_by: approval.decidedBy === undefined ? null : displayText(approval.decidedBy),
    decided_at: approval.decidedAt ?? null,
    instructions: approval.instructions === undefined ? null : displayText(approval.instructions),
  }
}

export function toApprovalRecord(row: ApprovalRow): ApprovalRecord {
  return {
    approvalId: row.approval_id,
    runId: row.run_id,
    owner: row.owner,
    key: row.key,
    path: row.path,
    tool: row.tool,
    payload: JSON.parse(row.payload) as unknown,
    reason: row.reason,
    ...(row.provenance === null ? {} : { provenance: JSON.parse(row.provenance) as Provenance }),
    status: row.status,
    requestedAt: Number(row.requested_at),
    expiresAt: Number(row.expires_at),
    ...(row.decided_by === null ? {} : { decidedBy: row.decided_by }),
    ...(row.decided_at === null ? {} : { decidedAt: Number(row.decided_at) }),
    ...(row.instructions === null ? {} : { instructions: row.instructions }),
  }
}

/** Text columns cannot hold a NUL: PostgreSQL refuses it and SQLite cuts the text there. The log keeps the original. */
export function displayText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
}
