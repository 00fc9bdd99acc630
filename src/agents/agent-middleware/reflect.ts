import { z } from 'zod'
import { omitUndefined, truncate, truncateTogether } from '../../shared/json.ts'
import { withIds } from '../../domain/answer.ts'
import { tagged } from '../../domain/prompt-text.ts'
import type { ActorContext, Agent, AgentTask, TaskInput } from '../../domain/actor.ts'
import { problemsIn } from '../../domain/schema-problems.ts'
import type { Outcome, Source } from '../../domain/result.ts'
import { numberCitations } from '../../grounding/citations.ts'
import { givenResult } from '../../tool-loop/delegation.ts'
import { resultText } from '../../tool-loop/messages.ts'
import { reflectOnResult, type Reflection } from './reflect-prompt.ts'
import { callSections, isCited } from '../../tool-loop/watched-calls.ts'
import type { Watched } from './watch.ts'
import type { Table } from '../../domain/table.ts'

/** The actor whose model reflects on results; configured like that of any other actor. */
export const REFLECTOR = 'reflector'

/** Characters of the result, and of all that it rests on. */
const MAX_RESULT = 16_000
const MAX_FOUND = 40_000

/** How often a result is sent back. */
const MAX_REJECTIONS = 1

/** The agent under review. */
interface Look {
  readonly ctx: ActorContext
  readonly agent: Agent
  readonly task: AgentTask
  readonly work: Watched
}

/**
 * Reviews a result: accepts it, repairs it, or sends it back for another attempt, as long as attempts remain and no
 * irreversible call was made. Data that does not fit its schema is rejected, whatever the model decides.
 */
export async function reflect(look: Look, outcome: Outcome): Promise<Outcome> {
  const { agent } = look
  const verdict = await judge(look, outcome, faultsOf(agent, outcome))
  if (verdict === 'failed') return { ...outcome, remarks: [...(outcome.remarks ?? []), NOT_CHECKED] }
  if (verdict.status === 'APPROVED') return { ...outcome, reflection: 'APPROVED' }
  if (verdict.status === 'FIXED') {
    const fixed = repaired(agent, outcome, verdict)
    const left = faultsOf(agent, fixed)
    if (left.length === 0) return { ...fixed, reflection: 'FIXED' }
    return rejected(look, outcome, `The repaired result has faults: ${left.join(' ')}`)
  }
  return rejected(look, outcome, verdict.feedback?.trim() || 'It does not do what the task asks.')
}

const NOT_CHECKED = 'A result was not looked at a second time, because the model for it failed.'

/** Uses a model, if there is one and a model had a part in the result. If the model fails, the result is accepted. */
async function judge(
  { ctx, agent, task, work }: Look,
  outcome: Outcome,
  faults: readonly string[],
): Promise<Reflection | 'failed'> {
  const byProgram: Reflection =
    faults.length === 0 ? { status: 'APPROVED' } : { status: 'REJECTED', feedback: faults.join(' ') }
  if (!work.isWorded || faults.includes(EMPTY)) return byProgram
  const { sources = [] } = outcome
  const calls = work.calls()
  const inputs = task.inputs().map((given) => {
    return tagged('given', givenResult(withoutLookups(given, sources), false), { by: given.actor })
  })
  const input = {
    task: task.text,
    result: textOf(
      agent,
      outcome,
      calls.some((call) => isCited(call, sources)),
    ),
    found: [...truncateTogether([...inputs, ...callSections(calls, sources)], MAX_FOUND)],
    faults: [...faults],
    ...(agent.output === undefined
      ? {}
      : { schema: JSON.stringify(z.toJSONSchema(agent.output, { io: 'input', unrepresentable: 'any' })) }),
  }
  const { value, by } = await ctx.ask(reflectOnResult, input, { modelOf: REFLECTOR })
  if (by === 'fallback') return faults.length === 0 ? 'failed' : byProgram
  // FIXED without a repair is an approval.
  const isRepaired = Boolean(value.refined_output?.trim()) || value.refined_data != null
  return value.status === 'REJECTED' || (value.status === 'FIXED' && isRepaired) ? value : byProgram
}

