import type { Skill, SkillVector } from '../../domain/skill.ts'
import { stemmedTokens } from '../../shared/tokens.ts'

/** Maximum of skills for one task. */
const MAX_SKILLS = 3

/** Minimum share of common words, and minimum cosine similarity, of similar tasks. */
const ALIKE_WORDS = 0.5
const MIN_COMMON = 2
const ALIKE_VECTORS = 0.75

/** Skills for tasks similar to this one, the nearest first. */
export function skillsFor(skills: readonly Skill[], task: string, vector: SkillVector | undefined): readonly Skill[] {
  const taskTokens = new Set(stemmedTokens(task))
  const found = skills.flatMap((skill) => {
    const score = Math.max(
      isAtLeast(ALIKE_WORDS, alike(taskTokens, new Set(stemmedTokens(skill.task)))),
      isAtLeast(ALIKE_VECTORS, cosine(vector, skill.vector)),
    )
    return score === 0 ? [] : [{ skill, score }]
  })
  return found
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_SKILLS)
    .map(({ skill }) => skill)
}

function isAtLeast(bound: number, score: number): number {
  return score >= bound ? score : 0
}

/** Share of the words of the shorter text that the longer one has: models word the same task with varying length. */
function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((token) => b.has(token)).length
  return common < MIN_COMMON ? 0 : common / Math.min(a.size, b.size)
}

/** 0 if there is no vector, or the vectors come from different models. */
function cosine(a: SkillVector | undefined, b: SkillVector | undefined): number {
  if (a === undefined || b === undefined || a.model !== b.model || a.values.length !== b.values.length) return 0
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, i) => sum + value * y[i]!, 0)
  const lengths = Math.sqrt(dot(a.values, a.values) * dot(b.values, b.values))
  return lengths === 0 ? 0 : dot(a.values, b.values) / lengths
}
