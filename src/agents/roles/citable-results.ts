import { isOfModel } from '../../core/answer-format.ts'
import { withIds } from '../../core/citation.ts'
import type { AgentResult } from '../../core/response.ts'
import type { Source } from '../../core/result.ts'
import { withId } from '../../grounding/citations.ts'

/** Kinds of sources whose agents write [n] into their answers without a model. */
const MARKED_BY_AGENTS: ReadonlySet<Source['kind']> = new Set(['document', 'web', 'mail', 'mcp'])

/** The results of agents with one set of source ids for the whole run. */
export interface CitableResults {
  /** All sources, each place once, with its id. */
  readonly sources: readonly Source[]
  /** By task: the agent's answer with ids in place of its own [n]. */
  readonly texts: ReadonlyMap<string, string>
  /** The result that a source is of. */
  agentOf(source: Source): AgentResult | undefined
  /** A line with the ids of a result's sources and their places. */
  idsOf(result: AgentResult): string
}

/** Gives the sources of all results that succeeded ids, in the order of the plan. @param known sources whose ids are taken */
export function citableResults(results: readonly AgentResult[], known: readonly Source[] = []): CitableResults {
  const sources: Source[] = [...known]
  const owners = new Map<string, AgentResult>()
  const texts = new Map<string, string>()
  const ids = new Map<string, readonly string[]>()
  for (const result of results) {
    if (result.status !== 'succeeded') continue
    const own = result.sources.map(({ id: _own, ...source }) => {
      const found = withId(source, sources)
      if (!owners.has(found.id!)) {
        if (!sources.some(({ id }) => id === found.id)) sources.push(found)
        owners.set(found.id!, result)
      }
      return found.id!
    })
    ids.set(result.task, [...new Set(own)])
    const isMarked = isOfModel(result) || result.sources.some(({ kind }) => MARKED_BY_AGENTS.has(kind))
    const { answer } = result
    if (answer !== undefined) texts.set(result.task, isMarked ? withIds(answer, own) : answer)
  }
  return {
    sources,
    texts,
    agentOf: ({ id }) => owners.get(id!),
    idsOf: ({ task }) =>
      (ids.get(task) ?? []).map((id) => `[${id}] ${placeOf(sources.find((source) => source.id === id)!)}`).join('\n'),
  }
}

/** What a reader would call the place. */
function placeOf({ name, url, passage }: Source): string {
  const { page, section } = passage ?? {}
  return [name, url, page === undefined ? undefined : `page ${page}`, section]
    .filter((part) => part !== undefined)
    .join(', ')
}
