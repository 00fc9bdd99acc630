import { z } from 'zod'
import { ROLES } from '../../domain/caller.ts'
import { ACTIONS, effectsOf, LEVELS, type Grant, type Shared } from '../../accounts/permissions.ts'
import type { People } from '../../accounts/people.ts'
import type { Resource } from '../context.ts'
import { itemsSchema } from '../schemas.ts'
import { grantee, source } from './groups.ts'

const MAX_CHANGES = 500
const actions = z.array(z.enum(ACTIONS)).readonly()
const effectSchema = z.object({
  source: z.string(),
  userId: z.string(),
  name: z.string(),
  /** A viewer cannot ask questions, whatever they are granted. */
  role: z.enum(ROLES),
  gains: actions,
  loses: actions,
})
const changeSchema = z.strictObject({ source, to: grantee, level: z.enum(LEVELS).optional() })
const COLLECTION = 'collection:'

/** Previews which users gain or lose permissions by a change, computed by the function that decides. */
export const grantsPreview: Resource = async (routes, { app }) => {
  const { people } = app
  routes.post(
    '/grants/preview',
    {
      access: 'admin',
      summary: 'Preview who gains and who loses by these grants; nothing is changed',
      body: z.strictObject({ changes: z.array(changeSchema).min(1).max(MAX_CHANGES) }),
      response: itemsSchema(effectSchema),
    },
    async ({ caller, body: { changes } }) => {
      const [describeEffects, given] = await Promise.all([effectDescriber(people), people.groups.grants()])
      const sharedOf = async (wanted: string): Promise<Shared> => {
        if (!wanted.startsWith(COLLECTION))
          return { grants: new Map<string, readonly Grant[]>(given).get(wanted) ?? [] }
        const { owner, grants = [] } = await people.collections.find(caller, wanted.slice(COLLECTION.length), 'share')
        return { grants, ...(owner === undefined ? {} : { owner }) }
      }
      const items: z.infer<typeof effectSchema>[] = []
      for (const wanted of new Set(changes.map((one) => one.source))) {
        const before = await sharedOf(wanted)
        let after = before.grants
        for (const { to: whom, level } of changes.filter((one) => one.source === wanted)) {
          const to = await people.resolveGrantee(whom)
          after = after.filter((grant) => grant.to !== to)
          if (level !== undefined) after = [...after, { to, level }]
        }
        items.push(...describeEffects(wanted, before, after))
      }
      return { items }
    },
  )
}

/** Returns a function that computes the effect of a change on every user, with their names. */
async function effectDescriber(people: Pick<People, 'callers' | 'accounts'>) {
  const [callers, persons] = await Promise.all([people.callers(), people.accounts.list()])
  const nameOf = new Map(persons.map(({ userId, displayName }) => [userId, displayName]))
  return (source: string, before: Shared, after: readonly Grant[]): z.infer<typeof effectSchema>[] =>
    effectsOf(callers, before, after).map(({ caller: { userId, role }, gains, loses }) => {
      return { source, userId, name: nameOf.get(userId) ?? userId, role, gains, loses }
    })
}
