import { TuttiError } from '../../domain/errors.ts'
import type { BudgetLimit } from '../../domain/events.ts'
import { limitLabel, howToRaise } from '../../domain/limits.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Estimate, Settle } from '../../domain/model.ts'
import type { RunLimits } from '../../domain/request.ts'
import { freeTurns, type RunState } from '../../domain/state.ts'
import { addUsage, NO_USAGE, type Usage, type UsageTotals } from '../../domain/usage.ts'

/** The budget and usage of one ask. */
export interface Ledger {
  /** @throws TuttiError `BudgetExceeded` when the estimate does not fit */
  readonly reserve: (estimate: Estimate) => Settle
  /** Requests made for the ask so far, with the usage that their provider reported. */
  readonly used: UsageTotals
  /** To be called when the ask is in the log, with its usage. */
  close(): void
}

/** A turn of the tool loop of a job. */
export interface LoopTurn {
  readonly key: string
  readonly isLast: boolean
}

const LIMITS = { maxCalls: 'calls', maxTokens: 'tokens', maxCostUsd: 'cost' } as const

interface Sum {
  calls: number
  tokens: number
  costUsd: number
}

/**
 * Hard limits of a run. The maximum usage of a call is reserved before it is made, so that parallel calls cannot
 * overdraw together. Actual usage is counted from the log.
 */
export class BudgetMeter {
  private readonly state: RunState
  private readonly onExhausted: (limit: BudgetLimit, message: string) => void
  /** Reserved or used, and not in the log: requests in progress, failed tries of an ask that is still in progress. */
  private readonly unlogged: Sum = { calls: 0, tokens: 0, costUsd: 0 }
  /** Reserved for the last turns of tool loops, by job. */
  private readonly lastTurns = new Map<string, Sum>()

  constructor(state: RunState, onExhausted: (limit: BudgetLimit, message: string) => void) {
    this.state = state
    this.onExhausted = onExhausted
  }

  /**
   * A ledger for one ask: reserve and settle each request, then `close`.
   * @param turn of a tool loop. Unless it is the last one, as much again is reserved for that one, and where this does not fit, the
   * limit does not count as reached
   */
  open(turn?: LoopTurn): Ledger {
    const { unlogged } = this
    let used = NO_USAGE
    return {
      reserve: (estimate) => {
        this.assertFits(estimate, turn)
        add(unlogged, 1, estimate.tokens, estimate.costUsd)
        let settled = false
        return (usage) => {
          if (settled) return
          settled = true
          used = addUsage(used, usage, 1)
          // If the provider reports no usage, the estimate counts. Otherwise the limit could be exceeded.
          if (usage !== undefined)
            add(unlogged, 0, tokensOf(usage) - estimate.tokens, (usage.costUsd ?? 0) - estimate.costUsd)
        }
      },
      get used() {
        return used
      },
      close: () => add(unlogged, -used.calls, -tokensOf(used), -used.costUsd),
    }
  }

  /** Frees the reservation for the last turn of a job. */
  release(key: string): void {
    this.lastTurns.delete(key)
  }

  private assertFits(estimate: Estimate, turn: LoopTurn | undefined): void {
    const { tokens, costUsd } = estimate
    const { exhausted } = this.state
    if (turn?.isLast === false) {
      const twoCalls = { calls: 2, tokens: 2 * tokens, costUsd: 2 * costUsd }
      if (exhausted !== undefined) throw exceeded(exhausted.message)
      const limit = this.limitAgainst(twoCalls, turn.key)
      if (limit !== undefined) {
        const value = this.state.request.budget[limit]!
        throw exceeded(`The ${limitLabel(limit, value)} is nearly reached; ${howToRaise(limit)}.`)
      }
      this.lastTurns.set(turn.key, { calls: 1, tokens, costUsd })
      return
    }
    const isSetAside = turn !== undefined && this.lastTurns.has(turn.key) && exhausted?.limit !== 'time'
    if (isSetAside && this.limitAgainst({ calls: 1, tokens, costUsd }, turn.key) === undefined) return
    this.assertOneFits(estimate)
  }

