/** What a run is, for whoever reads one: its events, and the fold that makes its state of them. */
export { formatOf, type AnswerFormat } from '../core/answer-format.ts'
export { leftUndone } from '../core/left-undone.ts'
export type { RunEvent } from '../core/events.ts'
export { chartsIn, type Chart } from '../core/chart.ts'
export { answeredOf, verdictOf } from '../core/response.ts'
export { applyEvent, isOver, type JobState, type RunState } from '../core/state.ts'
export { stepOf } from '../core/job.ts'
export { waitedMs } from '../core/waited.ts'
export { stepsWithoutModel } from '../core/steps-without-model.ts'
export type { LiveText } from '../core/live-text.ts'
export type { Task } from '../core/plan.ts'
export { isQuestion } from '../core/question.ts'
export { hasSheets } from '../core/sheets.ts'
export type { Citation } from '../core/citation.ts'
export type { Provenance } from '../core/provenance.ts'
export type { Source } from '../core/result.ts'
export {
  compareNumbers,
  formatNumber,
  isExactNumber,
  parseExactJson,
  withoutNoise,
  type ExactNumber,
} from '../core/exact-number.ts'
export type { Table } from '../core/table.ts'
export type { ErrorCode, ErrorInfo } from '../core/errors.ts'
