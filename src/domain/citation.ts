import { truncate } from '../shared/safe-json.ts'
import { onOneLine } from './prompt-text.ts'
import type { Source } from './result.ts'

/** The source of the mark [n] in an answer. The engine assigns the numbers, never a model. */
export interface Citation {
  readonly n: number
  readonly source: Source
  /** The agent that found it. */
  readonly agent: string
}

/** `[1]`, `[1, 2]`: places among the sources of an agent's own answer. */
export const SOURCE_MARK = /\[(\d+(?:\s*,\s*\d+)*)\]/g

/** An agent's answer with source ids in place of its [n] marks; marks without a source are kept. */
export function withIds(answer: string, ids: readonly (string | undefined)[]): string {
  return answer.replace(SOURCE_MARK, (mark, list: string) => {
    const named = list.split(',').map((n) => ids[Number(n) - 1])
    return named.every((id) => id !== undefined) ? named.map((id) => `[${id}]`).join('') : mark
  })
}

/**
 * A source on one line, for models and lists.
 * @param maxDetail characters of its detail: the request, or a mail's id
 */
export function describeSource({ kind, name, detail, url, passage }: Source, maxDetail: number): string {
  const { page, section } = passage ?? {}
  const place = [`${kind} ${name}`, page === undefined ? undefined : `page ${page}`, section, url]
  const asked = detail === undefined || maxDetail === 0 ? '' : `: ${truncate(detail, maxDetail)}`
  return onOneLine(`${place.filter((part) => part !== undefined).join(', ')}${asked}`)
}
