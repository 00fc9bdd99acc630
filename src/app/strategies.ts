import { omitUndefined } from '../shared/json.ts'
import { composerRole } from '../strategies/planning/composer.ts'
import { confirmerRole } from '../strategies/confirmation/roles.ts'
import { masterPlannerRole } from '../strategies/graph/roles.ts'
import { hasModel } from '../domain/model.ts'
import { plannerRole } from '../strategies/pipeline/roles.ts'
import { researcher } from '../strategies/review/researcher.ts'
import { reviewRoles } from '../strategies/review/roles.ts'
import { clarifierRole, preprocessRole, supervisorRole } from '../strategies/supervisor/roles.ts'
import { REFLECTOR } from '../agents/agent-middleware/reflect.ts'
import { assistant } from '../agents/assistant/assistant.ts'
import type { LeadAgent, Role } from '../domain/actor.ts'
import type { RegisteredStrategy } from '../domain/strategy.ts'
import { CLASSIFIER } from '../engine/approvals/instructions.ts'
import { offline } from '../offline/index.ts'
import { STRATEGIES as BUILT_IN } from '../strategies/built-in.ts'
import { AUTO } from './auto-strategy.ts'
import type { Settings } from './check-options.ts'
import { MEMORY_ACTORS } from '../strategies/memory-jobs.ts'
import { TuttiError } from '../domain/errors.ts'

/** Roles with stand-ins for use without a model. */
function withStandIns(roles: readonly Role[]): readonly Role[] {
  return roles.map((role) => {
    const standIn = offline.roles[role.name] as Role['run'] | undefined
    if (standIn === undefined) return role
    return { ...role, run: async (ctx) => ((await hasModel(ctx)) ? role.run(ctx) : standIn(ctx)) }
  })
}

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

/** Roles that all strategies need. */
const COMMON_ROLES: readonly Role[] = withStandIns([composerRole, confirmerRole])

const REGISTERED: readonly RegisteredStrategy[] = Object.values(BUILT_IN).map((strategy) => ({
  strategy,
  roles: withStandIns(ROLES[strategy.name as keyof typeof BUILT_IN]),
  ...omitUndefined({ lead: LEADS[strategy.name] }),
}))

function rolesOf(registered: readonly RegisteredStrategy[]): readonly Role[] {
  return registered.flatMap(({ roles = [] }) => roles)
}

function leadsOf(registered: readonly RegisteredStrategy[]): readonly LeadAgent[] {
  return registered.flatMap(({ lead }) => lead ?? [])
}

/** Names of roles, and of actors for model calls outside of roles. */
const RESERVED = [
  ...[...rolesOf(REGISTERED), ...leadsOf(REGISTERED), ...COMMON_ROLES].map(({ name }) => name),
  ...MEMORY_ACTORS,
  CLASSIFIER,
  REFLECTOR,
  'describer',
  'judge',
  'default',
]

export type Strategies = ReturnType<typeof openStrategies>

/** The built-in strategies and those of the options. @throws TuttiError `ConfigurationError` for a taken name */
export function openStrategies({ strategies: own = [] }: Pick<Settings, 'strategies'>) {
  const registered = [...REGISTERED, ...own]
  const named = assertUniqueNames(rolesOf(own), RESERVED)
  const strategies = registered.map(({ strategy }) => strategy)
  return {
    all: assertUniqueNames(strategies, [AUTO]),
    roles: [...rolesOf(registered), ...COMMON_ROLES],
    leads: leadsOf(registered),
    /** Names that no agent may have. */
    reserved: [...RESERVED, ...named.map(({ name }) => name)],
  }
}

/** @throws TuttiError `ConfigurationError` for a name that one before it, or Tutti itself, has */
export function assertUniqueNames<T extends { readonly name: string }>(
  those: readonly T[],
  reserved: readonly string[],
): readonly T[] {
  const usedNames = new Set(reserved)
  for (const { name } of those) {
    if (usedNames.has(name)) {
      throw new TuttiError('ConfigurationError', `The name "${name}" is taken already; give yours another one.`)
    }
    usedNames.add(name)
  }
  return those
}
