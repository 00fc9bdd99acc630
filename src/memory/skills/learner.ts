import { defineRole, type Role } from '../../domain/actor.ts'
import type { Outcome } from '../../domain/result.ts'
import { lessonsOf } from './lessons.ts'
import { learnTool, type SkillIndex } from './tools.ts'

/** Stores the skills that a run has shown, and reports their ids. */
export function learnerRole(skillIndex: SkillIndex): Role {
  const learn = learnTool(skillIndex)
  return defineRole({
    name: 'learner',
    limits: { timeoutMs: 20_000, retries: 2 },
    async run(ctx): Promise<Outcome> {
      const lessons = lessonsOf(ctx.state)
      if (Object.values(lessons).every((list) => list.length === 0)) return { answer: 'There was nothing to learn.' }
      const { owner, runId } = ctx
      const skills = await ctx.call(learn, { owner, runId, at: Date.parse(ctx.state.startedAt), ...lessons })
      return { answer: skills.length === 0 ? 'Nothing new.' : `Skills: ${skills.join(', ')}.`, data: { skills } }
    },
  })
}
