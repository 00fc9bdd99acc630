import type { AgentTask } from '../../../core/actor.ts'
import { sentenceWithoutMessage } from '../../../core/clean-sentence.ts'
import { pageInWords } from '../../../core/sheets.ts'
import type { Source } from '../../../core/result.ts'
import { forPeople } from './for-people.ts'
import { writingClause } from './intent.ts'

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

interface About {
  /** Whether the user named documents for this very question, and nobody else who could have been asked. */
  readonly onlyDocuments?: boolean
  /** How numbers are written. */
  readonly locale?: string | undefined
}

/**
 * Collects the inputs of a task; each agent's `[n]` counts its own sources, so they are numbered anew. Words of strangers
 * are among them only where the user's own ask for that document, mail or page: whatever was quoted because nobody else
 * knew an answer goes into no mail.
 */
export function findingsOf(task: AgentTask, words: string, { onlyDocuments = false, locale }: About = {}): Findings {
  const texts: string[] = []
  const sources: string[] = []
  const failures: string[] = []
  const omitted: string[] = []
  const mayHold = (source: Source): boolean =>
    isAskedFor(source, words) || (onlyDocuments && source.kind === 'document')
  for (const { label = 'another source', result } of task.inputs()) {
    if (result.status !== 'succeeded') {
      const why = result.error === undefined ? 'it was not run' : sentenceWithoutMessage(result.error)
      failures.push(`${label}: ${why}`)
      continue
    }
    const answer = result.answer?.trim()
    if (answer === undefined || answer === '') continue
    if ((result.sources ?? []).some((source) => !mayHold(source))) {
      omitted.push(
        `What was found in ${label.replace(/^another source$/, 'a source')} is not in it: ask for it by name to have it there.`,
      )
      continue
    }
    const numbers = (result.sources ?? []).map((source) => numberOf(sourceLine(source), sources))
    const renumbered = forPeople(answer, result.tabular, locale).replaceAll(/\[(\d{1,3})\]/g, (_, n: string) => {
      const number = numbers[Number(n) - 1]
      return number === undefined ? '' : `[${number}]`
    })
    const isMarked = /\[\d{1,3}\]/.test(renumbered)
    const marks = isMarked ? '' : [...new Set(numbers)].map((number) => `[${number}]`).join('')
    texts.push(`${cut(renumbered, MAX_ANSWER)}${marks === '' ? '' : ` ${marks}`}`)
  }
  return { texts, sources, failures, omitted }
}

const ANY_OF = String.raw`(?:according\s+to|per|from|in|of)\s+(?:the|our|my|your|his|her|their|this|that|these|those)\s+(?:[\w-]+\s+){0,2}?`
/** Nouns that name a document only where it is clear that somebody else wrote it: a report may be the mail itself. */
const PAPER = '(?:reports?|letters?|notes?|files?|papers?|minutes|terms|rules|conditions)'
const SAYS = String.raw`\s+(?:says?|said|states?|stated)\b`

/** How people ask for what somebody else wrote. */
const ASKING: Readonly<Partial<Record<Source['kind'], RegExp>>> = {
  document: new RegExp(
    String.raw`\b(?:documents?|docs?|pdfs?|polic(?:y|ies)|handbooks?|manuals?|guides?|guidelines?|faqs?|contracts?|newsletters?|brochures?|according\s+to)\b` +
      String.raw`|\b${ANY_OF}${PAPER}\b|\b${PAPER}${SAYS}|\bwhat\s+(?:(?:do|does|did)\s+)?(?:the|our|this|that)\s+[\w\s-]{1,40}?${SAYS}`,
    'i',
  ),
  mail: /\b(?:e-?mails?|mails?|messages?|newsletters?|inbox|mailbox|wrote)\b/i,
  web: /\b(?:web|online|internet|web ?sites?|web ?pages?|https?:|www\.|google|news\s+(?:on|about|from|of))/i,
  // A file or another thing that only a server holds.
  mcp: /(?:^|[\s"'“(/])[\w-]+\.[a-z]{2,5}\b|\bservers?\b/i,
}

/**
 * Whether the user's own words ask for it: by its kind or its whole name. A word that both share is not enough, since
 * strangers name their files as they like.
 */
function isAskedFor({ kind, name }: Source, words: string): boolean {
  const asking = ASKING[kind]
  if (asking === undefined) return true
  const { clause, before } = writingClause(words)
  const said =
    kind === 'mail' ? `${before} ${clause.replace(/^(?:\S+\s+){0,3}?(?:e-?mails?|mails?|messages?)\b/i, '')}` : words
  return asking.test(said) || isNamed(name, said)
}

/** With its ending, as of a file, or in quotation marks. */
function isNamed(name: string, said: string): boolean {
  const [text, whole] = [said.toLowerCase(), name.toLowerCase()]
  if (/\.[a-z]\w{1,4}$/.test(whole) && text.includes(whole)) return true
  return [`"${whole}"`, `“${whole}”`].some((quoted) => text.includes(quoted))
}

function numberOf(line: string, sources: string[]): number {
  const index = sources.indexOf(line)
  return index >= 0 ? index + 1 : sources.push(line)
}

/** A query or a program is nothing that one reads in a mail: whoever approves it finds them beside the answer. */
function sourceLine({ kind, name, url, passage }: Source): string {
  const page = passage?.page === undefined ? '' : `, ${pageInWords(name, passage.page)}`
  const section = passage?.section === undefined ? '' : `, ${passage.section}`
  const address = kind === 'api' ? undefined : url
  return `${name}${page}${section}${address === undefined ? '' : `: ${address}`}`
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
