import type { QueryConfig } from 'pg'
import type { Append, RunRecord } from '../domain/store.ts'
import { announce } from './announcement.ts'
import type { LargeValue, LightEvent } from './large-values.ts'
import { CHANNEL } from './postgres-feed.ts'
import { approvalQuery, lastTime, partsIn, startedRecord } from './projection.ts'
import { toPostgresQuery } from './sql/query.ts'
import { encodeEvent } from './stored-events.ts'

/** An append with its events encoded, and how it changes the run's row. */
export interface PreparedAppend {
  readonly append: Append
  readonly encoded: readonly LightEvent[]
  /** Set when it starts the run. */
  readonly start: RunRecord | undefined
}

/** @throws TuttiError `StorageError` when an event cannot be expressed in JSON */
export function prepareAppend(append: Append): PreparedAppend {
  const encoded = append.events.map((event) => encodeEvent(append.runId, event))
  return { append, encoded, start: startedRecord(append) }
}

/** Splits a batch so that no run is twice in one part; one statement can change a row once. */
export function splitByRun(prepared: readonly PreparedAppend[]): readonly (readonly PreparedAppend[])[] {
  const waves: PreparedAppend[][] = []
  const turns = new Map<string, number>()
  for (const one of prepared) {
    const turn = turns.get(one.append.runId) ?? 0
    turns.set(one.append.runId, turn + 1)
    const wave = (waves[turn] ??= [])
    wave.push(one)
  }
  return waves
}

/**
 * The whole batch in one statement and one round trip: update the runs that are at the expected position, insert the
 * new runs, and insert the events of these runs only. Returns their ids. `synchronous_commit` is set for this
 * transaction only; a server's stronger setting (`remote_apply`) is kept. Readers in all processes are notified at the
 * commit, for which PostgreSQL serializes notifying transactions.
 */
const APPEND = `
WITH moved AS (
  UPDATE runs r
  SET last_seq = m.last_seq, updated_at = coalesce(m.updated_at, r.updated_at), status = coalesce(m.status, r.status)
  FROM unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::bigint[], $6::text[])
    AS m (run_id, after_seq, epoch, last_seq, updated_at, status)
  WHERE r.run_id = m.run_id AND r.last_seq = m.after_seq AND (m.epoch IS NULL OR r.epoch = m.epoch)
  RETURNING r.run_id
), started AS (
  INSERT INTO runs (run_id, owner, question, strategy, status, parent_id, last_seq, epoch, created_at, updated_at)
  SELECT s.run_id, s.owner, s.question, s.strategy, s.status, s.parent_id, s.last_seq, 0, s.created_at, s.updated_at
  FROM unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::int[], $13::bigint[], $14::bigint[],
              $21::text[])
    AS s (run_id, question, strategy, status, parent_id, last_seq, created_at, updated_at, owner)
  ON CONFLICT DO NOTHING
  RETURNING run_id
), done AS (
  SELECT run_id FROM moved UNION ALL SELECT run_id FROM started
), logged AS (
  INSERT INTO events (run_id, seq, type, at, v, data)
  SELECT e.run_id, e.seq, e.type, e.at, 1, e.data
  FROM unnest($15::text[], $16::int[], $17::text[], $18::text[], $19::text[]) AS e (run_id, seq, type, at, data)
  JOIN done ON done.run_id = e.run_id
), named AS (
  INSERT INTO run_parts (run_id, kind, name)
  SELECT p.run_id, p.kind, p.name FROM unnest($24::text[], $25::text[], $26::text[]) AS p (run_id, kind, name)
  JOIN done ON done.run_id = p.run_id
  ON CONFLICT DO NOTHING
)
SELECT run_id, set_config('synchronous_commit', CASE WHEN $20::boolean
  THEN coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on') ELSE 'off' END, true),
  CASE WHEN n.news IS NOT NULL THEN pg_notify('${CHANNEL}', n.news) END
FROM done LEFT JOIN unnest($22::text[], $23::text[]) AS n (id, news) ON n.id = run_id`

