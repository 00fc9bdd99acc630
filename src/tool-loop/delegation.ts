import type { TaskInput } from '../core/actor.ts'
import { withIds } from '../core/citation.ts'
import { isObject } from '../core/outside.ts'
import type { Source } from '../core/result.ts'
import type { CallAnswer } from '../core/transcript.ts'
import { withId } from '../grounding/citations.ts'
import { tagged } from './messages.ts'
import { page, tableIn, textOfOutput } from './result-text.ts'

/**
 * Results of other jobs as a transcript shows them: those that a task depends on, and those of delegated tasks. Their sources
 * get ids of this transcript. Undefined without any.
 * @param known sources of the transcript so far
 */
export function delegatedResult(inputs: readonly TaskInput[], known: readonly Source[]): CallAnswer | undefined {
  if (inputs.length === 0) return undefined
  const all = [...known]
  const parts = inputs.map(({ key, actor, result }) => {
    const sources = (result.sources ?? []).map((source) => {
      const named = withId(source, all)
      all.push(named)
      return named
    })
    const ids = sources.map(({ id }) => id!)
    const { answer = '', tabular, data, error, status } = result
    const failure = error === undefined ? '' : `Error ${error.type}: ${error.message}`
    const table = tabular === undefined ? '' : page(textOfOutput(tabular), 0, key)
    const from = ids.length === 0 ? '' : `Sources: ${ids.map((id) => `[${id}]`).join(' ')}`
    const content = [withIds(answer, ids), failure, table, ...otherTables(data), from]
      .filter((line) => line !== '')
      .join('\n')
    return { sources, text: tagged('result', content, { task: key, agent: actor, status }) }
  })
  const sources = parts.flatMap((part) => part.sources)
  const failed = inputs.every(({ result }) => result.status !== 'succeeded') ? inputs[0]?.result.error : undefined
  return {
    text: parts.map(({ text }) => text).join('\n\n'),
    ...(sources.length === 0 ? {} : { sources }),
    ...(failed === undefined ? {} : { error: failed }),
  }
}

/** Tables of calls that the answer does not rest on, as the agent's outcome keeps them. */
function otherTables(data: unknown): readonly string[] {
  const calls: readonly unknown[] = isObject(data) && Array.isArray(data['calls']) ? data['calls'] : []
  return calls.filter(isObject).flatMap(({ tool, input, table }) => {
    return tableIn(table) === undefined ? [] : [`${String(tool)} ${JSON.stringify(input)}:\n${textOfOutput(table)}`]
  })
}
