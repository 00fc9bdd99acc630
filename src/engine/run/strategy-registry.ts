import type { RunRequest } from '../../domain/request.ts'
import type { Strategy } from '../../domain/strategy.ts'
import { TuttiError } from '../../domain/errors.ts'

/** The strategies of an engine by their names, and the names that mean one of them before a run is started. */
export class StrategyRegistry {
  private readonly byName: ReadonlyMap<string, Strategy>
  private readonly names: readonly string[]

  constructor(strategies: readonly Strategy[], names: readonly string[] = []) {
    this.byName = new Map(strategies.map((strategy) => [strategy.name, strategy]))
    this.names = names
  }

  /** @throws TuttiError `InvalidRequest` naming the registered strategies */
  of({ strategy: name }: RunRequest): Strategy {
    const strategy = this.byName.get(name)
    if (strategy !== undefined) return strategy
    const known = [...this.names, ...this.byName.keys()].join(', ')
    throw new TuttiError('InvalidRequest', `Strategy "${name}" is not available. Available: ${known}.`)
  }

  /** @throws TuttiError `InvalidRequest` for an unknown strategy, naming the registered ones */
  assertKnown(request: RunRequest): void {
    if (!this.names.includes(request.strategy)) this.of(request)
  }
}
