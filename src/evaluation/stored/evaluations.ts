import { randomUUID } from 'node:crypto'
import type { Clock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Owner } from '../../domain/events.ts'
import { SealedSqlStore, type Seal } from '../../storage/sql/sql-store.ts'
import {
  before,
  fixed,
  insert,
  limited,
  rowRecord,
  sql,
  where,
  queryRows,
  type Script,
  type SqlRunner,
} from '../../storage/sql/query.ts'
import type { EvalCase } from '../cases.ts'
import { failedCase, settledCase } from '../evaluate.ts'
import type { CaseResult, CountedCase, TurnResult } from '../results.ts'
import { StoredCases } from './stored-cases.ts'
import type { Evaluation, NewEvaluation, OpenCase } from './types.ts'

const MAX_EVALUATIONS = 200
/** Maximum of parallel runs of one evaluation. */
const AT_ONCE = 3
/** Lease of a step. If it expires before the step has ended, another worker takes the step over. */
const LEASE_MS = 120_000

/** The encrypted part of a case in an evaluation: the case, and the results of its turns so far. */
interface SealedCase {
  readonly one: EvalCase
  readonly turns: readonly TurnResult[]
  readonly error?: string
}

/** An evaluation with its results so far. */
export interface EvaluationWithResults extends Evaluation {
  readonly asked: number
  readonly cases: readonly CountedCase[]
}

interface ResultRow {
  readonly evaluationId: string
  readonly place: number
  readonly owner: Owner
  readonly sealed: string
}

/** Evaluations and their results. Questions and answers are encrypted. */
export class Evaluations extends SealedSqlStore {
  readonly cases: StoredCases

  constructor(runner: SqlRunner, clock: Clock, seal: Seal) {
    super(runner, clock, seal)
    this.cases = new StoredCases(runner, clock, seal)
  }

  /**
   * Starts an evaluation; each user can have one running.
   * @throws TuttiError `NotFound` for an unknown set, `InvalidRequest` without cases, `LimitReached`
   */
  async start(owner: Owner, { sets, ...how }: NewEvaluation): Promise<string> {
    const all = await this.cases.list(owner)
    const stranger = sets?.find((name) => !all.some(({ set }) => set === name))
    if (stranger !== undefined) throw new TuttiError('NotFound', `There is no set ${stranger}.`)
    const chosen = all.filter(({ set }) => sets?.includes(set) ?? true)
    if (chosen.length === 0) {
      throw new TuttiError(
        'InvalidRequest',
        'There are no cases yet. Add a file with cases, or make a case from an answer.',
      )
    }
    const evaluationId = randomUUID()
    const createdAt = this.clock.now()
    const named = [...new Set(chosen.map(({ set }) => set))]
    const options = JSON.stringify({ sets: named, ...how })
    const rows = await Promise.all(
      chosen.map(async (one, place) => {
        const sealed = await this.sealCase(evaluationId, place, { one, turns: [] })
        const base = { evaluationId, place, owner, setName: one.set, caseId: one.id, sealed }
        return { ...base, status: 'due', runId: randomUUID(), heldUntil: 0 }
      }),
    )
    await this.sql.write(owner, function* () {
      const existing = yield* queryRows<{ status: string }>(sql`SELECT status FROM evaluations ${where({ owner })}`)
      if (existing.some(({ status }) => status === 'running')) {
        throw new TuttiError('LimitReached', 'You already have a running evaluation; wait until it ends, or cancel it.')
      }
      if (existing.length >= MAX_EVALUATIONS) {
        throw new TuttiError('LimitReached', `${MAX_EVALUATIONS} evaluations are the most; remove one first.`)
      }
      yield insert('evaluations', { evaluationId, owner, asked: options, status: 'running', createdAt })
      for (const row of rows) yield insert('eval_results', row)
    })
    return evaluationId
  }

  /** Latest first. @param after the last item of the previous page */
  async list(
    owner: Owner,
    limit: number,
    after?: { readonly createdAt: number; readonly evaluationId: string },
  ): Promise<readonly EvaluationWithResults[]> {
    const place =
      after === undefined
        ? fixed('')
        : sql`AND ${before('created_at', after.createdAt, 'evaluation_id', after.evaluationId)}`
    const order = fixed('ORDER BY created_at DESC, evaluation_id DESC')
    const rows = await this.sql.of<object>(
      owner,
      sql`SELECT * FROM evaluations ${where({ owner })} ${place} ${order} ${limited(limit)}`,
    )
    return this.withCounts(owner, rows.map(evaluationOf))
  }

