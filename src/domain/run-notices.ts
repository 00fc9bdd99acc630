import { cleanSentence, withoutFullStop } from './error-text.ts'
import { categoryOf, isOfApproval, type ErrorInfo } from './errors.ts'
import type { RunEvent } from './events.ts'
import { turnsReached } from './limits.ts'
import { profileFieldLabel, type ProfileChange } from './profile.ts'
import { NO_SOURCE, type Notice, type NoticeCode } from './answer.ts'
import { isOver, type RunState } from './state.ts'
import { sentenceActOf } from './approvals.ts'
import { toolCallsOf } from './turn.ts'
import { NO_MODEL } from './model.ts'

interface Ended {
  readonly agent: string
  readonly status: string
  readonly error?: ErrorInfo
}

/** Notices for the reader of an answer. Failures are mentioned in the answer itself, if there is one. */
export function noticesOf(state: RunState, events: readonly RunEvent[], results: readonly Ended[]): Notice[] {
  const { answer, exhausted } = state
  const composed = [
    ...(answer?.notices ?? []),
    ...(answer?.notes ?? []).map((text) => notice(text === NO_SOURCE ? 'no_source' : 'remark', text)),
  ]
  const notices = [...modelNotices(state), ...composed]
  if (answer?.reason !== undefined && (answer.by === 'model' || answer.isAnswered === false)) {
    notices.push(notice('remark', sentence(answer.reason)))
  }
  if (exhausted !== undefined) {
    const text = `${exhausted.message} The answer uses what there was by then.`
    notices.push(notice('limit_reached', text, { limit: exhausted.limit }))
  }
  const turns = results.some(({ status }) => status === 'skipped') ? turnsReached(state) : undefined
  if (turns !== undefined) notices.push(notice('limit_reached', turns, { limit: 'maxTurns' }))
  const cut = events.find((event) => event.type === 'turn.finished' && event.error?.type === 'BudgetExceeded')
  if (exhausted === undefined && cut?.type === 'turn.finished') {
    notices.push(notice('limit_reached', cut.error!.message))
  }
  notices.push(
    ...impossibleNotices(state),
    ...figureNotices(state),
    ...effectNotices(state),
    ...errorNotices(state, results),
    ...callNotices(state),
    ...memoryNotices(state),
  )
  // A call, its job and the call that delegated the job may all report the same cause.
  return notices.filter(({ text }, i) => {
    return !notices.some((other, at) => (at < i || other.text !== text) && other.text.includes(text))
  })
}

const INFORMS: ReadonlySet<NoticeCode> = new Set(['no_source', 'assumption', 'remembered'])

function notice(code: NoticeCode, text: string, params: Notice['params'] = {}): Notice {
  return { code, params, severity: INFORMS.has(code) ? 'info' : 'warning', text }
}

/** Parts that planner or supervisor found impossible for all agents. */
function impossibleNotices({ plan }: RunState): Notice[] {
  return (plan?.notPossible ?? []).map(({ part, reason }) => {
    const text = `No agent can do this part: “${part}”. ${sentence(reason || 'no reason was given')}`
    return notice('declined', text, { part, reason })
  })
}

/** Figures of a model that no source contains. */
function figureNotices({ answer }: RunState): Notice[] {
  const missing = answer?.checks?.figures.filter(({ status }) => status === 'not_found') ?? []
  if (answer?.by !== 'model' || missing.length === 0) return []
  const figures = [...new Set(missing.map(({ text }) => text))].join('; ')
  return [notice('remark', `Figures that are in no source: ${figures}.`, { figures })]
}

function errorNotices({ answer }: RunState, results: readonly Ended[]): Notice[] {
  const text = answer?.text ?? ''
  const isAnswered = text !== '' || results.some(({ status }) => status === 'succeeded')
  const hasCause = results.some(({ error }) => error !== undefined && error.type !== 'DependencyFailed')
  return results.flatMap(({ agent, error }) => {
    // A job that a cancel cut off has not failed on its own. If others answered, a declining agent was not needed. An
    // answer that reports a refusal itself does so once for all agents that declined.
    if (error === undefined || error.type === 'Cancelled') return []
    if (error.type === 'PlanningDeclined' && isAnswered) return []
    if (error.type === 'DependencyFailed' && hasCause) return []
    if (text.includes(error.message) || text.includes(cleanSentence(error))) return []
    return [notice(codeOf(error), error.message, { agent, error: error.type })]
  })
}

