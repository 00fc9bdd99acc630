import type { Edge, Entity } from '../../terms/catalogue.ts'
import type { Condition } from '../reading.ts'
import { reachesOnce, resolveAttribute, resolveDate, resolveValue } from './resolve.ts'
import type { PlanContext } from './scope.ts'

/** Can the condition be tested on this table without a subquery of children? */
export function isDirect(context: PlanContext, base: Entity, condition: Condition): boolean {
  const quiet = { ...context, assumptions: new Set<string>() }
  const once = (entity: Entity, via?: Edge): boolean => reachesOnce(base, entity, context.hints, via)
  switch (condition.kind) {
    case 'value':
      return once(resolveValue(quiet, condition, base).attribute.entity, condition.via)
    case 'person':
      return once(condition.entity)
    case 'compare':
    case 'missing':
    case 'flag':
      return once(resolveAttribute(quiet, condition.attribute, base, condition.anchor).entity, condition.via)
    case 'columns':
      return once(condition.home)
    case 'date':
      return once(resolveDate(quiet, condition, base).entity)
    case 'has':
      if (condition.anchor !== undefined) return once(condition.anchor)
      return condition.entity === 'sale' || once(condition.entity, condition.via)
    case 'metric':
      return condition.anchor === undefined || once(condition.anchor)
    case 'like':
      return once(condition.anchor ?? base)
    case 'linked':
      return true
  }
}
