import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import type { Skill } from '../../domain/skill.ts'
import type { Resource } from '../context.ts'
import { time, itemsSchema } from '../schemas.ts'

const skillSchema = z
  .object({
    skillId: z.string(),
    agent: z.string(),
    task: z.string(),
    steps: z.array(z.object({ tool: z.string(), input: z.string() })).readonly(),
    outcome: z.string(),
    author: z.string(),
    sources: z.array(z.string()).readonly(),
    runId: z.string(),
    createdAt: time,
    usedAt: time,
  })
  .meta({ id: 'Skill' })

/** Skills that agents use: view and delete. */
export const skills: Resource = async (routes, { app }) => {
  const skillView = ({ provenance: { author, sources }, owner: _owner, ...skill }: Skill) => ({
    ...skill,
    author,
    sources,
  })
  routes.get(
    '/skills',
    {
      access: 'read',
      summary: 'Skills available to the agents of the caller, latest use first',
      response: itemsSchema(skillSchema),
    },
    async ({ caller: { userId } }) => ({ items: (await app.skills.list(userId)).map(skillView) }),
  )
  routes.delete(
    '/skills/:skillId',
    { access: 'manage', summary: 'Delete a skill' },
    async ({ caller: { userId }, params: { skillId } }) => {
      const isKnown = (await app.skills.forget(userId, [skillId])) > 0
      if (!isKnown) throw new TuttiError('NotFound', `There is no skill ${skillId} of yours.`)
    },
  )
}
