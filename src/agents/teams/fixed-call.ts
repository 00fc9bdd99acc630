import type { ActorContext } from '../../domain/actor.ts'
import { toTuttiError } from '../../domain/errors.ts'
import { omitUndefined, mapLeaves, isObject } from '../../shared/json.ts'
import type { Outcome } from '../../domain/result.ts'
import { tableFromArrays, type Table } from '../../domain/table.ts'
import type { TeamMember } from '../../domain/team.ts'
import { tableAnswerText } from '../plain-answer.ts'
import { recordsOf, tableOfRecords } from '../records.ts'
import { toolSources, outputText } from '../../tool-loop/tool-sources.ts'
import type { LoopTool } from '../../domain/tool.ts'
import type { KnownTool } from '../tool-agent/tools.ts'

/** In any text of the input: the day of the question. */
const DAY = '{current_date}'

/** Makes a member's fixed call exactly as the team defines it, with or without a model. */
export async function fixedCall(
  call: NonNullable<TeamMember['call']>,
  bound: LoopTool,
  ctx: ActorContext,
): Promise<Outcome> {
  const input = inputOf(call, ctx)
  const output = await ctx.call(bound.tool, input)
  const failure = failureIn(output)
  if (failure !== undefined) return { status: 'failed', error: { type: 'ToolError', message: failure } }
  const tabular = tableIn(output)
  const resultText = tabular === undefined ? outputText(output as object) : tableAnswerText(tabular, ctx.request.locale)
  return {
    answer: resultText?.trim() || JSON.stringify(output),
    data: { call: { tool: bound.tool.name, input }, by: 'rules' },
    sources: toolSources(bound, input, output),
    ...omitUndefined({ tabular }),
  }
}

/**
 * Makes the fixed calls that only read, before a user approves the team. Returns a sentence for each that fails.
 * @param excluded names of tools that must not be called
 */
export async function failingCalls(
  members: readonly TeamMember[],
  tools: ReadonlyMap<string, KnownTool>,
  excluded: ReadonlySet<string>,
  ctx: ActorContext,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const { name, call } of members) {
    const known = call === undefined || excluded.has(call.tool) ? undefined : tools.get(call.tool)
    if (call === undefined || known === undefined || !('bound' in known)) continue
    const { tool } = known.bound
    if (tool.effect !== 'read' || tool.reach !== 'inside') continue
    const problem = await ctx.call(tool, inputOf(call, ctx)).then(failureIn, (thrown: unknown) => {
      if (ctx.signal.aborted) throw thrown
      return toTuttiError(thrown).message
    })
    if (problem !== undefined) problems.push(`The call of “${name}” fails: ${problem.replace(/\.$/, '')}.`)
  }
  return problems
}

function inputOf(call: NonNullable<TeamMember['call']>, { request }: ActorContext): Readonly<Record<string, unknown>> {
  const day = String(request.context['current_date'])
  return mapLeaves(
    call.input,
    (leaf) => (typeof leaf === 'string' ? leaf.replaceAll(DAY, day) : leaf),
    () => true,
  )
}

/** The error in a query's output that has no rows. */
function failureIn(output: unknown): string | undefined {
  const result = isObject(output) && isObject(output['result']) ? output['result'] : undefined
  return result?.['success'] === false ? String(result['error'] ?? 'The query failed.') : undefined
}

function tableIn(output: unknown): Table | undefined {
  const payload = isObject(output) && 'result' in output ? output['result'] : output
  const { columns, data, truncated } = isObject(payload) ? payload : {}
  if (Array.isArray(columns) && Array.isArray(data)) {
    return tableFromArrays(columns.map(String), data as unknown[][], truncated === true)
  }
  const records = recordsOf(payload)
  return records === undefined || records.length === 0 ? undefined : tableOfRecords(records, false)
}
