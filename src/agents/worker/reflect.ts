import type { ActorContext, Agent, AgentTask } from '../../core/actor.ts'
import { cut } from '../../core/outside.ts'
import { jsonSchemaOf } from '../../core/schema-problems.ts'
import type { Outcome } from '../../core/result.ts'
import { EMPTY, faultsOf } from './checks.ts'
import { reflectOnResult, type Reflection } from './reflect-prompt.ts'
import type { WorkerSettings } from './settings.ts'
import type { Watched } from './watch.ts'

/** Whose model looks at results again; bound as that of any actor. */
export const REFLECTOR = 'reflector'

const LONGEST_FOUND = 2_000
const MOST_FOUND = 12
const MOST_ROWS = 20
const LONGEST_OUTPUT = 6_000

/** What is looked at, and how. */
interface Look {
  readonly ctx: ActorContext
  readonly agent: Agent
  readonly task: AgentTask
  readonly settings: Pick<WorkerSettings, 'reflection' | 'rejections'>
  readonly work: Watched
}

/**
 * Looks at a result again (SPEC W5): it stands, is repaired, or is sent back to be done once more, as long as there are
 * attempts and nothing was done that cannot be undone. What a program finds wrong stands whatever a model says.
 */
export async function reflect(look: Look, outcome: Outcome): Promise<Outcome> {
  const { agent } = look
  const verdict = await judge(look, outcome, faultsOf(agent, outcome))
  if (verdict === undefined) return outcome
  if (verdict.status === 'APPROVED') return { ...outcome, reflection: 'APPROVED' }
  if (verdict.status === 'FIXED') {
    const fixed = repaired(agent, outcome, verdict)
    const left = faultsOf(agent, fixed)
    if (left.length === 0) return { ...fixed, reflection: 'FIXED' }
    return rejected(look, outcome, `Repairing it led nowhere: ${left.join(' ')}`)
  }
  return rejected(look, outcome, verdict.feedback ?? 'It does not do what the task asks.')
}

/**
 * By a model where there is one and a model had a part in the result: what rules made is not made better by asking again.
 * Undefined where it said nothing that can be gone by.
 */
async function judge(
  { ctx, agent, task, settings, work }: Look,
  outcome: Outcome,
  faults: readonly string[],
): Promise<Reflection | undefined> {
  const byProgram: Reflection =
    faults.length === 0 ? { status: 'APPROVED' } : { status: 'REJECTED', feedback: faults.join(' ') }
  if (settings.reflection !== 'model' || !work.isWorded || faults.includes(EMPTY)) return byProgram
  const input = {
    task: task.text,
    output: outputLines(outcome),
    found: [
      ...task.inputs().map(({ actor, result }) => cut(`${actor} found: ${result.answer ?? ''}`, LONGEST_FOUND)),
      ...work.calls.slice(-MOST_FOUND).map((call) => cut(call, LONGEST_FOUND)),
    ],
    faults: [...faults],
    ...(agent.output === undefined ? {} : { schema: JSON.stringify(jsonSchemaOf(agent.output)) }),
  }
  const settingsOf = { modelOf: REFLECTOR, fallback: () => byProgram }
  const { value } = await ctx.ask(reflectOnResult, input, settingsOf)
  const isUnchanged = value.status === 'FIXED' && !value.refined_output?.trim() && value.refined_data == null
  // What is to be repaired and is not stands in the feedback: it is done once more with that.
  if (isUnchanged && value.feedback?.trim()) return { ...value, status: 'REJECTED' }
  if (!isUnchanged) return value.status === 'APPROVED' ? byProgram : value
  ctx.note('DECISION', 'Reflection said FIXED, gave nothing in its place, and no reason')
  return faults.length === 0 ? undefined : byProgram
}

/** The same result with what the reflector repaired: never another table, source or confidence. */
function repaired(
  { output }: Agent,
  outcome: Outcome,
  { refined_output: words, refined_data: data }: Reflection,
): Outcome {
  return {
    ...outcome,
    ...(words?.trim() ? { answer: words.trim() } : {}),
    ...(output === undefined || data == null ? {} : { data }),
  }
}

/** Sent back; where that cannot be, what can be said for it. What did not hold goes no further. */
function rejected({ ctx, settings, work }: Look, outcome: Outcome, text: string): Outcome {
  const { answer, skills = [] } = outcome
  const given = { ...(answer === undefined ? {} : { answer }), ...(skills.length === 0 ? {} : { skills }) }
  const why = ctx.sendBack({ by: 'reflection', text, ...given }, work.isWorded ? settings.rejections : 0)
  ctx.note('DECISION', `Rejected by reflection: ${text}`, { reflection: 'REJECTED', feedback: text })
  if (why === 'done') {
    const remark =
      'What came of this was not found right when it was checked, and is not done again since it cannot be undone.'
    return { ...outcome, reflection: 'REJECTED', remarks: [...(outcome.remarks ?? []), remark] }
  }
  const message = 'What the agent came back with did not hold when it was looked at again; the trace says why.'
  return {
    status: 'failed',
    error: { type: 'ResultRejected', message },
    ...(outcome.skills === undefined ? {} : { skills: outcome.skills }),
  }
}

function outputLines({ answer, tabular, data }: Outcome): string[] {
  const rows = tabular?.rows.slice(0, MOST_ROWS).map((row) => JSON.stringify(row)) ?? []
  return [
    ...(answer === undefined ? [] : [answer]),
    ...(tabular === undefined ? [] : [`Table of ${tabular.rowCount} rows: ${tabular.columns.join(', ')}`, ...rows]),
    ...(data === undefined ? [] : [`Data: ${JSON.stringify(data)}`]),
  ].map((line) => cut(line, LONGEST_OUTPUT))
}
