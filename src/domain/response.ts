import { actionsIn, type Action } from './effects.ts'
import { agentResultsOf, replacedResults, type AgentResult } from './agent-results.ts'
import type { Understood } from './plan.ts'
import { formatOf, type AnswerFormat, isFullyUnanswered, unansweredIn } from './answer-status.ts'
import type { ArtifactRef } from './artifacts.ts'
import { chartsIn, type Chart, filesIn } from './answer-files.ts'
import { checksWithin, NO_CHECKS, type AnswerChecks, type Citation, type Notice } from './answer.ts'
import { isOfApproval, isOfDecision, type ErrorInfo } from './errors.ts'
import type { RunEvent, RunId } from './events.ts'
import type { Source } from './result.ts'
import { repliesIn, type UserReply } from './approvals.ts'
import type { StrategyName } from './request.ts'
import { fold, isOver, type RunState, type PlanState } from './state.ts'
import type { RunStatus } from './store.ts'
import { isObject, omitUndefined } from '../shared/json.ts'
import type { Table } from './table.ts'
import { noticesOf } from './run-notices.ts'
import { traceOf, traceOfTask, type TraceEvent } from './trace.ts'
import type { UsageTotals } from './usage.ts'

export interface PlannerDecision {
  readonly chosenAgents: readonly string[]
  readonly rationale: string
  readonly confidence?: number
  readonly guardrails: Readonly<Record<string, unknown>>
  /** The rewritten question, if it continues from another one or its parts depend on each other. */
  readonly understood?: Understood
}

export interface ResponseMetadata {
  readonly runId: RunId
  readonly status: RunStatus
  readonly strategy: StrategyName
  /** To be given with the next question of the same conversation. */
  readonly conversationId?: string
  readonly agents: readonly string[]
  readonly confidence?: number
  /** `fallback` when the answer was composed without a model; `notes` gives the reason. */
  readonly answeredBy?: 'model' | 'fallback'
  /** Format of the answer. Answers composed by rules are `text`: nothing in them is Markdown. */
  readonly format: AnswerFormat
  /** `false` if the answer only lists attempts and their errors, and if `unanswered` covers the whole question. */
  readonly isAnswered: boolean
  readonly models: readonly string[]
  readonly usage: UsageTotals
  readonly latencyMs: number
  /** Parts of the question, in its own words, that remain unanswered. */
  readonly unanswered: readonly string[]
  /** Plain sentences that a reader should know: no model, a limit that was reached, agents that failed. */
  readonly notes: readonly string[]
}

/** Whether a question was answered. A run that is not over has not answered it. */
export const ANSWER_STATUSES = ['answered', 'partly', 'not_answered', 'failed'] as const
export type AnswerStatus = (typeof ANSWER_STATUSES)[number]

/** What the answer is based on: sources, the conversation and the user's own information, or the model's knowledge. */
export const ANSWER_BASES = ['sources', 'conversation', 'model'] as const
export type AnswerBasis = (typeof ANSWER_BASES)[number]

/** The whole response of a run. */
export interface RunResponse {
  readonly answer: string
  /** With the strategy `review`: the answer again, and how the review reached it. */
  readonly finalAnswer?: string
  readonly finalReasoningTrace?: string
  readonly status: AnswerStatus
  readonly basis: AnswerBasis
  /** Notices for the reader, in addition to the answer. */
  readonly notices: readonly Notice[]
  /** Checks of the answer. */
  readonly checks: AnswerChecks
  readonly data?: Table
  /** Charts of the answer, as data; absent when there are none. */
  readonly charts?: readonly Chart[]
  /** Files that tools stored, such as pictures; absent when there are none. */
  readonly files?: readonly ArtifactRef[]
  /** Questions of agents, and the user's replies; absent when there are none. */
  readonly replies?: readonly UserReply[]
  /** The sources of the marks [n] in the answer. */
  readonly citations: readonly Citation[]
  readonly agentResults: readonly AgentResult[]
  /** The calls that changed something, or may have, from the log; empty if nothing was changed. */
  readonly actions: readonly Omit<Action, 'input'>[]
  readonly planner?: PlannerDecision
  readonly metadata: ResponseMetadata
  readonly error?: ErrorInfo
  readonly trace?: readonly TraceEvent[]
}

