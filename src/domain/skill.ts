import type { RunId, Owner } from './events.ts'
import type { ActorName } from './job.ts'
import { combine, outsideData, type Provenance } from './provenance.ts'

/** The tool that gives skills to agents; its output does not count as evidence. */
export const FIND_SKILLS = 'find_skills'

/** One call made for a task: the tool and its input. */
export interface SkillStep {
  readonly tool: string
  /** JSON, shortened; empty in skills shared by another user. */
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

export type SkillStatus = 'candidate' | 'trusted' | 'quarantined'

/** A stored skill. Times are milliseconds since the epoch. */
export interface Skill extends NewSkill {
  /** The same for the same steps of one agent for one task. */
  readonly skillId: string
  readonly owner: Owner
  /** Whether every user's agents are given it. */
  readonly shared: boolean
  /** Number of runs that verified it, the first one included, and of runs that it misled. */
  readonly helped: number
  readonly hurt: number
  /** A user's verdict, which wins over the counts. */
  readonly verdict?: SkillStatus
  /** The run that it was made in. */
  readonly runId: RunId
  readonly createdAt: number
  /** When it was last verified, or misled. */
  readonly usedAt: number
}

/** Lessons of a run: skills that it confirmed or found new, and which of the given skills helped or misled. */
export interface Lessons {
  readonly runId: RunId
  readonly at: number
  readonly made: readonly (NewSkill & Pick<Skill, 'skillId'>)[]
  readonly helped: readonly string[]
  readonly hurt: readonly string[]
}

/** A user's changes. `verdict: null` lets the runs decide again. */
export interface SkillEdit {
  readonly task?: string
  readonly shared?: boolean
  readonly verdict?: SkillStatus | null
}

/** Where skills are kept. Every call names the owner and sees only the owner's skills and shared ones. */
export interface SkillStore {
  /** The owner's skills and the shared ones, as `sharedSkill` shows them; of one agent, or of all. */
  list(owner: Owner, agent?: ActorName): Promise<readonly Skill[]>
  /** Stores the lessons of a run, once per run; returns the ids of the skills that changed. */
  learn(owner: Owner, lessons: Lessons): Promise<readonly string[]>
  /** Changes one of the owner's own; false when there is none with this id. */
  edit(owner: Owner, skillId: string, edit: SkillEdit): Promise<boolean>
  /** Erases skills of the owner, all if none is named; returns their number. */
  forget(owner: Owner, skillIds?: readonly string[]): Promise<number>
}

/**
 * A shared skill as other users see it: the task in its owner's words, and the names of the tools. Inputs, table
 * columns and sources are removed, because the reader may have no access to them.
 */
export function sharedSkill(skill: Skill): Skill {
  const { steps, outcome, provenance } = skill
  return {
    ...skill,
    steps: steps.map(({ tool }) => ({ tool, input: '' })),
    outcome: outcome.replace(/^a table with .*/s, 'a table'),
    // Another user's words count as outside data.
    provenance: combine([{ ...provenance, sources: [] }, outsideData('a shared skill')]),
  }
}

/** Verified runs after which a skill is trusted. */
const TRUSTED_AFTER = 3
const DAY_MS = 86_400_000
/** A skill that was not used for this long is no longer trusted; a candidate is deleted. */
export const SKILL_LIFE_MS = 180 * DAY_MS

/** The status of a skill: it is quarantined if it misled more than half as often as it helped. */
export function skillStatus(
  { helped, hurt, verdict, usedAt }: Pick<Skill, 'helped' | 'hurt' | 'verdict' | 'usedAt'>,
  now: number,
): SkillStatus {
  if (verdict !== undefined) return verdict
  if (2 * hurt > helped) return 'quarantined'
  return helped - hurt >= TRUSTED_AFTER && now - usedAt <= SKILL_LIFE_MS ? 'trusted' : 'candidate'
}
