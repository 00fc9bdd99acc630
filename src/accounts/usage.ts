import { isModelCall, type RunEvent, type RunId, type Owner } from '../domain/events.ts'
import { isUnanswered } from '../domain/store.ts'
import { addUsage, NO_USAGE, type Usage, type UsageTotals } from '../domain/usage.ts'
import { insert, sql, type Script } from '../storage/sql/query.ts'
import { SqlStore } from '../storage/sql/sql-store.ts'

const MILLION = 1_000_000
/** Value for runs without a model. */
const NO_MODEL = 'none'

/** Use of a model by a user on a UTC day. */
export interface ModelUsageRow {
  readonly owner: Owner
  readonly day: string
  /** `provider:model`, or `none`. */
  readonly model: string
  /** Number of questions. Runs that they started count as part of them. */
  readonly runs: number
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number
}

interface UsageOfCall {
  readonly usage: Usage | undefined
  readonly requests: number
}

/** Use by user, day and model. Kept after the runs are deleted. */
export class UsageRecords extends SqlStore {
  /** Counts an ended run. Idempotent. */
  async keep(runId: RunId, owner: Owner, log: readonly RunEvent[]): Promise<void> {
    const [start] = log
    if (start?.type !== 'run.started') return
    const day = start.at.slice(0, 10)
    const isFirst = start.parent === undefined ? 1 : 0
    const used = usageByModel(log.filter((event) => !isModelCall(event) || !isUnanswered(event)))
    await this.add(
      owner,
      [...used].map(([model, totals]) => usageRow({ runId, model, owner, day, isFirst }, totals)),
    )
  }

  /** Counts a model call outside of runs. Idempotent. */
  async keepCall(
    id: string,
    { owner, day, model, usage, requests }: Pick<ModelUsageRow, 'owner' | 'day' | 'model'> & UsageOfCall,
  ): Promise<void> {
    const totals = addUsage(NO_USAGE, usage, requests)
    await this.add(owner, [usageRow({ runId: id, model, owner, day, isFirst: 0 }, totals)])
  }

  private add(owner: Owner, rows: readonly ReturnType<typeof usageRow>[]): Promise<void> {
    return this.sql.write(owner, function* (): Script<void> {
      for (const row of rows) yield sql`${insert('run_usage', row)} ON CONFLICT (run_id, model) DO NOTHING`
    })
  }

  /** Use by all users between two days, inclusive. Latest day first. */
  async list(from: string, until: string): Promise<readonly ModelUsageRow[]> {
    const rows = await this.records<Omit<ModelUsageRow, 'costUsd'> & { readonly cost: number }>(
      sql`SELECT owner, day, model, sum(is_first) AS runs, sum(calls) AS calls, sum(input_tokens) AS input_tokens,
        sum(output_tokens) AS output_tokens, sum(cost) AS cost FROM run_usage
        WHERE day >= ${from} AND day <= ${until} GROUP BY owner, day, model ORDER BY day DESC, owner, model`,
    )
    // PostgreSQL returns sums as text.
    return rows.map(({ owner, day, model, cost, ...sums }) => {
      const counts = Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, Number(sum)])) as typeof sums
      return { owner, day, model, ...counts, costUsd: Number(cost) / MILLION }
    })
  }
}

/** Use of each model in a run. A run without model calls has one entry `none` with zeros. */
export function usageByModel(log: readonly RunEvent[]): ReadonlyMap<string, UsageTotals> {
  const totals = new Map<string, UsageTotals>()
  for (const event of log) {
    if (!isModelCall(event)) continue
    const { usage, requests = 0, model = 'unknown' } = event
    if (usage === undefined && requests === 0) continue
    totals.set(model, addUsage(totals.get(model) ?? NO_USAGE, usage, requests))
  }
  return totals.size === 0 ? new Map([[NO_MODEL, NO_USAGE]]) : totals
}

function usageRow<T extends object>(key: T, { calls, inputTokens, outputTokens, costUsd }: UsageTotals) {
  return { ...key, calls, inputTokens, outputTokens, cost: Math.round(costUsd * MILLION) }
}
