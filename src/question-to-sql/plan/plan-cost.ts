import { asMatch } from '../../terms/amounts.ts'
import type { Planned } from './planned.ts'
import { planSeveral } from './plan-several.ts'
import type { Entity } from '../../terms/catalogue.ts'
import type { Condition, Cost, Measure, Reading } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { nameOf, type PlanContext } from './scope.ts'

/**
 * A count and what the counted cost: the amounts are those of the clause's own rows, so that of an order returned in parts
 * only the parts sent back in the time asked for are added up.
 */
export function planCost(context: PlanContext, reading: Reading, entity: Entity, cost: Cost): Planned {
  if (reading.groups.length > 0)
    return refuse('I cannot show what something cost next to a count for each group. Please ask for one of them.')
  const { clause } = cost
  const count: Measure = { kind: 'count', entity }
  const sum = costOf(context, cost)
  const own = reading.conditions.flatMap((c): readonly Condition[] => (c === clause ? clause.conditions : [c]))
  return planSeveral(context, reading, [count, sum], [], (measure) => (measure === sum ? own : reading.conditions))
}

/** The sum of the amounts, which the answer names, since “cost” could mean something else. */
export function costOf(context: PlanContext, { attribute }: Cost): Measure {
  context.assumptions.add(`“cost” is ${nameOf(attribute)}`)
  return { kind: 'column', aggregate: 'sum', match: asMatch(attribute, 'cost') }
}
