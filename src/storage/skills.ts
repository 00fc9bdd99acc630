import type { Owner } from '../domain/events.ts'
import {
  sharedSkill,
  SKILL_LIFE_MS,
  skillStatus,
  type Lessons,
  type Skill,
  type SkillEdit,
  type SkillStore,
} from '../domain/skill.ts'
import { displayText } from './projection.ts'
import {
  fixed,
  insert,
  rowRecord,
  sql,
  where,
  type Query,
  queryRows,
  type Script,
  type SqlRunner,
} from './sql/query.ts'

/** Of one owner; the weakest give way. */
const MAX_SKILLS = 500

/** Skills in the tables `skills` and `skill_lessons`; the latter records which runs were learnt from. */
export class SqlSkills implements SkillStore {
  private readonly runner: SqlRunner

  constructor(runner: SqlRunner) {
    this.runner = runner
  }

  async list(owner: Owner, agent?: string): Promise<readonly Skill[]> {
    const mine = sql`${where({ agent })} AND (owner = ${owner} OR shared = 1) ORDER BY used_at DESC, skill_id`
    const skills = (await this.runner.of<object>(owner, sql`SELECT * FROM skills ${mine}`)).map(skillOf)
    return skills.map((skill) => (skill.owner === owner ? skill : sharedSkill(skill)))
  }

  learn(owner: Owner, lessons: Lessons): Promise<readonly string[]> {
    return this.runner.write(owner, () => learning(owner, lessons))
  }

  edit(owner: Owner, skillId: string, edit: SkillEdit): Promise<boolean> {
    return this.runner.write(owner, () => editing(owner, skillId, edit))
  }

  forget(owner: Owner, skillIds?: readonly string[]): Promise<number> {
    return this.runner.write(owner, () => forgetting(owner, skillIds))
  }
}

function* learning(owner: Owner, { runId, at, made, helped, hurt }: Lessons): Script<readonly string[]> {
  const isNew =
    yield sql`${insert('skill_lessons', { owner, runId })} ON CONFLICT (owner, run_id) DO NOTHING RETURNING run_id`
  if (isNew.length === 0) return []
  const changedIds = new Set<string>()
  for (const { skillId, agent, task, steps, outcome, provenance, vector } of made) {
    const texts = { task: displayText(task), steps: JSON.stringify(steps), outcome: displayText(outcome) }
    const counts = { shared: 0, helped: 1, hurt: 0, runId, createdAt: at, usedAt: at }
    const labels = {
      provenance: JSON.stringify(provenance),
      vector: vector === undefined ? null : JSON.stringify(vector),
    }
    yield sql`${insert('skills', { owner, skillId, agent, ...texts, ...labels, ...counts })}
      ON CONFLICT (owner, skill_id) DO UPDATE SET helped = skills.helped + 1, used_at = excluded.used_at`
    changedIds.add(skillId)
  }
  for (const [column, ids] of [
    ['helped', helped],
    ['hurt', hurt],
  ] as const) {
    const otherIds = ids.filter((id) => !changedIds.has(id))
    if (otherIds.length === 0) continue
    const rows = yield* queryRows<{ skill_id: string }>(sql`UPDATE skills
      SET ${fixed(column)} = ${fixed(column)} + 1, used_at = ${at}
      ${where({ owner, skill_id: otherIds })} RETURNING skill_id`)
    for (const row of rows) changedIds.add(row.skill_id)
  }
  yield* prune(owner, at)
  return [...changedIds]
}

/** Removes skills that decayed, and those above the maximum number. */
function* prune(owner: Owner, at: number): Script<void> {
  const stored = (yield* queryRows<object>(sql`SELECT * FROM skills ${where({ owner })}`)).map(skillOf)
  const old = stored.filter((skill) => skillStatus(skill, at) === 'candidate' && at - skill.usedAt > SKILL_LIFE_MS)
  const strongest = stored
    .filter((skill) => !old.includes(skill))
    .sort(
      (a, b) =>
        Number(b.verdict !== undefined) - Number(a.verdict !== undefined) || b.helped - a.helped || b.usedAt - a.usedAt,
    )
  const weak = [...old, ...strongest.slice(MAX_SKILLS)].map(({ skillId }) => skillId)
  if (weak.length > 0) yield sql`DELETE FROM skills ${where({ owner, skill_id: weak })}`
}

function* editing(owner: Owner, skillId: string, { task, shared, verdict }: SkillEdit): Script<boolean> {
  const set: Query[] = [
    // The vector is that of the words before.
    ...(task === undefined ? [] : [sql`task = ${displayText(task)}, vector = NULL`]),
    ...(shared === undefined ? [] : [sql`shared = ${shared ? 1 : 0}`]),
    ...(verdict === undefined ? [] : [sql`verdict = ${verdict}`]),
    // Clearing the verdict resets the counts, so that runs decide again.
    ...(verdict === null ? [sql`helped = 1, hurt = 0`] : []),
  ]
  const all = set.reduce((list, one) => sql`${list}, ${one}`, sql`owner = owner`)
  const rows = yield sql`UPDATE skills SET ${all} ${where({ owner, skill_id: skillId })} RETURNING skill_id`
  return rows.length > 0
}

function* forgetting(owner: Owner, skillIds: readonly string[] | undefined): Script<number> {
  const rows = yield sql`DELETE FROM skills ${where({ owner, skill_id: skillIds })} RETURNING skill_id`
  if (skillIds === undefined) yield sql`DELETE FROM skill_lessons ${where({ owner })}`
  return rows.length
}

function skillOf(row: object): Skill {
  const skill = rowRecord<Omit<Skill, 'shared'> & { shared: number }>(row, ['steps', 'provenance', 'vector'])
  return { ...skill, shared: skill.shared === 1 }
}
