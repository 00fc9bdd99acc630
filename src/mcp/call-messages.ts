import { onOneLine } from '../domain/prompt-text.ts'
import { redact } from '../domain/secrets.ts'
import type { CallTime } from './call-time.ts'
import type { McpCallOptions } from './spec.ts'

const MAX_NOTES = 50
const MAX_NOTE_CHARS = 300
const MAX_QUESTIONS = 10

/**
 * Handlers for messages and questions of a server during a call, limited in number and length, without line breaks and
 * with secrets masked.
 */
export function progressMessages(
  { onNote, onQuestion }: McpCallOptions,
  time: CallTime,
  secrets: readonly string[],
): Required<Pick<McpCallOptions, 'onNote'>> & Pick<McpCallOptions, 'onQuestion'> {
  let notes = 0
  const note = (line: string): void => {
    // Mask before truncating: a secret that was cut in two would not be found.
    const redacted = redact(line.slice(0, MAX_NOTE_CHARS * 4), secrets).slice(0, MAX_NOTE_CHARS)
    if (onNote !== undefined && notes++ < MAX_NOTES) onNote(onOneLine(redacted))
  }
  return {
    onNote: note,
    ...(onQuestion === undefined ? {} : { onQuestion: limitQuestions(MAX_QUESTIONS, onQuestion, time) }),
  }
}

/** Asks at most a limited number of questions; suspends the time limit of the call meanwhile. */
function limitQuestions(max: number, ask: NonNullable<McpCallOptions['onQuestion']>, time: CallTime): typeof ask {
  let questionCount = 0
  return async (question) => {
    if (questionCount++ >= max) return { action: 'decline' }
    time.stop()
    try {
      return await ask(question)
    } finally {
      time.start()
    }
  }
}
