import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import { sentenceWithoutMessage } from '../../domain/error-text.ts'
import { truncate, truncateAtWord } from '../../shared/json.ts'
import type { Source } from '../../domain/result.ts'
import { pageLabel } from '../../shared/page-label.ts'
import { readAddress } from '../../mail/address.ts'
import { userWords } from '../../agents/user-words.ts'
import type { MailWish } from './read-request.ts'

const MAX_TEXT = 4_000
const MAX_SUBJECT = 78

/** External content is used in an email only if the user's own words ask for its kind. */
const ASKED_KINDS: Readonly<Partial<Record<Source['kind'], RegExp>>> = {
  document:
    /\b(?:documents?|docs?|pdfs?|polic(?:y|ies)|handbooks?|manuals?|guides?|guidelines?|faqs?|contracts?|newsletters?|brochures?|according to)\b/i,
  mail: /\b(?:(?:mails?|messages?) (?:from|of|about)|newsletters?|inbox|mailbox|wrote)\b/i,
  web: /\b(?:web|online|internet|websites?|web ?pages?|https?:|www\.)/i,
  mcp: /\bservers?\b|(?:^|\s)[\w-]+\.[a-z]{2,5}\b/i,
}

export interface Composed {
  readonly subject: string
  /** Empty if the text is not known. */
  readonly body: string
  /** Results that the email leaves out, one sentence each. */
  readonly omitted: readonly string[]
}

/** Writes an email from a fixed template: greeting, dictated text, results of other tasks, signature. */
export function composeMail(
  wish: MailWish,
  task: AgentTask,
  ctx: ActorContext,
  { to, from }: { readonly to: readonly string[]; readonly from: string },
): Composed {
  const { texts, sources, failures, omitted } = findings(task, ctx)
  const { said, about } = wish
  const opening = [
    ...(said === '' ? [] : [sentence(said)]),
    ...(said === '' && about !== '' ? [`I am writing about ${about}.`] : []),
    ...(said === '' && about === '' && texts.length > 0 ? ['Here are the results.'] : []),
  ]
  const subject = subjectOf(wish)
  if (opening.length === 0) return { subject, body: '', omitted }
  const paragraphs = [
    greeting(to),
    ...opening,
    ...texts,
    ...(failures.length === 0 ? [] : [`Not everything could be found out: ${failures.join('; ')}`]),
    ...(sources.length === 0 ? [] : [`Sources:\n${sources.map((line, i) => `[${i + 1}] ${line}`).join('\n')}`]),
    ['Kind regards', readAddress(from)?.name ?? ''].filter(Boolean).join('\n'),
  ]
  return { subject, body: paragraphs.join('\n\n'), omitted }
}

function subjectOf({ subject, about, content, said }: MailWish): string {
  if (subject !== '') return subject
  const isPointing =
    /^(?:it|that|this|them|these|those|(?:all|both)(?: of)? (?:that|this|it|them)|the (?:results?|findings?|answers?|figures?|numbers?))$/i
  const nouns = [about, isPointing.test(content) ? '' : content].map((text) => text.replace(/^(?:the|our|my) /i, ''))
  const topic = [...nouns, said, 'Results'].find((text) => text !== '')!
  const [first = ''] = topic.split(/[?.!;](?=\s|$)/, 1)
  return capital(truncateAtWord(first.replaceAll(/\s+/g, ' '), MAX_SUBJECT))
}

/** By first name where the address says that it is a person's: `dara.tolliver@…`, not `support@…`. */
function greeting(to: readonly string[]): string {
  const only = to.length === 1 ? readAddress(to[0]!) : undefined
  const first = only?.name.split(/\s+/)[0] ?? ''
  const plain = first.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return first.length > 1 && only!.address.toLowerCase().startsWith(plain) ? `Hello ${first},` : 'Hello,'
}

/** Answers of the tasks before, with one numbering of their sources. */
function findings(task: AgentTask, ctx: ActorContext) {
  const { attached = [], ownSources } = ctx.request
  const words = userWords(task, ctx)
  const found = task.inputs().flatMap(({ result }) => result.sources ?? [])
  const isDocument = ({ kind }: Source): boolean => kind === 'document'
  const onlyDocuments = attached.length > 0 && ownSources === undefined && found.every(isDocument)
  const isAsked = ({ kind }: Source): boolean =>
    ASKED_KINDS[kind]?.test(words) !== false || (onlyDocuments && kind === 'document')
  const [texts, sources, failures, omitted]: [string[], string[], string[], string[]] = [[], [], [], []]
  for (const { label = 'another source', result } of task.inputs()) {
    const answer = result.answer?.trim() ?? ''
    if (result.status !== 'succeeded') {
      failures.push(`${label}: ${result.error === undefined ? 'it was not run' : sentenceWithoutMessage(result.error)}`)
    } else if (!(result.sources ?? []).every(isAsked)) {
      const sourceLabel = label === 'another source' ? 'a source' : label
      omitted.push(`What was found in ${sourceLabel} is not in it: ask for it by name to have it there.`)
    } else if (answer !== '') {
      const numbers = (result.sources ?? []).map((source) => {
        const line = sourceLine(source)
        return sources.includes(line) ? sources.indexOf(line) + 1 : sources.push(line)
      })
      const text = truncate(answer.replaceAll('**', ''), MAX_TEXT).replaceAll(/\[(\d{1,3})\]/g, (_, n: string) => {
        const number = numbers[Number(n) - 1]
        return number === undefined ? '' : `[${number}]`
      })
      const marks = /\[\d{1,3}\]/.test(text) ? '' : [...new Set(numbers)].map((number) => `[${number}]`).join('')
      texts.push([text, marks].filter(Boolean).join(' '))
    }
  }
  return { texts, sources, failures, omitted }
}

function sourceLine({ kind, name, url, passage }: Source): string {
  const page = passage?.page === undefined ? '' : `, ${pageLabel(name, passage.page)}`
  const section = passage?.section === undefined ? '' : `, ${passage.section}`
  return `${name}${page}${section}${kind === 'api' || url === undefined ? '' : `: ${url}`}`
}

function sentence(text: string): string {
  const trimmed = capital(text.trim())
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

function capital(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}
