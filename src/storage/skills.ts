import type { Owner } from '../domain/events.ts'
import { SKILL_LIFE_MS, type Lessons, type Skill, type SkillStore } from '../domain/skill.ts'
import { displayText } from './projection.ts'
import { insert, rowRecord, sql, where, queryRows, type Script, type SqlRunner } from './sql/query.ts'

/** Of one owner; the oldest give way. */
const MAX_SKILLS = 500

/** Skills in the tables `skills` and `skill_lessons`; the latter records which runs were learnt from. */
export class SqlSkills implements SkillStore {
  private readonly runner: SqlRunner

  constructor(runner: SqlRunner) {
    this.runner = runner
  }

  async list(owner: Owner, agent?: string): Promise<readonly Skill[]> {
    const own = sql`SELECT owner, skill_id, agent, task, steps, outcome, provenance, vector, run_id, created_at,
      used_at FROM skills ${where({ owner, agent })} ORDER BY used_at DESC, skill_id`
    return (await this.runner.of<object>(owner, own)).map(skillOf)
  }

  learn(owner: Owner, lessons: Lessons): Promise<readonly string[]> {
    return this.runner.write(owner, () => learning(owner, lessons))
  }

  forget(owner: Owner, skillIds?: readonly string[]): Promise<number> {
    return this.runner.write(owner, () => forgetting(owner, skillIds))
  }
}

function* learning(owner: Owner, { runId, at, made, used }: Lessons): Script<readonly string[]> {
  const isNew =
    yield sql`${insert('skill_lessons', { owner, runId })} ON CONFLICT (owner, run_id) DO NOTHING RETURNING run_id`
  if (isNew.length === 0) return []
  const changedIds = new Set<string>()
  for (const { skillId, agent, task, steps, outcome, provenance, vector } of made) {
    const texts = { task: displayText(task), steps: JSON.stringify(steps), outcome: displayText(outcome) }
    const labels = {
      provenance: JSON.stringify(provenance),
      vector: vector === undefined ? null : JSON.stringify(vector),
    }
    const use = { runId, createdAt: at, usedAt: at }
    yield sql`${insert('skills', { owner, skillId, agent, ...texts, ...labels, ...use })}
      ON CONFLICT (owner, skill_id) DO UPDATE SET used_at = excluded.used_at`
    changedIds.add(skillId)
  }
  const usedIds = used.filter((id) => !changedIds.has(id))
  if (usedIds.length > 0) {
    const rows = yield* queryRows<{ skill_id: string }>(
      sql`UPDATE skills SET used_at = ${at} ${where({ owner, skill_id: usedIds })} RETURNING skill_id`,
    )
    for (const row of rows) changedIds.add(row.skill_id)
  }
  yield* prune(owner, at)
  return [...changedIds]
}

/** Removes skills that nobody used for long, and those above the maximum number. */
function* prune(owner: Owner, at: number): Script<void> {
  yield sql`DELETE FROM skills ${where({ owner })} AND (used_at < ${at - SKILL_LIFE_MS} OR skill_id NOT IN
    (SELECT skill_id FROM skills ${where({ owner })} ORDER BY used_at DESC, skill_id LIMIT ${MAX_SKILLS}))`
}

function* forgetting(owner: Owner, skillIds: readonly string[] | undefined): Script<number> {
  const rows = yield sql`DELETE FROM skills ${where({ owner, skill_id: skillIds })} RETURNING skill_id`
  if (skillIds === undefined) yield sql`DELETE FROM skill_lessons ${where({ owner })}`
  return rows.length
}

function skillOf(row: object): Skill {
  return rowRecord<Skill>(row, ['steps', 'provenance', 'vector'])
}