/** The response, derived from the log. For an unfinished run it is partial. */
export function responseOf(events: readonly RunEvent[]): RunResponse {
  const state = fold(events)
  const { request, answer, plan, error } = state
  const agentResults = agentResultsOf(state)
  const all = [...replacedResults(state), ...agentResults]
  const data = request.includeData ? answer?.data : undefined
  const charts = request.includeData ? chartsIn(state) : []
  const files = request.includeData ? filesIn(state) : []
  const replies = repliesIn(state)
  const text = answer?.text ?? partialAnswer(state, agentResults)
  const verdict = answerVerdict(state, events, agentResults)
  return {
    answer: text,
    ...(answer?.reasoningTrace !== undefined && {
      finalAnswer: answer.text,
      finalReasoningTrace: answer.reasoningTrace,
    }),
    ...verdict,
    checks: checksWithin(text, answer?.checks ?? NO_CHECKS),
    ...omitUndefined({ data, error, planner: plan && plannerDecision(plan) }),
    ...(charts.length === 0 ? {} : { charts }),
    ...(files.length === 0 ? {} : { files }),
    ...(replies.length === 0 ? {} : { replies }),
    citations: answer?.citations ?? [],
    agentResults: all.map(({ tabular, data, partial, ...result }) => ({
      ...result,
      ...(request.includeData ? omitUndefined({ tabular, data, partial }) : {}),
      ...(request.trace ? { trace: traceOfTask(events, result.task) } : {}),
    })),
    actions: actionsIn(state).map(({ input: _input, ...action }) => action),
    metadata: metadataOf(state, agentResults, verdict.notices),
    ...(request.trace ? { trace: traceOf(events) } : {}),
  }
}

/**
 * Sources that the answer uses but does not cite, each place once. Empty if there is no answer, and if a model cites
 * sources, since it then cites all that it uses.
 */
export function uncitedSources({
  agentResults,
  citations,
  data,
  metadata,
}: Pick<RunResponse, 'agentResults' | 'citations'> &
  Partial<Pick<RunResponse, 'data' | 'metadata'>>): readonly Source[] {
  const isNone = metadata?.status === 'finished' && !metadata.isAnswered
  if (isNone && data === undefined && citations.length === 0) return []
  if (metadata?.answeredBy === 'model' && citations.length > 0) return []
  const sources = agentResults.flatMap((result) => (result.status === 'succeeded' ? result.sources : []))
  const key = ({ kind, name, detail, url }: Source): string => [kind, name, detail, url].join(' ')
  const cited = new Set(citations.map(({ source }) => key(source)))
  const uncited = sources.filter((source) => !cited.has(key(source)))
  return [...new Map(uncited.map((source) => [key(source), source])).values()]
}

function plannerDecision({ plan, rationale, confidence, guardrails = {}, understood }: PlanState): PlannerDecision {
  return {
    chosenAgents: plan.tasks.map((task) => task.agent),
    rationale,
    guardrails,
    ...omitUndefined({ confidence, understood }),
  }
}

/** For a run that ended before its answer was composed: the agents' own answers. */
function partialAnswer(state: RunState, results: readonly AgentResult[]): string {
  if (!isOver(state) || (state.status === 'cancelled' && state.answerText !== '')) return state.answerText
  return results.flatMap((result) => (result.status === 'succeeded' ? (result.answer ?? []) : [])).join('\n\n')
}

/** Whether a run answered its question, and which parts remain unanswered. */
export function answeredOf(
  state: RunState,
  results: readonly AgentResult[] = agentResultsOf(state),
): Pick<ResponseMetadata, 'isAnswered' | 'unanswered'> {
  const { answer } = state
  if (answer?.isWhole) return { isAnswered: answer.isAnswered !== false, unanswered: answer.unanswered ?? [] }
  const hasFindings = results.some(({ status }) => status === 'succeeded')
  const isAnswered = state.answer?.isAnswered ?? hasFindings
  // An answer from profile and conversation needed no agent. Calls that a user had to decide on stay open.
  const isRecalled = isAnswered && !hasFindings
  const open = unansweredIn(state).filter(({ error }) => !isRecalled || isOfApproval(error))
  // A part that no agent could do stays open until a later plan drops it.
  const impossible = (state.plan?.notPossible ?? []).map(({ part }) => part)
  // The author of the answer may have filled gaps that an agent left; it lists the remaining ones.
  const openParts = answer?.unanswered ?? results.flatMap(({ unanswered = [] }) => unanswered)
  // Where a model gave the whole question to several agents and one found something, its parts are judged separately.
  const isNamed = answer?.by === 'model' && (answer.unanswered ?? []).length > 0
  const isInParts = hasFindings && impossible.length > 0 && state.plan?.guardrails?.['refinedBy'] === 'model'
  const missed = open.filter(({ task, error }) =>
    isNamed ? isOfApproval(error) : !isInParts || task.text !== undefined,
  )
  const openTasks = missed.map(({ task }) => task.text ?? state.request.question)
  const unanswered = [...new Set([...openTasks, ...impossible, ...openParts])]
  return { isAnswered: isAnswered && !isFullyUnanswered(state, isRecalled ? openParts : unanswered), unanswered }
}

