import { turnOfPath } from '../../domain/effects.ts'
import { truncate } from '../../shared/json.ts'
import type { Result } from '../../domain/result.ts'
import { createSecrets, declaredBy } from '../../domain/secrets.ts'
import { FIND_SKILLS, type NewSkill, type SkillStep } from '../../domain/skill.ts'
import type { CallRecord, JobState, RunState } from '../../domain/state.ts'

const MAX_STEPS = 8
/** Of the input of a call, as JSON. Longer ones are cut; a skill needs complete calls. */
const MAX_INPUT_CHARS = 8_000
const MAX_TASK_CHARS = 500

/** Skills learned from a run, before they are stored. */
export interface RunLessons {
  readonly made: readonly NewSkill[]
  readonly used: readonly string[]
}

/**
 * Learns from a run. An approved result that no person corrected becomes a skill, and the skills that it was given have
 * been used.
 */
export function lessonsOf(state: RunState): RunLessons {
  const made: NewSkill[] = []
  const used = new Set<string>()
  for (const job of state.jobs.values()) {
    const { result } = job
    if (job.task === undefined || result?.skills === undefined || job.isOutdated === true) continue
    const isApproved = result.status === 'succeeded' && result.reflection === 'APPROVED'
    if (!isApproved || job.supersededBy !== undefined || wasCorrected(state, job)) continue
    for (const id of result.skills) used.add(id)
    made.push(...skillIn(state, job, result))
  }
  return { made, used: [...used] }
}

/** Whether a person corrected the result, by denying one of its calls. */
function wasCorrected({ approvals }: RunState, job: JobState): boolean {
  return (job.approvals ?? []).some((id) => approvals.get(id)?.decision === 'denied')
}

/** Returns no skill if the log has no call, or if the job repeated an example that it was given. */
function skillIn(state: RunState, { key, actor, task, attempt }: JobState, result: Result): NewSkill[] {
  if (state.answer?.isAnswered === false) return []
  const calls = callsOf(state, key, attempt)
  const secrets = createSecrets(declaredBy({ request: state.request, secrets: state.secrets }))
  const steps = callsCitedBy(result, state, key, calls)
    .filter(({ name }) => name !== FIND_SKILLS)
    .slice(-MAX_STEPS)
    .map(({ name, input }): SkillStep => {
      const text = JSON.stringify(secrets.value(input)) ?? ''
      return { tool: name, input: truncate(secrets.text(text), MAX_INPUT_CHARS) }
    })
  const examples = calls.flatMap(({ name, output }) => (name === FIND_SKILLS ? (output as readonly NewSkill[]) : []))
  const isShown = (example: NewSkill): boolean => toolsOf(example.steps) === toolsOf(steps)
  if (steps.length === 0 || examples.some(isShown)) return []
  const text = truncate(secrets.text(task?.text ?? state.request.question), MAX_TASK_CHARS)
  return [{ agent: actor, task: text, steps, outcome: outcomeOf(result), provenance: result.provenance }]
}

/**
 * Calls that led to the result. Calls of earlier attempts do not count, unless the last attempt continued their
 * transcript and called no tool.
 */
function callsOf({ calls, transcripts }: RunState, key: string, attempt: number): readonly CallRecord[] {
  const turns = transcripts.get(key)?.turns ?? []
  const succeeded = [...(calls.get(key)?.values() ?? [])].filter(({ error }) => !error)
  const own = succeeded.filter(({ path }) => {
    const turn = turnOfPath(path)
    return turn === undefined ? path.startsWith(`${key}@${attempt}/`) : turns[turn - 1]?.attempt === attempt
  })
  return own.some(({ name }) => name !== FIND_SKILLS) || turns.length === 0 ? own : succeeded
}

/** The calls that a result cites, without auxiliary ones such as schema look-ups; all calls if it cites none. */
function callsCitedBy(
  { sources = [] }: Result,
  { transcripts }: RunState,
  key: string,
  calls: readonly CallRecord[],
): readonly CallRecord[] {
  const ids = new Set(sources.flatMap(({ id }) => id ?? []))
  const turns = transcripts.get(key)?.turns ?? []
  const cited = calls.filter(({ path }) => {
    const turn = turnOfPath(path)
    if (turn === undefined) return false
    const answer = turns[turn - 1]?.answers.get(Number(path.slice(path.lastIndexOf('.') + 1)))
    return answer?.sources?.some(({ id }) => id !== undefined && ids.has(id)) === true
  })
  return cited.length > 0 ? cited : calls
}

function toolsOf(steps: readonly SkillStep[]): string {
  return JSON.stringify(steps.map(({ tool }) => tool))
}

/** The form of the result without its values, which are outdated later. */
function outcomeOf({ tabular, data }: Result): string {
  if (tabular !== undefined) return `a table with ${tabular.columns.join(', ')}`
  return data === undefined ? 'an answer in words' : 'an answer in words, with data'
}
