/** What a run is, for whoever reads one: its events, and the fold that makes its state of them. */
export type { RunEvent } from '../core/events.ts'
export { applyEvent, isOver, type JobState, type RunState } from '../core/state.ts'
export type { LiveText } from '../core/live-text.ts'
export type { Task } from '../core/plan.ts'
export { isQuestion } from '../core/question.ts'
export type { Citation } from '../core/citation.ts'
export type { Source } from '../core/result.ts'
export type { Table } from '../core/table.ts'
