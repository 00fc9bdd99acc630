import { composerRole } from '../agents/roles/composer.ts'
import { masterPlannerRole } from '../agents/roles/graph/master-planner.ts'
import { plannerRole } from '../agents/roles/pipeline/planner.ts'
import { reviewRoles } from '../agents/roles/review/roles.ts'
import { clarifierRole } from '../agents/roles/supervisor/clarifier.ts'
import { preprocessRole } from '../agents/roles/supervisor/preprocess.ts'
import { supervisorRole } from '../agents/roles/supervisor/supervisor.ts'
import { REFLECTOR } from '../agents/worker/reflect.ts'
import type { Role } from '../core/actor.ts'
import type { RegisteredStrategy } from '../core/strategy.ts'
import { CLASSIFIER } from '../engine/approvals/instructions.ts'
import { graph } from '../strategies/graph/graph.ts'
import { pipeline } from '../strategies/pipeline/pipeline.ts'
import { MEMORY_ACTORS } from '../strategies/remembering.ts'
import { review } from '../strategies/review/review.ts'
import { supervisor } from '../strategies/supervisor/supervisor.ts'

/** Each strategy with the roles that it alone needs. To add one takes its two folders and a line here. */
export const STRATEGIES: readonly RegisteredStrategy[] = [
  { strategy: pipeline, roles: [plannerRole] },
  { strategy: graph, roles: [masterPlannerRole] },
  { strategy: supervisor, roles: [preprocessRole, supervisorRole, clarifierRole] },
  { strategy: review, roles: reviewRoles },
]

export function rolesOf(registered: readonly RegisteredStrategy[]): readonly Role[] {
  return registered.flatMap(({ roles = [] }) => roles)
}

/** Names of roles, and of models for everything that is asked outside of them. */
export const RESERVED = [
  ...[...rolesOf(STRATEGIES), composerRole].map(({ name }) => name),
  ...MEMORY_ACTORS,
  CLASSIFIER,
  REFLECTOR,
  'describer',
  'judge',
  'default',
]
