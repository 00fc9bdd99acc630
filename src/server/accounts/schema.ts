import { z } from 'zod'
import { ROLES } from '../../domain/caller.ts'
import { time } from '../schemas.ts'

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
    createdAt: time,
  })
  .meta({ id: 'Person' })
