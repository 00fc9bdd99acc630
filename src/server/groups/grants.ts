import { z } from 'zod'
import { LEVELS, type Grant, type Grantee, type Reason } from '../../accounts/permissions.ts'
import type { People } from '../../accounts/people.ts'

export const grantSchema = z.object({
  to: z.string(),
  name: z.string().optional().describe('Name of the group or user'),
  level: z.enum(LEVELS),
})

export const reasonSchema = z.object({
  by: z
    .enum(['own', 'admin', 'grant'])
    .describe('They own it, they are an admin and the installation owns it, or it was granted'),
  ...grantSchema.partial().shape,
})

/** Grants with the names of their grantees. */
export async function namedGrants(
  { namesOf }: Pick<People, 'namesOf'>,
  grants: readonly Grant[],
): Promise<z.infer<typeof grantSchema>[]> {
  const names = await namesOf(grants.map(({ to }) => to))
  return grants.map((grant) => namedGrant(grant, names))
}

/** A grant with the name of its grantee. */
export function namedGrant({ to, level }: Grant, names: ReadonlyMap<Grantee, string>): z.infer<typeof grantSchema> {
  return { to, level, name: names.get(to) }
}

/** Reasons of a permission, with the names of the grantees. */
export function namedReasons(
  why: readonly Reason[],
  names: ReadonlyMap<Grantee, string>,
): readonly z.infer<typeof reasonSchema>[] {
  return why.map((reason) =>
    typeof reason === 'string' ? { by: reason } : { by: 'grant' as const, ...namedGrant(reason, names) },
  )
}
