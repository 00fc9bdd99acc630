import { composerRole } from '../agents/roles/composer.ts'
import { confirmerRole } from '../agents/roles/confirmer.ts'
import { masterPlannerRole } from '../agents/roles/graph/master-planner.ts'
import { plannerRole } from '../agents/roles/pipeline/planner.ts'
import { researcher } from '../agents/roles/review/researcher.ts'
import { reviewRoles } from '../agents/roles/review/roles.ts'
import { clarifierRole } from '../agents/roles/supervisor/clarifier.ts'
import { preprocessRole } from '../agents/roles/supervisor/preprocess.ts'
import { supervisorRole } from '../agents/roles/supervisor/supervisor.ts'
import { REFLECTOR } from '../agents/worker/reflect.ts'
import { assistant } from '../agents/assistant/assistant.ts'
import type { LeadAgent, Role } from '../core/actor.ts'
import { given } from '../core/given.ts'
import type { RegisteredStrategy } from '../core/strategy.ts'
import { CLASSIFIER } from '../engine/approvals/instructions.ts'
import { STRATEGIES as BUILT_IN } from '../strategies/built-in.ts'
import { MEMORY_ACTORS } from '../strategies/remembering.ts'

/** The roles that each strategy alone needs. */
const ROLES: Readonly<Record<keyof typeof BUILT_IN, readonly Role[]>> = {
  direct: [],
  pipeline: [plannerRole],
  graph: [masterPlannerRole],
  supervisor: [preprocessRole, supervisorRole, clarifierRole],
  review: reviewRoles,
}

/** Agents that no other strategy plans with. */
const LEADS: Readonly<Record<string, LeadAgent>> = { direct: assistant, review: researcher }

/** Those that all of them need. */
export const COMMON_ROLES: readonly Role[] = [composerRole, confirmerRole]

export const STRATEGIES: readonly RegisteredStrategy[] = Object.values(BUILT_IN).map((strategy) => ({
  strategy,
  roles: ROLES[strategy.name as keyof typeof BUILT_IN],
  ...given({ lead: LEADS[strategy.name] }),
}))

export function rolesOf(registered: readonly RegisteredStrategy[]): readonly Role[] {
  return registered.flatMap(({ roles = [] }) => roles)
}

export function leadsOf(registered: readonly RegisteredStrategy[]): readonly LeadAgent[] {
  return registered.flatMap(({ lead }) => lead ?? [])
}

/** Names of roles, and of models for everything that is asked outside of them. */
export const RESERVED = [
  ...[...rolesOf(STRATEGIES), ...leadsOf(STRATEGIES), ...COMMON_ROLES].map(({ name }) => name),
  ...MEMORY_ACTORS,
  CLASSIFIER,
  REFLECTOR,
  'describer',
  'judge',
  'default',
]
