/** Events of a run, and the fold that computes its state from them. */
export { formatOf, type AnswerFormat } from '../domain/answer-status.ts'
export { retryableJob } from '../domain/run-view.ts'
export type { RunEvent } from '../domain/events.ts'
export type { ArtifactRef } from '../domain/artifacts.ts'
export type { FigureCheck } from '../domain/answer.ts'
export { filesIn, isPicture } from '../domain/answer-files.ts'
export { chartsIn, type Chart } from '../domain/answer-files.ts'
export { actionsIn } from '../domain/effects.ts'
export { answeredOf, answerVerdict, type ResponseMetadata, type RunResponse } from '../domain/response.ts'
export { applyEvent, isOver, workMs, type JobState, type RunState } from '../domain/state.ts'
export { parseStepKey } from '../domain/job.ts'
export { stepOfPath } from '../domain/effects.ts'
export type { LiveText } from '../shared/live-text.ts'
export type { Task } from '../domain/plan.ts'
export { isQuestion, PLAN_CONFIRMER, type UserQuestion } from '../domain/approvals.ts'
export { hasSheets } from '../shared/page-label.ts'
export type { Citation } from '../domain/answer.ts'
export type { Provenance } from '../domain/provenance.ts'
export type { Source } from '../domain/result.ts'
export {
  compareNumbers,
  formatNumber,
  isExactNumber,
  roundBinaryNoise,
  type ExactNumber,
} from '../shared/exact-number.ts'
export { isObject, tryParseExactJson } from '../shared/json.ts'
export type { Table } from '../domain/table.ts'
export type { ErrorInfo } from '../domain/errors.ts'