/** What a task was given, without the rows of look-ups: results that neither the given nor the new result cites. */
function withoutLookups(given: TaskInput, cited: readonly Source[]): TaskInput {
  const ids = new Set(idsOf([...(given.result.sources ?? []), ...cited]))
  const found = given.found?.map(({ source, ...rows }) => (ids.has(source.id) ? { source, ...rows } : { source }))
  return { ...given, ...omitUndefined({ found }) }
}

/** The answer with the ids of the calls that it cites. @param isShown the calls show its table */
function textOf({ output }: Agent, outcome: Outcome, isShown: boolean): string {
  const { answer, tabular, data, sources = [], unanswered = [] } = outcome
  const isBare = answer === undefined && tabular === undefined
  const marked = answer && withIds(answer, idsOf(sources))
  const parts = [
    resultText(omitUndefined({ answer: marked, tabular: isShown && answer ? undefined : tabular, data })),
    ...(output === undefined || isBare ? [] : [`Data: ${JSON.stringify(data)}`]),
    ...unanswered.map((part) => `Reported as not done: ${part}`),
  ]
  return truncate(parts.join('\n'), MAX_RESULT)
}

function idsOf(sources: readonly Source[]): readonly (string | undefined)[] {
  return sources.map(({ id }) => id)
}

/** The result with the reflector's repairs, which cannot change table, sources or confidence. */
function repaired(
  { output }: Agent,
  outcome: Outcome,
  { refined_output: words, refined_data: data }: Reflection,
): Outcome {
  const { text, cited } = numberCitations(words?.trim() ?? '', outcome.sources ?? [])
  return {
    ...outcome,
    ...(text === '' ? {} : { answer: text }),
    ...(cited.length === 0 ? {} : { sources: cited }),
    ...(output === undefined || data == null ? {} : { data }),
  }
}

/** Sends the result back. If that is not possible, returns the parts of it that may be kept. */
function rejected({ ctx, work }: Look, outcome: Outcome, text: string): Outcome {
  const answer = omitUndefined({ answer: outcome.answer })
  const decision = ctx.sendBack({ by: 'reflection', text, ...answer }, work.isWorded ? MAX_REJECTIONS : 0)
  ctx.note('DECISION', `Rejected by reflection: ${text}`, { reflection: 'REJECTED', feedback: text })
  if (decision === 'done') {
    const remark = 'The check found this result wrong. It was not repeated, because the action cannot be undone.'
    return { ...outcome, reflection: 'REJECTED', remarks: [...(outcome.remarks ?? []), remark] }
  }
  const message = `The result was rejected when it was checked: ${text}`
  return { status: 'failed', error: { type: 'ResultRejected', message } }
}

const EMPTY = 'There is no result: no answer, no table, no data. Do the task, or say why it cannot be done.'

/** Deterministic checks of a result: it is not empty and fits its schema. Returns sentences that say what to fix. */
function faultsOf(agent: Agent, { answer = '', tabular, data }: Outcome): readonly string[] {
  if (answer.trim() === '' && tabular === undefined && data === undefined) return [EMPTY]
  return [...schemaFaults(agent, data), ...(tabular === undefined ? [] : tableFaults(tabular))]
}

function schemaFaults({ output }: Agent, data: unknown): string[] {
  const read = output?.safeParse(data)
  if (read === undefined || read.success) return []
  return problemsIn(read.error).map(({ path, message }) => `data.${path.join('.')}: ${message}.`)
}

/** Whether each row has the columns of the table and no others. */
function tableFaults({ columns, rows, rowCount }: Table): string[] {
  const known = new Set(columns)
  const isRow = (row: object): boolean => Object.keys(row).every((name) => known.has(name))
  const isWhole = known.size === columns.length && columns.length > 0 && rows.every(isRow) && rowCount >= rows.length
  return isWhole ? [] : ['The table is none: its rows do not fit its columns. Give each row a value for each column.']
}
