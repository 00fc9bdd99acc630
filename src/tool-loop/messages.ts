import type { Action } from '../domain/effects.ts'
import type { TaskFeedback } from '../domain/actor.ts'
import type { Recollection } from '../domain/conversation.ts'
import { truncate } from '../shared/json.ts'
import { quoteText, tagged } from '../domain/prompt-text.ts'
import type { Result } from '../domain/result.ts'
import { userMessage, type TranscriptMessage, type UserMessage } from '../domain/turn.ts'
import { NO_REPLY } from '../domain/approvals.ts'
import type { UserWords } from '../domain/request.ts'
import { withKnownIds } from '../grounding/citations.ts'
import { firstRows, textOfOutput } from './result-text.ts'

/**
 * Earlier exchanges of the conversation as messages, preceded by a summary of older ones. Answers cite the results
 * given with them by their ids.
 */
export function conversationMessages({ summary, recent, results = [] }: Recollection): readonly TranscriptMessage[] {
  const before =
    summary === undefined
      ? []
      : [userMessage(tagged('conversation_summary', `Exchanges 1 to ${summary.turns}: ${summary.text}`))]
  const messages = recent.flatMap(({ role, turn, text, replies = [] }): TranscriptMessage[] => {
    if (role === 'user') return [userMessage(text)]
    const exchange = replies.flatMap(({ question, reply }) => [
      assistantMessage(question),
      userMessage(reply ?? NO_REPLY),
    ])
    const own = results.filter((result) => result.turn === turn)
    const ids = new Map(own.map(({ cited, source }) => [cited, source?.id]))
    return [...exchange, assistantMessage(withKnownIds(text, ids))]
  })
  return [...before, ...messages]
}

function assistantMessage(text: string): TranscriptMessage {
  return { role: 'assistant', parts: [{ type: 'text', text }] }
}

/** Sources of earlier answers, for questions that continue from them; undefined without any. */
export function earlierResultsSection({ results = [] }: Recollection): string | undefined {
  if (results.length === 0) return undefined
  const sections = [...new Set(results.map(({ turn }) => turn))].map((turn) => {
    const texts = results.flatMap((result) => (result.turn === turn ? [result.text] : []))
    return tagged('earlier_result', texts.join('\n'), { exchange: String(turn) })
  })
  return sections.join('\n')
}

/** The user's profile, for the end of the instructions; undefined when it is empty. */
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

type ShownResult = Omit<Partial<Result>, 'status'>

/**
 * Answer and rows of a result, or its data if it has neither; then its open parts and remarks.
 * @param isShort with the first rows only
 */
export function resultText(result: ShownResult, isShort = false): string {
  const { answer, tabular, data, error } = result
  const isBare = answer === undefined && tabular === undefined
  const parts = [
    ...(answer === undefined ? [] : [answer]),
    ...(tabular === undefined ? [] : [isShort ? firstRows(tabular) : textOfOutput(tabular)]),
    ...(isBare && data !== undefined ? [textOfOutput(data)] : []),
    ...(error === undefined ? [] : [`Error ${error.type}: ${error.message}`]),
    ...lackLines(result),
  ]
  return parts.join('\n') || 'No result.'
}

/** The open parts and remarks of a result, a line each. */
export function lackLines({ unanswered = [], remarks = [] }: ShownResult): string[] {
  return [...unanswered.map((part) => `Not answered: ${part}`), ...remarks.map((remark) => `Note: ${remark}`)]
}

/**
 * The user's own words, for agents that work on a part of the request or answer it. Questions they replied to are
 * listed apart.
 */
export function questionSection(request: readonly UserWords[]): string {
  const questions = request.flatMap((words) => words.asked ?? [])
  const lines = request.map(({ text, asked: to }) =>
    to === undefined ? quoteText(text) : `Reply to question ${questions.indexOf(to) + 1}: ${quoteText(text)}`,
  )
  const before = questions.map((text, at) => `${at + 1}. ${quoteText(text)}`).join('\n')
  return [...(questions.length === 0 ? [] : [tagged('asked', before)]), tagged('question', lines.join('\n'))].join('\n')
}

const MAX_INPUT = 300

/** The changes that were made, from the log rather than from agents' reports. */
export function callsMadeSection(actions: readonly Action[]): string {
  const lines = actions.map(({ tool, effect, input, error }) => {
    const outcome = error === undefined ? 'done' : `not certain: ${error}`
    return `- ${tool} (${effect}) ${truncate(JSON.stringify(input) ?? '', MAX_INPUT)}: ${outcome}`
  })
  return tagged('calls_made', lines.join('\n') || 'None: nothing was sent, saved or changed.')
}

/** Why the task is repeated. The number distinguishes equal rejections of a job. */
export function feedbackMessages(feedback: TaskFeedback | undefined): readonly UserMessage[] {
  if (feedback === undefined) return []
  const { by, text, rejections = 0 } = feedback
  const tag = tagged('feedback', text, { by, ...(rejections > 1 ? { number: String(rejections) } : {}) })
  return [userMessage(`Your result was not accepted. Do the task again, better by this feedback.\n${tag}`)]
}
