import type { ActorContext } from '../../domain/actor.ts'
import { omitUndefined } from '../../shared/omit-undefined.ts'
import { mapLeaves } from '../../shared/json-walk.ts'
import { isObject } from '../../shared/safe-json.ts'
import type { Outcome } from '../../domain/result.ts'
import { tableFromArrays, type Table } from '../../domain/table.ts'
import type { TeamMember } from '../../domain/team.ts'
import { tableAnswerText } from '../plain-answer.ts'
import { recordsOf, tableOfRecords } from '../records.ts'
import { toolSources, outputText } from '../../tool-loop/tool-sources.ts'
import type { LoopTool } from '../../domain/toolkit.ts'

/** In any text of the input: the day of the question. */
const DAY = '{current_date}'

/** Makes a member's fixed call exactly as the team defines it, with or without a model. */
export async function fixedCall(
  call: NonNullable<TeamMember['call']>,
  bound: LoopTool,
  ctx: ActorContext,
): Promise<Outcome> {
  const day = String(ctx.request.context['current_date'])
  const input = mapLeaves(
    call.input,
    (leaf) => (typeof leaf === 'string' ? leaf.replaceAll(DAY, day) : leaf),
    () => true,
  )
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
