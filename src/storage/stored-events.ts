import { TuttiError } from '../domain/errors.ts'
import type { NewEvent, RunEvent, RunId } from '../domain/events.ts'
import type { AnswerPiece, EventPage } from '../domain/store.ts'
import { extractLargeValues, restoreValues, extractedHashes, type LightEvent } from './large-values.ts'
import { limited, sql, type Query } from './sql/query.ts'

interface EventRow {
  readonly run_id: RunId
  readonly seq: number
  readonly type: string
  readonly at: string
  readonly v: number
  readonly data: string
}

/**
 * The event for the `data` column: without fields that have their own columns, and without large values, which are
 * stored once per run.
 * @throws TuttiError `StorageError` for values that JSON cannot represent
 */
export function encodeEvent(runId: RunId, event: NewEvent): LightEvent {
  const { type, at: _at, ...body } = event
  return extractLargeValues(type, encode(body, `Event ${type} of run ${runId}`))
}

/** @throws TuttiError `StorageError` when it cannot be expressed in JSON */
export function encode(value: unknown, what: string): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new TuttiError('StorageError', `${what} cannot be stored: ${reason}. Make its values plain JSON.`, {
      cause: error,
    })
  }
}

/** Whatever runs a query; SQLite at once, PostgreSQL later. */
export interface Reading {
  all<Row extends object>(query: Query): readonly Row[] | Promise<readonly Row[]>
}

/**
 * Events of a run after `afterSeq` as they were appended, at most `limit`.
 * @throws TuttiError `StorageError` if they are damaged
 */
export function readAfter(from: Reading, runId: RunId, afterSeq: number, limit?: number): Promise<EventPage> {
  return readEvents(from, runId, sql`AND seq > ${afterSeq} ORDER BY seq ${limited(limit)}`)
}

/** The latest piece of the answer's text. The type is no parameter, so that the index of these events is used. */
export async function readLastText(from: Reading, runId: RunId, seq: number): Promise<AnswerPiece | undefined> {
  const latest = sql`AND seq <= ${seq} AND type = 'answer.delta' ORDER BY seq DESC LIMIT 1`
  return (await readEvents(from, runId, latest)).events[0] as AnswerPiece | undefined
}

async function readEvents(from: Reading, runId: RunId, rest: Query): Promise<EventPage> {
  const rows = await from.all<EventRow>(sql`SELECT * FROM events WHERE run_id = ${runId} ${rest}`)
  const bodies = rows.map((row) => intact(row, () => JSON.parse(row.data) as object))
  const values = await readValues(from, runId, bodies.flatMap(extractedHashes))
  const events = rows.map((row, i) => {
    const { type, seq, at, v } = row
    intact(row, () => restoreValues(bodies[i], values))
    return { ...bodies[i], type, runId, seq, at, v } as RunEvent
  })
  const texts = [...rows.map(({ data }) => data), ...values.values()]
  return { events, chars: texts.reduce((total, text) => total + text.length, 0) }
}

/** The large values of a run that are kept under these hashes. */
export async function readValues(
  from: Reading,
  runId: RunId,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map()
  const rows = await from.all<{ hash: string; data: string }>(
    sql`SELECT v.hash, coalesce(s.data, v.data) AS data FROM run_values v
        LEFT JOIN shared_values s ON v.data = '' AND s.hash = v.hash
        WHERE v.run_id = ${runId} AND v.hash IN ${[...new Set(hashes)]}`,
  )
  return new Map(rows.map(({ hash, data }) => [hash, data]))
}

function intact<T>({ run_id: runId, seq }: EventRow, decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    const message = `Event ${seq} of run ${runId} is damaged in the database; restore it from a backup.`
    throw new TuttiError('StorageError', message, { cause: error })
  }
}
