import { usedModel } from '../../domain/answer-status.ts'
import { describeSource, withIds } from '../../domain/answer.ts'
import type { AgentResult } from '../../domain/agent-results.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Result, Source } from '../../domain/result.ts'
import { resultText } from '../../tool-loop/messages.ts'

/** Kinds of sources whose agents write [n] into their answers even without a model. */
const MARKED_BY_AGENTS: ReadonlySet<Source['kind']> = new Set(['document', 'web', 'mail', 'mcp'])

const MAX_MAIL_ID = 200

/** The results of agents with one set of source ids for the whole run. */
export interface CitableResults {
  /** All sources, each place once, with its id. */
  readonly sources: readonly Source[]
  /** By task: the agent's answer with ids in place of its own [n]. */
  readonly texts: ReadonlyMap<string, string>
  /** The result that a source is of. */
  agentOf(source: Source): AgentResult | undefined
  /** A line with the ids of a result's sources and their places. */
  idsOf(task: string): string
  /** A result as roles read it, under the name of its task: with these ids, and of a table the first rows. */
  textOf(task: string, result: Omit<Partial<Result>, 'status'>): string
}

/** The results in the order of the plan, failed ones with what they found. A source that the engine has not named yet is given an id here. */
export function citableResults(results: readonly AgentResult[]): CitableResults {
  const sources: Source[] = []
  let last = results
    .flatMap((result) => result.sources)
    .reduce((max, { id }) => Math.max(max, Number(id?.slice(1) ?? 0)), 0)
  const owners = new Map<string, AgentResult>()
  const texts = new Map<string, string>()
  const ids = new Map<string, readonly string[]>()
  for (const result of results) {
    const own = result.sources.map((source) => {
      const id = source.id ?? `s${(last += 1)}`
      if (!owners.has(id)) {
        sources.push({ ...source, id })
        owners.set(id, result)
      }
      return id
    })
    ids.set(result.task, [...new Set(own)])
    const isMarked = usedModel(result) || result.sources.some(({ kind }) => MARKED_BY_AGENTS.has(kind))
    const { answer } = result
    if (answer !== undefined) texts.set(result.task, isMarked ? withIds(answer, own) : answer)
  }
  const lineOf = (id: string): string => {
    const source = sources.find((one) => one.id === id)!
    // By the mailbox's own id a mail is found also where this result is not given.
    return `[${id}] ${describeSource(source, source.kind === 'mail' ? MAX_MAIL_ID : 0)}`
  }
  const idsOf = (task: string): string => (ids.get(task) ?? []).map(lineOf).join('\n')
  return {
    sources,
    texts,
    agentOf: ({ id }) => owners.get(id!),
    idsOf,
    textOf: (task, result) =>
      [resultText({ ...result, ...omitUndefined({ answer: texts.get(task) }) }, true), idsOf(task)]
        .filter(Boolean)
        .join('\n'),
  }
}
