import { z } from 'zod'
import { ROLES } from '../../domain/caller.ts'
import type { Person } from '../../accounts/types.ts'
import { iso, moment } from '../schemas.ts'

export const personSchema = z
  .object({
    userId: z.string(),
    username: z.string(),
    displayName: z.string(),
    email: z.string().optional(),
    role: z.enum(ROLES),
    isDisabled: z.boolean(),
    hasPassword: z.boolean().describe('False for users who sign in with a provider, or have not set a password yet'),
    hasSecondFactor: z.boolean(),
    createdAt: moment,
  })
  .meta({ id: 'Person' })

/** A user in API format. */
export function personView(person: Person): z.infer<typeof personSchema> {
  return { ...person, createdAt: iso(person.createdAt) }
}
