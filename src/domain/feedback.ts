import type { RunId, Owner } from './events.ts'
import { TuttiError } from './errors.ts'
import type { RunState } from './state.ts'
import { isFinal } from './store.ts'

export const THUMBS = ['up', 'down'] as const

export type Thumb = (typeof THUMBS)[number]

/** A user's feedback on the answer of their run; later feedback replaces it. */
export interface Feedback {
  readonly runId: RunId
  readonly owner: Owner
  readonly thumb: Thumb
  readonly reason?: string
  /** Milliseconds since the epoch. */
  readonly givenAt: number
}

/** @throws TuttiError `RunConflict` for a run that has no answer, or none yet */
export function assertRunAnswered({ runId, status, answer }: Pick<RunState, 'runId' | 'status' | 'answer'>): void {
  if (!isFinal(status)) throw new TuttiError('RunConflict', `Run ${runId} is ${status}; wait for its answer.`)
  if (answer !== undefined) return
  throw new TuttiError('RunConflict', `Run ${runId} ended without an answer, so there is none to judge; ask again.`)
}

export interface FeedbackStore {
  give(feedback: Feedback): Promise<void>
  get(owner: Owner, runId: RunId): Promise<Feedback | undefined>
}
