import { omitUndefined } from '../shared/json.ts'
import { TuttiError, type ErrorInfo } from './errors.ts'
import type { EventBody } from './events.ts'
import { addUsage } from './usage.ts'
import { NO_TRANSCRIPT, type ModelUse, type TurnState, type TranscriptState, type Transcripts } from './transcript.ts'

const NO_REASON: ErrorInfo = { type: 'Internal', message: 'The turn failed without a reason.' }

type TranscriptEvent = Extract<
  EventBody,
  { type: 'transcript.started' | 'turn.finished' | 'call.answered' | 'transcript.compacted' }
>

function usedBy(before: ModelUse, { model, usage, requests }: Extract<EventBody, { type: 'turn.finished' }>): ModelUse {
  const isNew = model !== undefined && !before.models.includes(model)
  const models = isNew ? [...before.models, model] : before.models
  return { usage: addUsage(before.usage, usage, requests), models }
}

/** Applies an event to the transcript of its job. @param attempt of the job, at the time of the event */
export function reduceTranscript(
  before: TranscriptState | undefined,
  event: TranscriptEvent,
  attempt: number,
  transcripts: Transcripts,
): TranscriptState {
  if (event.type === 'transcript.started') {
    const { continues, answers = [], provenance } = event
    const earlier = transcripts.get(continues ?? '')
    const head = event.head ?? earlier?.head
    if (head === undefined) throw new TuttiError('StorageError', `The transcript of "${event.key}" has no beginning.`)
    const earlierTurns = earlier === undefined ? 0 : earlier.earlierTurns + earlier.turns.length
    const begun = { head, earlierTurns, opening: new Map(answers), turns: [], used: NO_TRANSCRIPT.used }
    return { ...begun, ...omitUndefined({ continues, provenance }) }
  }
  if (before === undefined) {
    throw new TuttiError('StorageError', `A turn of "${event.key}" is in the log before its transcript.`)
  }
  const { failed, ...rest } = before
  switch (event.type) {
    case 'turn.finished': {
      const { reply, error, finishReason = 'stop', purpose, sent = [], provenance } = event
      const used = usedBy(rest.used, event)
      // The turn was cut off by a shutdown: its usage counts, and it is taken again.
      if (error?.type === 'RunLost') return { ...before, used }
      if (reply === undefined) {
        const errors = failed?.attempt === attempt ? failed.errors : []
        return { ...rest, used, failed: { attempt, errors: [...errors, error ?? NO_REASON] } }
      }
      const content = { sent, message: reply, finishReason, attempt, provenance, ...omitUndefined({ purpose }) }
      const turn: TurnState = { ...content, answers: new Map() }
      return { ...rest, used, turns: [...rest.turns, turn] }
    }
    case 'call.answered': {
      const { turn, index, text, whole, error, sources } = event
      const turns = rest.turns.with(turn - 1, {
        ...rest.turns[turn - 1]!,
        answers: new Map(rest.turns[turn - 1]!.answers).set(index, {
          text,
          ...omitUndefined({ whole, error, sources }),
        }),
      })
      return { ...before, turns }
    }
    case 'transcript.compacted': {
      const { clearedUpTo, summary } = event
      return { ...before, compacted: { clearedUpTo, ...omitUndefined({ summary }) } }
    }
  }
}