  /** The limit of the budget that would be passed. */
  private limitAgainst(requested: Sum, key?: string): keyof typeof LIMITS | undefined {
    const { maxCalls = Infinity, maxTokens = Infinity, maxCostUsd = Infinity } = this.state.request.budget
    const { calls, tokens, costUsd } = this.committed(key)
    if (calls + requested.calls > maxCalls) return 'maxCalls'
    if (tokens + requested.tokens > maxTokens) return 'maxTokens'
    return costUsd + requested.costUsd > maxCostUsd ? 'maxCostUsd' : undefined
  }

  private assertOneFits({ tokens, costUsd }: Estimate): void {
    if (this.state.exhausted !== undefined) throw exceeded(this.state.exhausted.message)
    const limit = this.limitAgainst({ calls: 1, tokens, costUsd })
    if (limit === undefined) return
    const value = this.state.request.budget[limit]!
    const message = `The next model call could go over the ${limitLabel(limit, value)}; ${howToRaise(limit)}.`
    this.onExhausted(LIMITS[limit], message)
    throw exceeded(message)
  }

  /**
   * Used, or reserved for calls, last turns and nested runs.
   * @param key of a job whose own last-turn reservation is excluded
   */
  private committed(key?: string): Sum {
    const { usage, childBudgets } = this.state
    const sum = { ...this.unlogged }
    add(sum, usage.calls, tokensOf(usage), usage.costUsd)
    for (const [job, { calls, tokens, costUsd }] of this.lastTurns) if (job !== key) add(sum, calls, tokens, costUsd)
    for (const { maxCalls = 0, maxTokens = 0, maxCostUsd = 0 } of childBudgets.values()) {
      add(sum, maxCalls, maxTokens, maxCostUsd)
    }
    return sum
  }

  /**
   * Limits of a nested run: at most half of the remaining budget, so that later or parallel work has some as well; half
   * of the turns, rounded up; and all of the remaining time. Undefined without limits.
   * @param timeLeft remaining time of the run, in milliseconds
   * @throws TuttiError `BudgetExceeded` when nothing is left for it
   */
  slice(requested: RunLimits, timeLeft?: number): RunLimits | undefined {
    if (this.state.exhausted !== undefined) throw exceeded(this.state.exhausted.message)
    const { maxCalls, maxTokens, maxCostUsd } = this.state.request.budget
    const { calls, tokens, costUsd } = this.committed()
    const half = (limit: number | undefined, used: number): number | undefined =>
      limit === undefined ? undefined : (limit - used) / 2
    const turns = freeTurns(this.state)
    const max = omitUndefined({
      maxCalls: min(requested.maxCalls, half(maxCalls, calls), Math.floor),
      maxTokens: min(requested.maxTokens, half(maxTokens, tokens), Math.floor),
      maxCostUsd: min(requested.maxCostUsd, half(maxCostUsd, costUsd)),
      maxTurns: min(requested.maxTurns, turns === Infinity ? undefined : turns / 2, Math.ceil),
      maxTimeMs: min(requested.maxTimeMs, timeLeft, Math.floor),
    })
    const limits = Object.entries(max) as [keyof RunLimits, number][]
    const [spent] = limits.find(([, value]) => value <= 0) ?? []
    if (spent !== undefined) {
      const { budget, maxTurns } = this.state.request
      const limit = limitLabel(spent, { ...budget, ...omitUndefined({ maxTurns }) }[spent] ?? 0)
      throw exceeded(`Too little of the ${limit} is left for a run within this one; ${howToRaise(spent)}.`)
    }
    return limits.length === 0 ? undefined : max
  }
}

function min(requested: number | undefined, half: number | undefined, rounded = (value: number) => value) {
  if (half === undefined) return requested
  return Math.min(requested ?? Infinity, rounded(half))
}

function add(sum: Sum, calls: number, tokens: number, costUsd: number): void {
  sum.calls += calls
  sum.tokens += tokens
  sum.costUsd += costUsd
}

function tokensOf({ inputTokens, outputTokens }: Pick<Usage, 'inputTokens' | 'outputTokens'>): number {
  return inputTokens + outputTokens
}

function exceeded(message: string): TuttiError {
  return new TuttiError('BudgetExceeded', message)
}
