import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { skillStatus, type Skill } from '../../domain/skill.ts'
import type { Resource } from '../context.ts'
import { time, itemsSchema } from '../schemas.ts'

const STATUSES = ['candidate', 'trusted', 'quarantined'] as const
const skillSchema = z
  .object({
    skillId: z.string(),
    agent: z.string(),
    task: z.string(),
    steps: z.array(z.object({ tool: z.string(), input: z.string() })).readonly(),
    outcome: z.string(),
    author: z.string(),
    sources: z.array(z.string()).readonly(),
    status: z.enum(STATUSES),
    verdict: z.enum(STATUSES).optional().describe('Verdict of a person, which overrides the status'),
    isShared: z.boolean(),
    isOwn: z.boolean(),
    helped: z.number().int(),
    hurt: z.number().int(),
    runId: z.string(),
    createdAt: time,
    usedAt: time,
  })
  .meta({ id: 'Skill' })

/** Skills that agents use: view, judge and delete. */
export const skills: Resource = async (routes, { app, clock }) => {
  const skillView = ({ provenance, shared, owner, ...skill }: Skill, userId: string) => ({
    ...skill,
    author: provenance.author,
    sources: provenance.sources,
    status: skillStatus(skill, clock.now()),
    isShared: shared,
    isOwn: owner === userId,
  })
  const skillNotFound = (skillId: string): TuttiError =>
    new TuttiError('NotFound', `There is no skill ${skillId} of yours.`)
  routes.get(
    '/skills',
    {
      access: 'read',
      summary: 'Skills available to the agents of the caller, latest use first',
      response: itemsSchema(skillSchema),
    },
    async ({ caller: { userId } }) => ({ items: (await app.skills.list(userId)).map((one) => skillView(one, userId)) }),
  )
  routes.patch(
    '/skills/:skillId',
    {
      access: 'ask',
      summary: 'Set whether it is used; with null, runs decide again',
      body: z.strictObject({ verdict: z.enum(STATUSES).nullable() }),
      response: skillSchema,
    },
    async ({ caller: { userId }, params: { skillId }, body }) => {
      if (!(await app.skills.edit(userId, skillId, body))) throw skillNotFound(skillId)
      const changed = (await app.skills.list(userId)).find((one) => one.skillId === skillId)
      if (changed === undefined) throw skillNotFound(skillId)
      return skillView(changed, userId)
    },
  )
  routes.delete(
    '/skills/:skillId',
    { access: 'manage', summary: 'Delete a skill' },
    async ({ caller: { userId }, params: { skillId } }) => {
      if ((await app.skills.forget(userId, [skillId])) === 0) throw skillNotFound(skillId)
    },
  )
}
