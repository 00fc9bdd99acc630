import { defineRole, type Role } from '../../core/actor.ts'
import type { Outcome } from '../../core/result.ts'
import { lessonsOf } from '../../memory/skills/lessons.ts'
import { learnTool, type SkillShelf } from '../../memory/skills/tools.ts'

/** Keeps what a run has shown of how tasks are done (SPEC W6), and says what became of each skill. */
export function learnerRole(shelf: SkillShelf): Role {
  const learn = learnTool(shelf)
  return defineRole({
    name: 'learner',
    limits: { timeoutMs: 20_000, retries: 2 },
    async run(ctx): Promise<Outcome> {
      const { made, helped, hurt } = lessonsOf(ctx.state)
      if (made.length + helped.length + hurt.length === 0) return { answer: 'There was nothing to learn.' }
      const at = Date.parse(ctx.state.startedAt)
      const skills = await ctx.call(learn, {
        owner: ctx.owner,
        runId: ctx.runId,
        at,
        helped: [...helped],
        hurt: [...hurt],
        made: made.map((skill) => ({ ...skill, steps: [...skill.steps] })),
      })
      const told = skills.map(({ skillId, status }) => `${skillId} is ${status}`)
      return { answer: told.length === 0 ? 'Nothing new.' : `Skills: ${told.join(', ')}.`, data: { skills } }
    },
  })
}
