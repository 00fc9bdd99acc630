import { sameWord } from '../../terms/words.ts'
import type { Attribute, Edge, Entity } from '../../terms/catalogue.ts'
import type { Condition, Measure } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { reachesOnce, resolveAttribute, resolveDate, resolveValue } from './resolve.ts'
import { nameOf, type PlanContext } from './scope.ts'

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

/**
 * “The total fare of refunded bookings”, where the fare is one of the route: it would be added up once for each route, however
 * many bookings it had. Not where the question names the parents themselves.
 */
export function refuseOncePerParent(
  context: PlanContext,
  { match, anchor }: Extract<Measure, { kind: 'column' }>,
  attribute: Attribute,
  conditions: readonly Condition[],
): void {
  const { entity } = attribute
  const isNamed = anchor === undefined && entity.words.every((w) => context.hints.some((h) => sameWord(h, w)))
  if (match.owner === entity || anchor === entity || isNamed) return
  const quiet = { ...context, assumptions: new Set<string>() }
  const told = conditions.map((c) =>
    c.kind === 'value'
      ? resolveValue(quiet, c, entity).attribute.entity
      : c.kind === 'has' && c.entity !== 'sale' && !c.negated
        ? c.entity
        : c.anchor,
  )
  const child = [anchor, ...told].find((e) => e !== undefined && e !== entity && reachesOnce(e, entity, context.hints))
  if (child === undefined) return
  refuse(
    `${nameOf(attribute)} is kept once for each of the ${entity.nouns}, and not for ${child.nouns}. Please ask for it of ${entity.nouns}, or name a column of ${child.nouns}.`,
  )
}