/** The statement that appends a wave; its rows name the runs that took it. */
export function appendStatement(wave: readonly PreparedAppend[], durable: boolean): QueryConfig {
  // In one order, so that two batches cannot wait for each other.
  const sorted = [...wave].sort((a, b) => (a.append.runId < b.append.runId ? -1 : 1))
  const moves = sorted.filter(({ append }) => append.afterSeq > 0).map(({ append }) => append)
  const starts = sorted.flatMap(({ start }) => start ?? [])
  const events = sorted.flatMap(({ append, encoded }) =>
    append.events.map((event, index) => ({
      runId: append.runId,
      seq: append.afterSeq + index + 1,
      type: event.type,
      at: event.at,
      data: encoded[index]!.data,
    })),
  )
  const parts = sorted.flatMap(({ append: { runId, events: own } }) => partsIn(own).map((part) => ({ ...part, runId })))
  return {
    name: 'tutti_append',
    text: APPEND,
    values: [
      moves.map((append) => append.runId),
      moves.map((append) => append.afterSeq),
      moves.map((append) => append.epoch ?? null),
      moves.map((append) => append.afterSeq + append.events.length),
      moves.map((append) => lastTime(append.events) ?? null),
      moves.map((append) => append.status ?? null),
      starts.map((run) => run.runId),
      starts.map((run) => run.question),
      starts.map((run) => run.strategy),
      starts.map((run) => run.status),
      starts.map((run) => run.parentId ?? null),
      starts.map((run) => run.lastSeq),
      starts.map((run) => run.createdAt),
      starts.map((run) => run.updatedAt),
      events.map((event) => event.runId),
      events.map((event) => event.seq),
      events.map((event) => event.type),
      events.map((event) => event.at),
      events.map((event) => event.data),
      durable,
      starts.map((run) => run.owner),
      sorted.map(({ append }) => append.runId),
      sorted.map(({ append }) => announce(append) ?? null),
      parts.map(({ runId }) => runId),
      parts.map(({ kind }) => kind),
      parts.map(({ name }) => name),
    ],
  }
}

/** True when the append writes more than `runs` and `events`, and so needs a transaction of several statements. */
export function hasSideEffects({ append, encoded }: PreparedAppend): boolean {
  if (encoded.some(({ values }) => values.length > 0)) return true
  return (append.wakes?.length ?? 0) > 0 || append.events.some((event) => event.type.startsWith('approval.'))
}

/** Values of these appends that runs share. */
export function sharedIn(appends: Iterable<PreparedAppend>): readonly LargeValue[] {
  const values = [...appends].flatMap(({ encoded }) => encoded.flatMap((event) => event.values))
  return [...new Map(values.flatMap((value) => (value.isShared ? [[value.hash, value]] : []))).values()]
}

/** Locks existing shared values, so that they are not deleted before this transaction ends. */
export function lockShared(values: readonly LargeValue[]): QueryConfig {
  return {
    text: 'SELECT hash FROM shared_values WHERE hash = ANY($1::text[]) ORDER BY hash FOR KEY SHARE',
    values: [values.map(({ hash }) => hash)],
  }
}

/** Keeps the others. Where another transaction is quicker its row is locked, too; all of them take locks in one order. */
export function keepShared(values: readonly LargeValue[]): QueryConfig {
  return {
    text: `INSERT INTO shared_values (hash, data) SELECT v.hash, v.data FROM unnest($1::text[], $2::text[]) AS v (hash, data)
           ORDER BY v.hash ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash`,
    values: [values.map(({ hash }) => hash), values.map(({ data }) => data)],
  }
}

/** The statements that keep the large values of an append and project its approvals, in order. */
export function sideStatements({ append: { runId, events }, encoded }: PreparedAppend): QueryConfig[] {
  const values = encoded.flatMap((event) => event.values)
  const approvals = events.flatMap((event) => approvalQuery(runId, event) ?? [])
  return [...(values.length === 0 ? [] : [keepValues(runId, values)]), ...approvals.map(toPostgresQuery)]
}

function keepValues(runId: string, values: readonly LargeValue[]): QueryConfig {
  return {
    text: `INSERT INTO run_values (run_id, hash, data)
           SELECT $1, v.hash, v.data FROM unnest($2::text[], $3::text[]) AS v (hash, data) ON CONFLICT DO NOTHING`,
    values: [runId, values.map(({ hash }) => hash), values.map(({ data, isShared }) => (isShared ? '' : data))],
  }
}