/** Status, basis and notices of an answer. */
export function answerVerdict(
  state: RunState,
  events: readonly RunEvent[],
  results: readonly AgentResult[] = agentResultsOf(state),
): Pick<RunResponse, 'status' | 'basis' | 'notices'> {
  return { status: answerStatus(state, results), basis: basisOf(state), notices: noticesOf(state, events, results) }
}

function answerStatus(state: RunState, results: readonly AgentResult[]): AnswerStatus {
  if (state.status === 'failed') return 'failed'
  const { isAnswered, unanswered } = answeredOf(state, results)
  const hasFailed = ({ status, error }: AgentResult): boolean => status === 'failed' && !isOfDecision(error)
  if (isOver(state) && !isAnswered && results.length > 0 && results.every(hasFailed)) return 'failed'
  if (!isOver(state) || !isAnswered) return 'not_answered'
  return unanswered.length > 0 || state.status === 'cancelled' ? 'partly' : 'answered'
}

function basisOf({ answer, jobs, transcripts, recollection, request, approvals }: RunState): AnswerBasis {
  const inTranscripts = [...transcripts.values()].some(({ turns }) =>
    turns.some(({ answers }) => [...answers.values()].some(({ sources = [] }) => sources.length > 0)),
  )
  const inResults = [...jobs.values()].some(
    ({ key, result }) => !transcripts.has(key) && result?.status === 'succeeded' && (result.sources ?? []).length > 0,
  )
  if (inTranscripts || inResults || (answer?.citations ?? []).length > 0) return 'sources'
  const { profile, summary, recent = [], results = [] } = recollection ?? {}
  const hasProfile = Object.values(profile ?? {}).some((part) => Object.keys(part).length > 0)
  const isGiven =
    Object.keys(request.context).some((key) => !key.startsWith('current_date')) || hasProfile || summary !== undefined
  const hasReplied = [...approvals.values()].some(({ instructions }) => instructions !== undefined)
  return isGiven || hasReplied || recent.length > 0 || results.length > 0 || answer?.by === 'fallback'
    ? 'conversation'
    : 'model'
}

/** The strategy that the assistant handed the question over to, else that of the request. */
export function strategyOf({ jobs, request }: RunState): StrategyName {
  const handedTo = [...jobs.values()].flatMap(({ result }) =>
    result?.status === 'skipped' && isObject(result.data) ? (result.data['strategy'] ?? []) : [],
  )
  return handedTo.length === 0 ? request.strategy : String(handedTo[0])
}

function metadataOf(state: RunState, results: readonly AgentResult[], notices: readonly Notice[]): ResponseMetadata {
  const confidence = state.answer?.confidence ?? state.plan?.confidence
  const models = new Set([...state.jobs.values()].flatMap((job) => job.result?.models ?? []))
  return {
    runId: state.runId,
    status: state.status,
    strategy: strategyOf(state),
    ...omitUndefined({ conversationId: state.request.conversationId, confidence, answeredBy: state.answer?.by }),
    agents: [...new Set(results.map((result) => result.agent))],
    format: formatOf(state),
    ...answeredOf(state, results),
    models: [...models],
    usage: state.usage,
    latencyMs: Date.parse(state.endedAt ?? state.lastAt) - Date.parse(state.startedAt),
    notes: notices.flatMap(({ severity, text }) =>
      severity === 'warning' || state.answer?.notes?.includes(text) === true ? [text] : [],
    ),
  }
}
