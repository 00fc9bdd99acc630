import { toTuttiError, TuttiError } from '../domain/errors.ts'
import { type RunEvent, type RunId, LOCAL_OWNER, type Owner } from '../domain/events.ts'
import type { Budget } from '../domain/request.ts'
import { fold } from '../domain/state.ts'
import { isFinal, type RunStore } from '../domain/store.ts'
import type { RunLimits } from '../engine/options.ts'
import type { People } from '../accounts/people.ts'
import type { Consumer } from '../accounts/quotas.ts'

const MILLION = 1_000_000

export type OpenLimits = ReturnType<typeof openLimits>

/** Users' limits for the engine: a run may use at most the user's remaining quota. */
export function openLimits(
  people: People,
  store: Pick<RunStore, 'run' | 'read'>,
  onError: (error: TuttiError) => void,
) {
  const counting = new Set<Promise<void>>()
  const count = async (runId: RunId): Promise<void> => {
    const record = await store.run(runId)
    if (record === undefined) return
    const log = await store.read(runId)
    await people.usage.keep(runId, record.owner, log)
    if (record.owner === LOCAL_OWNER || record.parentId !== undefined) return
    await settle(runId, log)
  }
  const settle = (runId: RunId, log: readonly RunEvent[]): Promise<void> => {
    const { inputTokens, outputTokens, costUsd } = fold(log).usage
    const used = { runs: 1, tokens: inputTokens + outputTokens, cost: Math.ceil(costUsd * MILLION) }
    return people.quotas.settle(runId, used)
  }
  /** Counts finished runs whose process ended before it had counted them. @returns whether there were any */
  const countLeftOver = async (consumer: Consumer): Promise<boolean> => {
    let isAny = false
    for (const runId of await people.quotas.openRuns(consumer)) {
      const record = await store.run(runId)
      if (record === undefined || !isFinal(record.status)) continue
      const log = await store.read(runId)
      await people.usage.keep(runId, record.owner, log)
      await settle(runId, log)
      isAny = true
    }
    return isAny
  }
  const limits: RunLimits = {
    async reserve(runId: RunId, owner: Owner, budget: Budget) {
      if (owner === LOCAL_OWNER) return budget
      const { maxTokens, maxCostUsd } = budget
      const consumer: Consumer = { userId: owner, groups: await people.groups.groupIdsOf(owner) }
      const amounts = {
        runs: { exactly: 1 },
        tokens: maxTokens === undefined ? 'share' : { atMost: maxTokens },
        cost: maxCostUsd === undefined ? 'share' : { atMost: Math.ceil(maxCostUsd * MILLION) },
      } as const
      const granted = await people.quotas.reserve(runId, consumer, amounts).catch(async (thrown: unknown) => {
        if (!TuttiError.is(thrown, 'LimitReached') || !(await countLeftOver(consumer))) throw thrown
        return people.quotas.reserve(runId, consumer, amounts)
      })
      return {
        ...budget,
        ...(granted.tokens === undefined ? {} : { maxTokens: granted.tokens }),
        ...(granted.cost === undefined ? {} : { maxCostUsd: granted.cost / MILLION }),
      }
    },
    release: (runId) => people.quotas.settle(runId),
  }
  return {
    ...limits,
    /** Adds a finished run's usage to the user's limits and to the usage statistics. */
    onOver(runId: RunId): void {
      const counted = count(runId).catch((thrown: unknown) => onError(toTuttiError(thrown)))
      counting.add(counted)
      void counted.then(() => counting.delete(counted))
    },
    /** Waits until all is counted. */
    async finishCounting(): Promise<void> {
      await Promise.all(counting)
    },
  }
}
