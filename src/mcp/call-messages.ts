import { onOneLine } from '../domain/prompt-text.ts'
import { redact } from '../domain/secrets.ts'
import type { McpCallOptions } from './spec.ts'
import type { Clock } from '../shared/clock.ts'
import { TimeLimit } from '../shared/time-limit.ts'

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

/** Progress extends the time limit of a call, at most to ten times its length. */
const LENGTHENED = 10

/** Time limit of a call. It is suspended while a person is asked something. */
export class CallTime {
  readonly #ms: number
  readonly #late = new AbortController()
  readonly #next: TimeLimit
  readonly #whole: TimeLimit
  #stops = 1

  constructor(clock: Clock, ms: number) {
    const onEnd = (): void => this.#late.abort('no answer in time')
    this.#ms = ms
    this.#next = new TimeLimit(clock, ms, onEnd)
    this.#whole = new TimeLimit(clock, ms * LENGTHENED, onEnd)
  }

  /** Aborted when the time is up. */
  get signal(): AbortSignal {
    return this.#late.signal
  }

  /** Resumes the time, which is suspended at first. Needs one call per `stop`. */
  start(): void {
    if (--this.#stops > 0) return
    this.#next.start()
    this.#whole.start()
  }

  stop(): void {
    this.#stops++
    this.#next.stop()
    this.#whole.stop()
  }

  /** Extends the time limit, after the server reported progress. */
  lengthen(): void {
    this.#next.leave(this.#ms)
    if (this.#stops <= 0) this.#next.start()
  }
}
