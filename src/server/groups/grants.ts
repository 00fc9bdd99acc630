import { z } from 'zod'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import { LEVELS, type Grant, type Grantee, type Reason } from '../../accounts/permissions.ts'
import type { People } from '../../accounts/people.ts'

export const grantSchema = z.object({
  to: z.string(),
  name: z.string().optional().describe('Of the group or person'),
  level: z.enum(LEVELS),
})

export const reasonSchema = z.object({
  by: z
    .enum(['own', 'admin', 'grant'])
    .describe('It is theirs; it is the installation’s, and they are an admin; it was given'),
  ...grantSchema.partial().shape,
})

/** Grants with the names of those whom they are for. */
export async function namedGrants(
  { namesOf }: Pick<People, 'namesOf'>,
  grants: readonly Grant[],
): Promise<z.infer<typeof grantSchema>[]> {
  const names = await namesOf(grants.map(({ to }) => to))
  return grants.map((grant) => namedGrant(grant, names))
}

/** With the name of whom it is for. */
export function namedGrant({ to, level }: Grant, names: ReadonlyMap<Grantee, string>): z.infer<typeof grantSchema> {
  return { to, level, ...omitUndefined({ name: names.get(to) }) }
}

/** Why somebody may, with the names of those that it was given to. */
export function namedReasons(
  why: readonly Reason[],
  names: ReadonlyMap<Grantee, string>,
): readonly z.infer<typeof reasonSchema>[] {
  return why.map((reason) =>
    typeof reason === 'string' ? { by: reason } : { by: 'grant' as const, ...namedGrant(reason, names) },
  )
}
