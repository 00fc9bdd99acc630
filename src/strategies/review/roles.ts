import type { Role } from '../../domain/actor.ts'
import { criticRoles } from './critics.ts'
import { expertRole } from './expert.ts'
import { finalizerRole } from './finalizer.ts'
import { reviewPlannerRole } from './planner.ts'

/** All roles of a review, apart from the agents that do its research. */
export const reviewRoles = [reviewPlannerRole, ...criticRoles, expertRole, finalizerRole] as readonly Role[]
