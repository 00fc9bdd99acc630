import type { Citation } from '../../../core/citation.ts'
import type { AgentResult } from '../../../core/response.ts'
import type { Source } from '../../../core/result.ts'
import { citedNumbers, replaceMarks } from '../../citations.ts'

/** Kinds of sources whose agents write [n] into their own answers. */
const MARKED_BY_AGENTS: ReadonlySet<Source['kind']> = new Set(['document', 'web', 'mail', 'mcp'])

/** The answers of agents with the numbers that hold for the whole run. */
export interface Numbered {
  readonly citations: readonly Citation[]
  /** By task: the agent's answer with the run's numbers in place of its own. */
  readonly answers: ReadonlyMap<string, string>
  /** By task: the numbers of its sources. */
  readonly numbers: ReadonlyMap<string, readonly number[]>
}

/** Numbers the sources of all agents that succeeded, each place once, in the order of the plan. */
export function numberSources(results: readonly AgentResult[]): Numbered {
  const citations = new Map<string, Citation>()
  const answers = new Map<string, string>()
  const numbers = new Map<string, number[]>()
  for (const { task, agent, status, sources, answer = '' } of results) {
    if (status !== 'succeeded') continue
    const own = sources.map((source) => {
      const key = placeKey(source)
      const known = citations.get(key)
      if (known !== undefined) return known.n
      const n = citations.size + 1
      citations.set(key, { n, source, agent })
      return n
    })
    numbers.set(task, [...new Set(own)])
    const marks = sources.some(({ kind }) => MARKED_BY_AGENTS.has(kind))
    answers.set(task, marks ? replaceMarks(answer, (n) => own[n - 1]) : answer)
  }
  return { citations: [...citations.values()], answers, numbers }
}

/** The answer with marks behind it that stand for all its sources, where it has none of its own. */
export function withMarks(answer: string, numbers: readonly number[]): string {
  if (answer === '' || numbers.length === 0 || citedNumbers(answer).some((n) => numbers.includes(n))) return answer
  return `${answer.trimEnd()} ${numbers.map((n) => `[${n}]`).join('')}`
}

/** An answer whose every mark resolves, what it cites, and the numbers that had to go. */
export function resolveMarks(answer: string, citations: readonly Citation[]) {
  const known = new Set(citations.map(({ n }) => n))
  const removed = new Set<number>()
  let resolved = answer
  // What is left when a mark is gone may look like one.
  for (let unknown = unknownIn(resolved, known); unknown.length > 0; unknown = unknownIn(resolved, known)) {
    for (const n of unknown) removed.add(n)
    resolved = replaceMarks(resolved, (n) => (known.has(n) ? n : undefined))
  }
  const cited = new Set(citedNumbers(resolved))
  return { answer: resolved, cited: citations.filter(({ n }) => cited.has(n)), removed: [...removed] }
}

function unknownIn(answer: string, known: ReadonlySet<number>): number[] {
  return citedNumbers(answer).filter((n) => !known.has(n))
}

function placeKey({ kind, name, detail, url, passage }: Source): string {
  const place = passage === undefined ? [] : [passage.documentId, passage.start, passage.end]
  return JSON.stringify([kind, name, detail, url, ...place])
}
