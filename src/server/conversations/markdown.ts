import type { Conversation, ConversationMessage } from '../../core/conversation.ts'
import { literal, literalText } from '../../core/literal.ts'
import { tableBlocks } from '../protocols/markdown-table.ts'
import { iso } from '../schemas.ts'
import type { Grounds } from './grounds.ts'

/** A message with what stands beside it. */
export type Grounded = ConversationMessage & Grounds

/**
 * A conversation as a page of Markdown: texts with their tables, in all rows that are kept, and sources with what was asked of
 * databases. An answer that a model wrote is Markdown itself; all else, values above all, is shown to the letter.
 */
export function conversationMarkdown({ title }: Conversation, messages: readonly Grounded[]): string {
  const said = messages.map(({ role, text, format, at, data, sources }) => {
    const head = `**${role === 'user' ? 'You' : 'Tutti'}**, ${iso(at)}`
    const shown = format === 'markdown' ? text : literalText(text)
    return `${[head, shown, ...tableBlocks(data, Infinity), ...sourceBlocks(sources)].join('\n\n')}\n`
  })
  return [`# ${literal(title)}\n`, ...said].join('\n')
}

function sourceBlocks(sources: Grounds['sources']): string[] {
  if (sources.length === 0) return []
  const lines = sources.map(({ n, title, query }) => {
    const line = `- ${n === undefined ? '' : `[${n}] `}${literalText(title.replaceAll(/\s+/g, ' '))}`
    if (query === undefined) return line
    const fence = '`'.repeat(Math.max(3, ...[...query.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
    return [line, '', `${fence}sql`, ...query.split('\n'), fence].join('\n  ').replaceAll(/^ +$/gm, '')
  })
  return [`Sources:\n\n${lines.join('\n')}`]
}
