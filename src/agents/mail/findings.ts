import type { AgentTask } from '../../core/actor.ts'
import { sentenceWithoutMessage } from '../../core/clean-sentence.ts'
import type { Source } from '../../core/result.ts'
import { plainWords } from '../../language/asking-words.ts'
import { writingClause } from './rules/intent.ts'

/** What earlier agents found, for a mail: their answers with one numbering of sources. */
export interface Findings {
  readonly texts: readonly string[]
  /** One line each, in the order of their numbers from 1. */
  readonly sources: readonly string[]
  /** Where nothing was found, by the names that people use, each with a fixed sentence: no word of a stranger. */
  readonly failures: readonly string[]
  /** What was found and nobody asked for, in sentences. */
  readonly omitted: readonly string[]
}

const MAX_ANSWER = 4_000
const MAX_DETAIL = 160

/**
 * Collects the inputs of a task; each agent's `[n]` counts its own sources, so they are numbered anew. Words of strangers
 * are among them only where the user's own ask for that document, mail or page: whatever was quoted because nobody else
 * knew an answer goes into no mail.
 */
export function findingsOf(task: AgentTask, words: string): Findings {
  const texts: string[] = []
  const sources: string[] = []
  const failures: string[] = []
  const omitted: string[] = []
  for (const { label = 'another source', result } of task.inputs()) {
    if (result.status !== 'succeeded') {
      const why = result.error === undefined ? 'it was not run' : sentenceWithoutMessage(result.error)
      failures.push(`${label}: ${why}`)
      continue
    }
    const answer = result.answer?.trim()
    if (answer === undefined || answer === '') continue
    if ((result.sources ?? []).some((source) => !isAskedFor(source, words))) {
      omitted.push(
        `What was found in ${label.replace(/^another source$/, 'a source')} is not in it: you did not ask for that.`,
      )
      continue
    }
    const numbers = (result.sources ?? []).map((source) => numberOf(sourceLine(source), sources))
    const renumbered = answer.replaceAll(/\[(\d{1,3})\]/g, (_, n: string) => {
      const number = numbers[Number(n) - 1]
      return number === undefined ? '' : `[${number}]`
    })
    const isMarked = /\[\d{1,3}\]/.test(renumbered)
    const marks = isMarked ? '' : [...new Set(numbers)].map((number) => `[${number}]`).join('')
    texts.push(`${cut(renumbered, MAX_ANSWER)}${marks === '' ? '' : ` ${marks}`}`)
  }
  return { texts, sources, failures, omitted }
}

/** Words by which people ask for what somebody else wrote. */
const ASKING: Readonly<Partial<Record<Source['kind'], RegExp>>> = {
  document:
    /\b(?:documents?|docs?|files?|pdfs?|papers?|polic(?:y|ies)|handbooks?|manuals?|guides?|guidelines?|faqs?|contracts?|reports?|letters?|notes?|newsletters?|minutes|brochures?|says?|said|states?|stands?|written|according to|quot(?:e|ed|ing)|wording|rules?|terms)\b/i,
  mail: /\b(?:e-?mails?|mails?|messages?|newsletters?|inbox|mailbox|wr[io]te|written|wants?|asks?|asked|says?|said)\b/i,
  web: /\b(?:web|online|internet|news|latest|web ?sites?|pages?|https?:|www\.|google|search)\b/i,
}

/** Whether the user's own words ask for it: by its kind, or a document by a word of its name. */
function isAskedFor({ kind, name }: Source, words: string): boolean {
  const asking = ASKING[kind]
  if (asking === undefined) return true
  const { clause, before } = writingClause(words)
  const said =
    kind === 'mail' ? `${before} ${clause.replace(/^(?:\S+\s+){0,3}?(?:e-?mails?|mails?|messages?)\b/i, '')}` : words
  if (asking.test(said)) return true
  const asked = new Set(plainWords(said).map(stemOf))
  return kind === 'document' && plainWords(name).some((word) => word.length > 3 && asked.has(stemOf(word)))
}

function stemOf(word: string): string {
  return word.replace(/e?s$/, '')
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
