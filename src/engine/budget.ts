import { TuttiError } from '../core/errors.ts'
import type { BudgetLimit } from '../core/events.ts'
import type { Estimate, Settle } from '../core/model.ts'
import type { RunState } from '../core/state.ts'

/**
 * Hard limits of a run (SPEC B5): what a call may use at most is set aside before it is made, so that calls side by
 * side cannot overdraw together; what it did use is counted from the log.
 */
export class BudgetMeter {
  private readonly state: RunState
  private readonly onExhausted: (limit: BudgetLimit, message: string) => void
  private reserved = { calls: 0, tokens: 0, costUsd: 0 }
  /** Used by requests whose call is not in the log yet: failed tries of an ask that is still going on. */
  private unlogged = { calls: 0, tokens: 0, costUsd: 0 }

  constructor(state: RunState, onExhausted: (limit: BudgetLimit, message: string) => void) {
    this.state = state
    this.onExhausted = onExhausted
  }

  /** A ledger for one ask: reserve and settle each request, then `close` when the ask is in the log. */
  open(): { reserve: (estimate: Estimate) => Settle; close: () => void } {
    const used = { calls: 0, tokens: 0, costUsd: 0 }
    return {
      reserve: (estimate) => {
        this.assertFits(estimate)
        this.add(this.reserved, 1, estimate.tokens, estimate.costUsd)
        let settled = false
        return (usage) => {
          if (settled) return
          settled = true
          this.add(this.reserved, -1, -estimate.tokens, -estimate.costUsd)
          const tokens = usage === undefined ? 0 : usage.inputTokens + usage.outputTokens
          this.add(this.unlogged, 1, tokens, usage?.costUsd ?? 0)
          this.add(used, 1, tokens, usage?.costUsd ?? 0)
        }
      },
      close: () => this.add(this.unlogged, -used.calls, -used.tokens, -used.costUsd),
    }
  }

  private add(
    sum: { calls: number; tokens: number; costUsd: number },
    calls: number,
    tokens: number,
    cost: number,
  ): void {
    sum.calls += calls
    sum.tokens += tokens
    sum.costUsd += cost
  }

  private assertFits(estimate: Estimate): void {
    if (this.state.exhausted !== undefined) throw exceeded(this.state.exhausted.message)
    const { maxCalls, maxTokens, maxCostUsd } = this.state.request.budget
    const { usage } = this.state
    const calls = usage.calls + this.reserved.calls + this.unlogged.calls
    const tokens = usage.inputTokens + usage.outputTokens + this.reserved.tokens + this.unlogged.tokens
    const cost = usage.costUsd + this.reserved.costUsd + this.unlogged.costUsd
    if (maxCalls !== undefined && calls + 1 > maxCalls) {
      this.exhaust('calls', `The limit of ${maxCalls} model calls is reached.`)
    }
    if (maxTokens !== undefined && tokens + estimate.tokens > maxTokens) {
      this.exhaust('tokens', `The next model call could go over the limit of ${maxTokens} tokens (${tokens} used).`)
    }
    if (maxCostUsd !== undefined && cost + estimate.costUsd > maxCostUsd) {
      const spent = cost.toFixed(4)
      this.exhaust('cost', `The next model call could go over the limit of $${maxCostUsd} ($${spent} spent).`)
    }
  }

  private exhaust(limit: BudgetLimit, message: string): never {
    this.onExhausted(limit, message)
    throw exceeded(message)
  }
}

function exceeded(message: string): TuttiError {
  return new TuttiError('BudgetExceeded', message)
}
