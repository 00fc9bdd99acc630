import type { Conversation, ConversationMessage } from '../../core/conversation.ts'
import { iso } from '../schemas.ts'

/** A conversation as a page of Markdown. Its texts stay as they are: answers are Markdown themselves. */
export function conversationMarkdown({ title }: Conversation, messages: readonly ConversationMessage[]): string {
  const said = messages.map(({ role, text, at }) => `**${role === 'user' ? 'You' : 'Tutti'}**, ${iso(at)}\n\n${text}\n`)
  return [`# ${title.replaceAll(/\s+/g, ' ')}\n`, ...said].join('\n')
}
