import { createHash } from 'node:crypto'
import { z } from 'zod'
import { combine, BY_USER } from '../../domain/provenance.ts'
import { FIND_SKILLS, type NewSkill, type SkillStore, type SkillVector } from '../../domain/skill.ts'
import { defineTool, type Tool } from '../../domain/tool.ts'
import { stemmedTokens } from '../../shared/tokens.ts'
import { provenance } from '../tools.ts'
import { skillsFor } from './rank.ts'

/** Embeds a task, if there is an embedding model; undefined if that fails. */
export type EmbedTask = (task: string) => Promise<SkillVector | undefined>

/** Storage of skills, and embeddings for semantic search. */
export interface SkillIndex {
  readonly store: SkillStore
  readonly embed?: EmbedTask
}

/** A skill as an agent gets it. */
export interface GivenSkill extends Omit<NewSkill, 'vector'> {
  readonly skillId: string
}

const findInput = z.object({ owner: z.string().min(1), agent: z.string(), task: z.string() })

/** Tool that finds skills for similar tasks. Each keeps the provenance of its text. */
export function findSkillsTool({ store, embed }: SkillIndex): Tool<z.infer<typeof findInput>, readonly GivenSkill[]> {
  return defineTool({
    name: FIND_SKILLS,
    description: 'Finds how tasks like this one were done before.',
    input: findInput,
    effect: 'read',
    reach: 'inside',
    provenance: (found: readonly GivenSkill[]) => combine(found.map((skill) => skill.provenance)),
    async run({ owner, agent, task }): Promise<readonly GivenSkill[]> {
      const known = await store.list(owner, agent)
      if (known.length === 0) return []
      const vector = known.some((skill) => skill.vector !== undefined) ? await embed?.(task) : undefined
      return skillsFor(known, task, vector).map(({ skillId, task: before, steps, outcome, provenance: from }) => {
        return { skillId, agent, task: before, steps, outcome, provenance: from }
      })
    },
  })
}

const skillSchema = z.object({
  agent: z.string(),
  task: z.string(),
  steps: z.array(z.object({ tool: z.string(), input: z.string() })).readonly(),
  outcome: z.string(),
  provenance,
})
const learnInput = z.object({
  owner: z.string().min(1),
  runId: z.string().min(1),
  at: z.number(),
  made: z.array(skillSchema).readonly(),
  used: z.array(z.string()).readonly(),
})

/** Tool that stores skills and returns their ids. Idempotent per run. */
export function learnTool({ store, embed }: SkillIndex): Tool<z.infer<typeof learnInput>, readonly string[]> {
  return defineTool({
    name: 'learn_skills',
    description: 'Keeps how tasks were done that stood when they were looked at again.',
    input: learnInput,
    effect: 'write',
    reach: 'inside',
    provenance: BY_USER,
    async run({ owner, made: skills, ...lessons }): Promise<readonly string[]> {
      const withVectors = await Promise.all(
        skills.map(async (skill) => {
          const vector = await embed?.(skill.task)
          return { ...skill, skillId: idOf(owner, skill), ...(vector === undefined ? {} : { vector }) }
        }),
      )
      return store.learn(owner, { ...lessons, made: withVectors })
    },
  })
}

/** The ID of a skill: the same for the same steps and the same words of the task, in any order. */
function idOf(owner: string, { agent, task, steps }: NewSkill): string {
  const words = [...new Set(stemmedTokens(task))].sort()
  const text = JSON.stringify([owner, agent, words, steps.map(({ tool, input }) => [tool, input])])
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
