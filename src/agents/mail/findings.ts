import type { AgentTask } from '../../core/actor.ts'
import { sentenceWithoutMessage } from '../../core/clean-sentence.ts'
import type { Source } from '../../core/result.ts'

/** What earlier agents found, for a mail: their answers with one numbering of sources. */
export interface Findings {
  readonly texts: readonly string[]
  /** One line each, in the order of their numbers from 1. */
  readonly sources: readonly string[]
  /** Where nothing was found, by the names that people use, each with a fixed sentence: no word of a stranger. */
  readonly failures: readonly string[]
}

const MAX_ANSWER = 4_000
const MAX_DETAIL = 160

/** Collects the inputs of a task; each agent's `[n]` counts its own sources, so they are numbered anew. */
export function findingsOf(task: AgentTask): Findings {
  const texts: string[] = []
  const sources: string[] = []
  const failures: string[] = []
  for (const { label = 'another source', result } of task.inputs()) {
    if (result.status !== 'succeeded') {
      const why = result.error === undefined ? 'it was not run' : sentenceWithoutMessage(result.error)
      failures.push(`${label}: ${why}`)
      continue
    }
    const answer = result.answer?.trim()
    if (answer === undefined || answer === '') continue
    const numbers = (result.sources ?? []).map((source) => numberOf(sourceLine(source), sources))
    const renumbered = answer.replaceAll(/\[(\d{1,3})\]/g, (_, n: string) => {
      const number = numbers[Number(n) - 1]
      return number === undefined ? '' : `[${number}]`
    })
    const isMarked = /\[\d{1,3}\]/.test(renumbered)
    const marks = isMarked ? '' : [...new Set(numbers)].map((number) => `[${number}]`).join('')
    texts.push(`${cut(renumbered, MAX_ANSWER)}${marks === '' ? '' : ` ${marks}`}`)
  }
  return { texts, sources, failures }
}

function numberOf(line: string, sources: string[]): number {
  const index = sources.indexOf(line)
  return index >= 0 ? index + 1 : sources.push(line)
}

function sourceLine({ name, detail, url, passage }: Source): string {
  const page = passage?.page === undefined ? '' : `, page ${passage.page}`
  const section = passage?.section === undefined ? '' : `, ${passage.section}`
  const about = url ?? detail?.replaceAll(/\s+/g, ' ')
  return `${name}${page}${section}${about === undefined || about === '' ? '' : `: ${cut(about, MAX_DETAIL)}`}`
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
