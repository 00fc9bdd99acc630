import type { TaskFeedback } from '../core/actor.ts'
import type { Recollection } from '../core/conversation.ts'
import type { Result } from '../core/result.ts'
import { userMessage, type TranscriptMessage, type UserMessage } from '../core/turn.ts'
import { textOfOutput } from './result-text.ts'

/**
 * Earlier exchanges of the conversation as messages, with what older ones came to in front. Answers cite the results that are given
 * with them by their ids.
 */
export function conversationMessages({ summary, recent, results = [] }: Recollection): readonly TranscriptMessage[] {
  const before =
    summary === undefined
      ? []
      : [userMessage(tagged('conversation_summary', `Exchanges 1 to ${summary.turns}: ${summary.text}`))]
  const messages = recent.map(({ role, turn, text }): TranscriptMessage => {
    if (role === 'user') return userMessage(text)
    const { source, cited } = results.find((result) => result.turn === turn) ?? {}
    const named = source === undefined ? text : text.replaceAll(`[${cited}]`, `[${source.id}]`)
    return { role, parts: [{ type: 'text', text: named }] }
  })
  return [...before, ...messages]
}

/** What earlier answers rest on, for questions that go on from them; undefined when nothing is known. */
export function earlierResultsSection({ results = [] }: Recollection): string | undefined {
  if (results.length === 0) return undefined
  return results.map(({ turn, text }) => tagged('earlier_result', text, { exchange: String(turn) })).join('\n')
}

/** What is known of the user, for the end of the instructions; undefined when nothing is. */
export function profileSection({ profile }: Recollection): string | undefined {
  if (profile === undefined) return undefined
  const known = { ...profile.facts, ...profile.preferences }
  const lines = Object.entries(known).flatMap(([name, value]: [string, unknown]) =>
    value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [`${name}: ${String(value)}`],
  )
  return lines.length === 0 ? undefined : tagged('user_profile', lines.join('\n'))
}

/** The last message of the head: results that it is given, the context, the task. */
export function taskMessage(task: string, context: readonly string[], given: readonly string[] = []): UserMessage {
  const sections = [...given, ...(context.length === 0 ? [] : [tagged('context', context.join('\n'))]), task]
  return userMessage(sections.join('\n\n'))
}

/** Answer and rows, as the agent returned them; its data where there is neither. */
export function resultText({ answer, tabular, data, error }: Partial<Result>): string {
  const isBare = answer === undefined && tabular === undefined
  const parts = [
    ...(answer === undefined ? [] : [answer]),
    ...(tabular === undefined ? [] : [textOfOutput(tabular)]),
    ...(isBare && data !== undefined ? [textOfOutput(data)] : []),
    ...(error === undefined ? [] : [`Error ${error.type}: ${error.message}`]),
  ]
  return parts.join('\n') || 'No result.'
}

/** Why the task is done again. The number tells two equal rejections of a job apart. */
export function feedbackMessages(feedback: TaskFeedback | undefined): readonly UserMessage[] {
  if (feedback === undefined) return []
  const { by, text, rejections = 0 } = feedback
  const said = tagged('feedback', text, { by, ...(rejections > 1 ? { number: String(rejections) } : {}) })
  return [userMessage(`Your result was not accepted. Do the task again, better by this feedback.\n${said}`)]
}

/** A section of a message; neither its content nor an attribute can close it. */
export function tagged(tag: string, content: string, attributes: Readonly<Record<string, string>> = {}): string {
  const given = Object.entries(attributes).map(([name, value]) => ` ${name}="${oneLine(value)}"`)
  return `<${tag}${given.join('')}>\n${content.replaceAll(`</${tag}`, `‹/${tag}`)}\n</${tag}>`
}

function oneLine(value: string): string {
  return value
    .replaceAll(/[\s\u0085]+/g, ' ')
    .replaceAll('"', "'")
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
}
