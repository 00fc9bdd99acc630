import type { RunId, Owner } from './events.ts'
import type { ActorName } from './job.ts'
import type { Provenance } from './provenance.ts'

/** The tool that gives skills to agents; its output does not count as evidence. */
export const FIND_SKILLS = 'find_skills'

/** One call made for a task: the tool and its input. */
export interface SkillStep {
  readonly tool: string
  /** JSON, shortened. */
  readonly input: string
}

/** How a task was done by a run, and stood. */
export interface NewSkill {
  readonly agent: ActorName
  readonly task: string
  readonly steps: readonly SkillStep[]
  /** The kind of its result, without the content. */
  readonly outcome: string
  readonly provenance: Provenance
  /** Embedding of the task, if there is an embedding model. */
  readonly vector?: SkillVector
}

export interface SkillVector {
  /** `provider:model`; vectors of different models are never compared. */
  readonly model: string
  readonly values: readonly number[]
}

/** A stored skill. Times are milliseconds since the epoch. */
export interface Skill extends NewSkill {
  /** The same for the same steps of one agent for one task. */
  readonly skillId: string
  readonly owner: Owner
  /** The run that it was made in. */
  readonly runId: RunId
  readonly createdAt: number
  /** When a result was last approved that was made with it, or as it says. */
  readonly usedAt: number
}

/** Lessons of a run: skills that it found new or made again, and the given ones that its approved results used. */
export interface Lessons {
  readonly runId: RunId
  readonly at: number
  readonly made: readonly (NewSkill & Pick<Skill, 'skillId'>)[]
  readonly used: readonly string[]
}

/** Where skills are kept. Every call names the owner and sees only the owner's skills. */
export interface SkillStore {
  /** The owner's skills, of one agent or of all. */
  list(owner: Owner, agent?: ActorName): Promise<readonly Skill[]>
  /** Stores the lessons of a run, once per run; returns the ids of the skills that changed. */
  learn(owner: Owner, lessons: Lessons): Promise<readonly string[]>
  /** Erases skills of the owner, all if none is named; returns their number. */
  forget(owner: Owner, skillIds?: readonly string[]): Promise<number>
}

/** A skill that was not used for this long is deleted. */
export const SKILL_LIFE_MS = 180 * 86_400_000
