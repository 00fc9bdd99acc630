import type { Conversation, ConversationMessage } from '../../domain/conversation.ts'
import { escapeMarkdownLine, escapeMarkdown } from '../../shared/literal.ts'
import { hasSheets } from '../../shared/page-label.ts'
import { tableBlocks } from '../protocols/markdown-table.ts'
import type { AnswerSources } from './answer-sources.ts'

/** A message with its table and sources. */
export type Grounded = ConversationMessage & AnswerSources

/** Language and time zone of the export. */
export interface Spoken {
  readonly language: keyof typeof WORDS
  readonly zone: string
}

const WORDS = {
  en: { you: 'You', sources: 'Sources', page: 'page', sheet: 'sheet' },
  de: { you: 'Sie', sources: 'Quellen', page: 'Seite', sheet: 'Blatt' },
}

/** File name: the title, reduced to characters that every file system accepts, and the date. */
export function fileNameOf({ title, updatedAt }: Conversation, { zone }: Spoken): string {
  const safe = title.replaceAll(/[\p{C}\s\\/:*?"<>|'.]+/gu, ' ').trim()
  // Swedish dates are ISO 8601 dates.
  const day = new Intl.DateTimeFormat('sv', { timeZone: zone }).format(updatedAt)
  return `${[...safe].slice(0, 80).join('').trim() || 'Tutti'} ${day}`
}

/**
 * Renders a conversation as Markdown: messages with their complete tables, and sources with their database queries.
 * Answers of a model are already Markdown; all other text is escaped.
 */
export function conversationMarkdown(
  { title }: Conversation,
  messages: readonly Grounded[],
  { language, zone }: Spoken,
): string {
  const words = WORDS[language]
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
  const blocks = messages.map(({ role, text, format, at, data, replies = [], sources }) => {
    const head = `**${role === 'user' ? words.you : 'Tutti'}**, ${times.format(at)}${zone === 'UTC' ? ' UTC' : ''}`
    const body = format === 'markdown' ? text : escapeMarkdown(text)
    const replied = replies.flatMap(({ question, reply }) => [
      escapeMarkdown(question),
      `**${words.you}**: ${escapeMarkdown(reply ?? '–')}`,
    ])
    return `${[head, ...replied, body, ...tableBlocks(data, Infinity, 1), ...sourceBlocks(sources, words)].join('\n\n')}\n`
  })
  return [`# ${escapeMarkdownLine(title)}\n`, ...blocks].join('\n')
}

function sourceBlocks(sources: AnswerSources['sources'], words: (typeof WORDS)[Spoken['language']]): string[] {
  if (sources.length === 0) return []
  const lines = sources.map(({ n, title, page, query }) => {
    const place = page === undefined ? '' : `, ${hasSheets(title) ? words.sheet : words.page} ${page}`
    const line = `- ${n === undefined ? '' : `[${n}] `}${escapeMarkdown(title.replaceAll(/\s+/g, ' '))}${place}`
    if (query === undefined) return line
    const fence = '`'.repeat(Math.max(3, ...[...query.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
    return [line, '', `${fence}sql`, ...query.split('\n'), fence].join('\n  ').replaceAll(/^ +$/gm, '')
  })
  return [`${words.sources}:\n\n${lines.join('\n')}`]
}