function codeOf(error: ErrorInfo): NoticeCode {
  if (isOfApproval(error)) return 'denied'
  if (error.type === 'PlanningDeclined') return 'declined'
  if (error.type === 'QueryError' || error.type === 'ApprovalInstructed') return 'remark'
  return error.type === 'BudgetExceeded' || error.type === 'LimitReached' ? 'limit_reached' : 'source_unavailable'
}

/**
 * Notices about tools whose calls all failed in jobs that succeeded, since a failed job reports its error. Of the agent
 * that answered on its own also calls that the user refused and that were not made later.
 */
function callNotices({ answer, jobs, transcripts }: RunState): Notice[] {
  const answers = [...transcripts].flatMap(([key, { turns }]) =>
    answer?.isWhole === true || jobs.get(key)?.status === 'succeeded'
      ? turns.flatMap(({ message, answers }) =>
          toolCallsOf(message).map(({ name }, index) => ({ name, error: answers.get(index)?.error })),
        )
      : [],
  )
  return answers.flatMap(({ name, error }, at) => {
    if (error === undefined) return []
    const lastSuccess = answers.findLastIndex((other) => other.name === name && other.error === undefined)
    const params = { tool: name, error: error.type }
    if (isOfApproval(error)) return lastSuccess > at ? [] : [notice('denied', error.message, params)]
    return lastSuccess < 0 && !isInputError(error)
      ? [notice(codeOf(error), `A call gave no result: ${cleanSentence(error)}.`, params)]
      : []
  })
}

/** Whether the input of a call was at fault, and not the place that it was made to. */
function isInputError(error: ErrorInfo): boolean {
  if (error.type !== 'HttpError') return categoryOf(error.type) === 'user' || error.type === 'ToolError'
  return [400, 404, 405, 409, 410, 422].includes(error.details?.status ?? 0)
}

/** Irreversible calls that no result mentions: interrupted calls, and calls of tasks that are no longer in the plan. */
function effectNotices(state: RunState): Notice[] {
  const { jobs, effects } = state
  return [...effects.values()].flatMap((effect): Notice[] => {
    const { tool, key } = effect.origin
    const isOutdated = jobs.get(key)?.isOutdated === true
    const isCutOff = effect.state === 'intended' && isOver(state)
    if (isCutOff || (isOutdated && effect.state === 'done' && effect.error?.type === 'EffectUnknown')) {
      const text = `${sentenceActOf(tool)} was cut off half-way and may have taken place; look whether it did.`
      return [notice('interrupted_call', text, { tool })]
    }
    const isDone = isOutdated && effect.state === 'done' && effect.error === undefined
    if (!isDone) return []
    const text = `${sentenceActOf(tool)} took place for a task that is no longer in the plan, and stays done.`
    return [notice('remark', text, { tool })]
  })
}

/** Facts that the run remembers about the user, by field. */
function memoryNotices({ jobs }: RunState): Notice[] {
  const changes = [...jobs.values()].flatMap(({ actor, result }) => {
    const data = result?.data as { readonly changes?: readonly ProfileChange[] } | undefined
    return actor === 'memory-extractor' ? (data?.changes ?? []) : []
  })
  if (changes.length === 0) return []
  const values = changes.map(({ field, after }) => [field, [after].flat().join(', ')] as const)
  const text = values.map(([field, value]) => `${profileFieldLabel(field)} “${value}”`).join(', ')
  return [notice('remembered', `Remembered: ${text}.`, Object.fromEntries(values))]
}

/** Fallbacks used in place of a failed model. */
function modelNotices({ answer, plan }: RunState): Notice[] {
  const problem = plan?.guardrails?.['problem']
  const isReplaced = answer?.by === 'fallback' && answer.isAnswered !== false
  const reason = isReplaced && answer.reason !== NO_MODEL ? answer.reason : undefined
  const notices: Notice[] = []
  if (typeof problem === 'string') {
    const text = `The agents were chosen by keywords, because the model returned no plan: ${withoutFullStop(problem)}.`
    notices.push(notice('offline', text))
  }
  if (reason !== undefined) notices.push(notice('offline', sentence(`the agents’ own words: ${reason}`), { reason }))
  return notices
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${withoutFullStop(text.slice(1))}.`
}
