import { sql, type CompiledQuery } from 'kysely'
import type { RunId } from '../core/events.ts'
import type { ApprovalFilter, RunFilter, RunRecord } from '../core/store.ts'
import { compiler, type Dialect } from './schema.ts'

/** Queries that are the same on both databases. */
export function queriesFor(dialect: Dialect) {
  const db = compiler(dialect)
  const records = (dialect === 'sqlite' ? 'run_records' : 'runs') as 'runs'
  return {
    events(runId: RunId, afterSeq: number): CompiledQuery {
      return db
        .selectFrom('events')
        .selectAll()
        .where('run_id', '=', runId)
        .where('seq', '>', afterSeq)
        .orderBy('seq')
        .compile()
    },

    page(runId: RunId, afterSeq: number, limit: number): CompiledQuery {
      return db
        .selectFrom('events')
        .selectAll()
        .where('run_id', '=', runId)
        .where('seq', '>', afterSeq)
        .orderBy('seq')
        .limit(limit)
        .compile()
    },

    /** The latest piece of the answer's text. The type is no parameter, so that the index of these events is used. */
    answer(runId: RunId, seq: number): CompiledQuery {
      return db
        .selectFrom('events')
        .selectAll()
        .where('run_id', '=', runId)
        .where('seq', '<=', seq)
        .where('type', '=', sql.lit('answer.delta'))
        .orderBy('seq', 'desc')
        .limit(1)
        .compile()
    },

    run(runId: RunId): CompiledQuery {
      return db.selectFrom(records).selectAll().where('run_id', '=', runId).compile()
    },

    runs(filter: RunFilter): CompiledQuery {
      let query = db.selectFrom(records).selectAll().orderBy('created_at', 'desc').orderBy('run_id', 'desc')
      if (filter.owner !== undefined) query = query.where('owner', '=', filter.owner)
      // `IN ()` is no SQL on PostgreSQL.
      if (filter.status?.length === 0 || filter.parentIds?.length === 0) query = query.where(sql.lit(1), '=', 0)
      else {
        if (filter.status !== undefined) query = query.where('status', 'in', filter.status)
        if (filter.parentIds !== undefined) query = query.where('parent_id', 'in', filter.parentIds)
      }
      if (filter.parentId !== undefined) query = query.where('parent_id', '=', filter.parentId)
      if (filter.isHeld === true) query = query.where('worker', 'is not', null)
      if (filter.limit !== undefined) query = query.limit(filter.limit)
      return query.compile()
    },

    approvals(filter: ApprovalFilter): CompiledQuery {
      let query = db.selectFrom('approvals').selectAll().orderBy('requested_at').orderBy('approval_id')
      if (filter.owner !== undefined) query = query.where('owner', '=', filter.owner)
      if (filter.runId !== undefined) query = query.where('run_id', '=', filter.runId)
      if (filter.status !== undefined) query = query.where('status', '=', filter.status)
      if (filter.approvalId !== undefined) query = query.where('approval_id', '=', filter.approvalId)
      return query.compile()
    },

    /** Claims a run that was free when it was read; changes nothing when someone else was faster or the holder came back. */
    claim(seen: RunRecord, worker: string, leaseUntil: number, now: number): CompiledQuery {
      return db
        .updateTable('runs')
        .set({ epoch: seen.epoch + 1, worker, lease_until: leaseUntil })
        .where('run_id', '=', seen.runId)
        .where('epoch', '=', seen.epoch)
        .where((is) =>
          is.or([is('worker', 'is', null), is('lease_until', '<=', now), is('worker', '=', seen.worker ?? null)]),
        )
        .returning('run_id')
        .compile()
    },

    epochs(runIds: readonly RunId[]): CompiledQuery {
      return db.selectFrom('runs').select(['run_id', 'epoch']).where('run_id', 'in', runIds).compile()
    },

    renew(runId: RunId, epoch: number, leaseUntil: number): CompiledQuery {
      return db
        .updateTable('runs')
        .set({ lease_until: leaseUntil })
        .where('run_id', '=', runId)
        .where('epoch', '=', epoch)
        .where('worker', 'is not', null)
        .returning('run_id')
        .compile()
    },

    release(runId: RunId, epoch: number): CompiledQuery {
      return db
        .updateTable('runs')
        .set({ worker: null, lease_until: null })
        .where('run_id', '=', runId)
        .where('epoch', '=', epoch)
        .compile()
    },
  }
}
