import { z } from 'zod'
import { ROLES } from '../../core/caller.ts'
import { ACTIONS, effectsOf, LEVELS, type Grant, type Shared } from '../../people/may.ts'
import type { Resource } from '../parts.ts'
import { grantee, source } from './groups.ts'

const MOST = 500
const can = z.array(z.enum(ACTIONS)).readonly()
const effectSchema = z.object({
  source: z.string(),
  userId: z.string(),
  name: z.string(),
  /** What a viewer is given they may not ask. */
  role: z.enum(ROLES),
  gains: can,
  loses: can,
})
const changeSchema = z.strictObject({ source, to: grantee, level: z.enum(LEVELS).optional() })
const COLLECTION = 'collection:'

/** Who gains and who loses by changes that are not made yet, by the function that decides. */
export const grantsPreview: Resource = async (server, { app }) => {
  const { people } = app
  server.post(
    '/grants/preview',
    {
      config: { access: { role: 'admin', scope: 'admin' }, repeated: 'none' },
      schema: {
        tags: ['groups'],
        summary: 'Who gains and who loses if sources and collections were given so, or taken away; nothing is changed',
        body: z.strictObject({ changes: z.array(changeSchema).min(1).max(MOST) }),
        response: { 200: z.object({ items: z.array(effectSchema) }) },
      },
    },
    async ({ caller, body: { changes } }) => {
      const [callers, persons, given] = await Promise.all([
        people.callers(),
        people.accounts.list(),
        people.groups.grants(),
      ])
      const nameOf = new Map(persons.map(({ userId, displayName }) => [userId, displayName]))
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
          const to = await people.grantee(whom)
          after = after.filter((grant) => grant.to !== to)
          if (level !== undefined) after = [...after, { to, level }]
        }
        items.push(
          ...effectsOf(callers, before, after).map(({ caller: { userId, role }, gains, loses }) => ({
            source: wanted,
            userId,
            name: nameOf.get(userId) ?? userId,
            role,
            gains,
            loses,
          })),
        )
      }
      return { items }
    },
  )
}