  /** @throws TuttiError `NotFound` if it does not exist or belongs to another user */
  async get(owner: Owner, evaluationId: string): Promise<EvaluationWithResults> {
    const condition = where({ owner, evaluation_id: evaluationId })
    const [row] = await this.sql.of<object>(owner, sql`SELECT * FROM evaluations ${condition}`)
    if (row === undefined) throw new TuttiError('NotFound', `There is no evaluation ${evaluationId}.`)
    const [counted] = await this.withCounts(owner, [evaluationOf(row)])
    return counted!
  }

  /** Results so far, in the order of the cases. */
  async results(owner: Owner, evaluationId: string): Promise<readonly CaseResult[]> {
    const condition = where({ owner, evaluation_id: evaluationId, status: 'done' })
    const rows = await this.recordsOf<ResultRow>(owner, sql`SELECT * FROM eval_results ${condition} ORDER BY place`)
    return Promise.all(
      rows.map(async (row) => {
        const { one, turns, error } = await this.unsealCase(row)
        return error === undefined
          ? settledCase(one, turns)
          : { ...failedCase(one, error), ...(turns.length > 0 ? { turns } : {}) }
      }),
    )
  }

  /**
   * Cancels an evaluation. Returns the IDs of the runs in progress.
   * @throws TuttiError `NotFound`; `RunConflict` if it has ended
   */
  async cancel(owner: Owner, evaluationId: string): Promise<readonly string[]> {
    const { status } = await this.get(owner, evaluationId)
    if (status !== 'running') throw new TuttiError('RunConflict', 'This evaluation has already ended.')
    const now = this.clock.now()
    return this.sql.write(owner, function* () {
      const condition = where({ owner, evaluation_id: evaluationId, status: 'running' })
      yield sql`UPDATE evaluations SET status = 'cancelled', ended_at = ${now} ${condition}`
      const open = yield* queryRows<object>(sql`SELECT run_id FROM eval_results ${condition}`)
      return open.map((row) => rowRecord<{ runId: string }>(row).runId)
    })
  }

  /** @throws TuttiError `NotFound`; `RunConflict` while it is running */
  async remove(owner: Owner, evaluationId: string): Promise<void> {
    const { status } = await this.get(owner, evaluationId)
    if (status === 'running') throw new TuttiError('RunConflict', 'This evaluation is running; cancel it first.')
    await this.sql.write(owner, function* () {
      yield sql`DELETE FROM eval_results ${where({ owner, evaluation_id: evaluationId })}`
      yield sql`DELETE FROM evaluations ${where({ owner, evaluation_id: evaluationId })}`
    })
  }

  /**
   * Cases that can be worked on now: a limited number per running evaluation, without those that other workers hold.
   */
  async open(): Promise<readonly OpenCase[]> {
    const rows = await this.sql.all<object>(
      sql`SELECT * FROM (
        SELECT r.evaluation_id, r.place, r.owner, r.status, r.run_id, r.sealed, r.held_until, e.asked,
          row_number() OVER (PARTITION BY r.evaluation_id ORDER BY r.status DESC, r.place) AS turn
        FROM eval_results r JOIN evaluations e ON e.evaluation_id = r.evaluation_id
        WHERE e.status = 'running' AND r.status IN ('due', 'running')
      ) AS open WHERE turn <= ${AT_ONCE} AND held_until <= ${this.clock.now()}`,
    )
    return Promise.all(rows.map((row) => this.openCaseOf(row)))
  }

  /** Claims a step. Returns true for exactly one of several processes. */
  async claim({ evaluationId, place, runId, status }: OpenCase): Promise<boolean> {
    const now = this.clock.now()
    const condition = where({ evaluation_id: evaluationId, place, run_id: runId, status })
    return this.hasRows(
      sql`UPDATE eval_results SET held_until = ${now + LEASE_MS} ${condition} AND held_until <= ${now} RETURNING place`,
    )
  }

  /** Records that the run of the step was started. */
  async markStarted({ evaluationId, place, runId }: OpenCase): Promise<void> {
    const condition = where({ evaluation_id: evaluationId, place, run_id: runId })
    await this.sql.all(sql`UPDATE eval_results SET status = 'running', held_until = 0 ${condition}`)
  }

  /** Stores the result of a turn; another turn follows. */
  async saveTurn(open: OpenCase, turns: readonly TurnResult[]): Promise<void> {
    const { evaluationId, place, runId, one } = open
    const sealed = await this.sealCase(evaluationId, place, { one, turns })
    const condition = where({ evaluation_id: evaluationId, place, run_id: runId })
    const next = randomUUID()
    await this.sql.all(
      sql`UPDATE eval_results SET status = 'due', sealed = ${sealed}, run_id = ${next}, held_until = 0 ${condition}`,
    )
  }

