import type { RunId } from './events.ts'
import type { Owner } from './owner.ts'

export const THUMBS = ['up', 'down'] as const
export type Thumb = (typeof THUMBS)[number]

/** What somebody says of the answer of a run of theirs; what they say later takes its place. */
export interface Feedback {
  readonly runId: RunId
  readonly owner: Owner
  readonly thumb: Thumb
  readonly reason?: string
  /** What the right answer says. */
  readonly correction?: string
  /** Milliseconds since the epoch. */
  readonly givenAt: number
}

export interface FeedbackFilter {
  readonly thumb?: Thumb | undefined
  readonly limit?: number
  /** Only what stands after this one in the list. */
  readonly after?: Pick<Feedback, 'givenAt' | 'runId'>
}

export interface FeedbackStore {
  give(feedback: Feedback): Promise<void>
  get(owner: Owner, runId: RunId): Promise<Feedback | undefined>
  /** Of all owners, the latest first. */
  list(filter?: FeedbackFilter): Promise<readonly Feedback[]>
}
