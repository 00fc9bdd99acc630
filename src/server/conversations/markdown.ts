import type { Conversation, ConversationMessage } from '../../domain/conversation.ts'
import { escapeMarkdownLine, escapeMarkdown } from '../../shared/literal.ts'
import { hasSheets } from '../../shared/page-label.ts'
import { tableBlocks } from '../protocols/markdown-table.ts'
import type { Grounds } from './grounds.ts'

/** A message with what is beside it. */
export type Grounded = ConversationMessage & Grounds

/** How whoever takes it along speaks, and where their clock stands. */
export interface Spoken {
  readonly language: keyof typeof WORDS
  readonly zone: string
}

const WORDS = {
  en: { you: 'You', sources: 'Sources', page: 'page', sheet: 'sheet' },
  de: { you: 'Sie', sources: 'Quellen', page: 'Seite', sheet: 'Blatt' },
}

/** What its file is called: its title, in characters that every disk takes, and its day. */
export function fileNameOf({ title, updatedAt }: Conversation, { zone }: Spoken): string {
  const safe = title.replaceAll(/[\p{C}\s\\/:*?"<>|'.]+/gu, ' ').trim()
  // Swedes write days as files have them.
  const day = new Intl.DateTimeFormat('sv', { timeZone: zone }).format(updatedAt)
  return `${[...safe].slice(0, 80).join('').trim() || 'Tutti'} ${day}`
}

/**
 * A conversation as a page of Markdown: texts with their tables, in all rows that are kept, and sources with what was asked of
 * databases. An answer that a model wrote is Markdown itself; all else, values above all, is shown to the letter.
 */
export function conversationMarkdown(
  { title }: Conversation,
  messages: readonly Grounded[],
  { language, zone }: Spoken,
): string {
  const words = WORDS[language]
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
  const said = messages.map(({ role, text, format, at, data, sources }) => {
    const head = `**${role === 'user' ? words.you : 'Tutti'}**, ${times.format(at)}${zone === 'UTC' ? ' UTC' : ''}`
    const shown = format === 'markdown' ? text : escapeMarkdown(text)
    return `${[head, shown, ...tableBlocks(data, Infinity, 1), ...sourceBlocks(sources, words)].join('\n\n')}\n`
  })
  return [`# ${escapeMarkdownLine(title)}\n`, ...said].join('\n')
}

function sourceBlocks(sources: Grounds['sources'], words: (typeof WORDS)[Spoken['language']]): string[] {
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