  /** Stores the result of a case. The last one ends the evaluation. @param error why it has no (further) answers */
  async settle(open: OpenCase, turns: readonly TurnResult[], error?: string): Promise<void> {
    const { evaluationId, place, owner, runId, one } = open
    const sealed = await this.sealCase(evaluationId, place, { one, turns, ...omitUndefined({ error }) })
    const { verdict } = error === undefined ? settledCase(one, turns) : failedCase(one, error)
    const { calls, costUsd, latencyMs } = sumOf(turns)
    const now = this.clock.now()
    await this.sql.write(owner, function* (): Script<void> {
      yield sql`UPDATE eval_results SET status = 'done', sealed = ${sealed}, verdict = ${verdict}, calls = ${calls},
        cost_usd = ${costUsd}, latency_ms = ${latencyMs}
        ${where({ owner, evaluation_id: evaluationId, place, run_id: runId })}`
      yield sql`UPDATE evaluations SET status = 'done', ended_at = ${now}
        ${where({ owner, evaluation_id: evaluationId, status: 'running' })} AND NOT EXISTS (
          SELECT 1 FROM eval_results r WHERE r.evaluation_id = ${evaluationId} AND r.status <> 'done')`
    })
  }

  /** Decrypts a row of these tables, for the export of a user's data. */
  async decryptRow(table: string, row: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    const { sealed, ...rest } = row
    if (sealed === undefined) return row
    const opened = table === 'eval_cases' ? await this.cases.decrypt(row as never) : await this.unsealCase(row as never)
    return { ...rest, ...opened }
  }

  private async withCounts(owner: Owner, evaluations: readonly Evaluation[]): Promise<EvaluationWithResults[]> {
    const ids = evaluations.map(({ evaluationId }) => evaluationId)
    if (ids.length === 0) return []
    const rows = await this.recordsOf<CountedRow>(
      owner,
      sql`SELECT evaluation_id, set_name, status, verdict, calls, cost_usd, latency_ms
        FROM eval_results ${where({ owner, evaluation_id: ids })} ORDER BY place`,
    )
    return evaluations.map((one) => {
      const mine = rows.filter(({ evaluationId }) => evaluationId === one.evaluationId)
      return {
        ...one,
        asked: mine.length,
        cases: mine.flatMap((row) => (row.status === 'done' ? [countedOf(row)] : [])),
      }
    })
  }

  private async openCaseOf(row: object): Promise<OpenCase> {
    const { evaluationId, owner, status, runId, ...rest } = rowRecord<OpenCase & { asked: object } & ResultRow>(row, [
      'asked',
    ])
    const { strategy, model } = rest.asked as NewEvaluation
    const place = Number(rest.place)
    const { one, turns } = await this.unsealCase({ evaluationId, place, owner, sealed: rest.sealed })
    return { evaluationId, owner, place, status, runId, one, turns, ...omitUndefined({ strategy, model }) }
  }

  private async unsealCase({ evaluationId, place, sealed }: ResultRow): Promise<SealedCase> {
    return JSON.parse(await this.unseal(sealed, resultSealContext(evaluationId, Number(place)), 'A case')) as SealedCase
  }

  private sealCase(evaluationId: string, place: number, content: SealedCase): Promise<string> {
    return this.seal.close(JSON.stringify(content), resultSealContext(evaluationId, place))
  }
}

interface CountedRow extends Pick<CaseResult, 'verdict'>, Pick<TurnResult, 'calls' | 'costUsd' | 'latencyMs'> {
  readonly evaluationId: string
  readonly setName: string
  readonly status: string
}

function countedOf({ setName: set, verdict, calls, costUsd, latencyMs }: CountedRow): CountedCase {
  return { set, verdict, turns: [{ calls: Number(calls), costUsd: Number(costUsd), latencyMs: Number(latencyMs) }] }
}

function evaluationOf(row: object): Evaluation {
  const { asked, endedAt, ...rest } = rowRecord<Evaluation & { asked: Pick<Evaluation, 'sets'> }>(row, ['asked'])
  const ended = endedAt === undefined ? {} : { endedAt: Number(endedAt) }
  return { ...rest, ...asked, ...ended, createdAt: Number(rest.createdAt) }
}

function sumOf(turns: readonly TurnResult[]): Pick<TurnResult, 'calls' | 'costUsd' | 'latencyMs'> {
  const sum = (of: 'calls' | 'costUsd' | 'latencyMs'): number => turns.reduce((all, one) => all + one[of], 0)
  return { calls: sum('calls'), costUsd: sum('costUsd'), latencyMs: Math.round(sum('latencyMs')) }
}

function resultSealContext(evaluationId: string, place: number): string {
  return `evaluation ${evaluationId} ${place}`
}
