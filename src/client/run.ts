/** What a run is, for whoever reads one: its events, and the fold that makes its state of them. */
export type { RunEvent } from '../core/events.ts'
export { applyEvent, isOver, type JobState, type RunState } from '../core/state.ts'
export type { Task } from '../core/plan.ts'
export { isQuestion } from '../core/question.ts'
export type { Citation } from '../core/citation.ts'
export type { Source } from '../core/result.ts'
export type { Table } from '../core/table.ts'

/** A piece of the answer as it is being written; `part` and `offset` as in the event `answer.delta`. */
export interface LiveText {
  readonly type: 'live.text'
  readonly part: number
  readonly offset: number
  readonly text: string
}
