import type { ActorContext } from '../../core/actor.ts'
import { given } from '../../core/given.ts'
import { isObject } from '../../core/outside.ts'
import type { Outcome } from '../../core/result.ts'
import { tableFromArrays, type Table } from '../../core/table.ts'
import type { TeamMember } from '../../core/team.ts'
import { plainAnswer } from '../plain-answer.ts'
import { recordsOf, tableOfRecords } from '../records.ts'
import { sourceOf, textOf } from '../tool-agent/tool-sources.ts'
import type { BoundTool } from '../tool-agent/tools.ts'

/** Makes the one call of a member, exactly as the team says it: with a model and without the same. */
export async function fixedCall(
  { input }: NonNullable<TeamMember['call']>,
  bound: BoundTool,
  ctx: ActorContext,
): Promise<Outcome> {
  const output = await ctx.call(bound.tool, input)
  const failure = failureIn(output)
  if (failure !== undefined) return { status: 'failed', error: { type: 'ToolError', message: failure } }
  const tabular = tableIn(output)
  const said = tabular === undefined ? textOf(output as object) : plainAnswer(tabular, ctx.request.locale)
  return {
    answer: said?.trim() || JSON.stringify(output),
    data: { call: { tool: bound.tool.name, input }, by: 'rules' },
    sources: sourceOf(bound, input, output),
    ...given({ tabular }),
  }
}

/** What a query answers with beside rows. */
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
