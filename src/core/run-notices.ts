import { cleanSentence } from './clean-sentence.ts'
import { categoryOf, isOfApproval, type ErrorInfo } from './errors.ts'
import type { RunEvent } from './events.ts'
import { NO_SOURCE, type Notice, type NoticeCode } from './notice.ts'
import { isOver, type RunState } from './state.ts'
import { stepsWithoutModel } from './steps-without-model.ts'
import { toolCallsOf } from './turn.ts'

/** What people call the steps whose prompts begin so. */
const STEPS: Readonly<Record<string, string>> = {
  planner: 'the planning',
  sql: 'the query',
  rag: 'the answer from documents',
  knowledge: 'the choice of passages',
  api: 'the request to the service',
  mail: 'the work on mails',
  web: 'the search of the web',
  computation: 'the computation',
  code: 'the program',
  composer: 'the wording of the answer',
  review: 'the review',
}

interface Ended {
  readonly agent: string
  readonly status: string
  readonly error?: ErrorInfo
}

/** What a reader should know besides the answer. What failed is said in the answer itself, where there is one. */
export function noticesOf(state: RunState, events: readonly RunEvent[], results: readonly Ended[]): Notice[] {
  const { answer, exhausted } = state
  const notices = [...modelNotices(state, events), ...(answer?.notices ?? []), ...(answer?.notes ?? []).map(ofComposer)]
  if (answer?.reason !== undefined && (answer.by === 'model' || answer.isAnswered === false)) {
    notices.push(notice('remark', sentence(answer.reason)))
  }
  if (exhausted !== undefined) {
    const text = `${exhausted.message} The answer uses what there was by then.`
    notices.push(notice('limit_reached', text, { limit: exhausted.limit }))
  }
  const cut = events.find((event) => event.type === 'turn.finished' && event.error?.type === 'BudgetExceeded')
  if (exhausted === undefined && cut?.type === 'turn.finished') {
    notices.push(notice('limit_reached', cut.error!.message))
  }
  notices.push(...figureNotices(state), ...effectNotices(state), ...errorNotices(state, results), ...callNotices(state))
  return notices.filter(({ text }, i) => notices.findIndex((other) => other.text === text) === i)
}

function notice(code: NoticeCode, text: string, params: Notice['params'] = {}): Notice {
  return { code, params, severity: code === 'no_source' || code === 'assumption' ? 'info' : 'warning', text }
}

/** Figures that a model wrote and nobody found. */
function figureNotices({ answer }: RunState): Notice[] {
  const missing = answer?.checks?.figures.filter(({ status }) => status === 'not_found') ?? []
  if (answer?.by !== 'model' || missing.length === 0) return []
  const figures = [...new Set(missing.map(({ text }) => text))].join('; ')
  return [notice('remark', `Figures that are in no source: ${figures}.`, { figures })]
}

function ofComposer(text: string): Notice {
  return notice(text === NO_SOURCE ? 'no_source' : 'remark', text)
}

function errorNotices({ answer }: RunState, results: readonly Ended[]): Notice[] {
  const text = answer?.text ?? ''
  const isAnswered = text !== '' || results.some(({ status }) => status === 'succeeded')
  return results.flatMap(({ agent, error }) => {
    // What a cancel cut off has not failed by itself. Nobody else is needed where others answered; an answer that is none
    // tells a refusal itself, once, whoever else declined.
    if (error === undefined || error.type === 'Cancelled') return []
    if (error.type === 'PlanningDeclined' && isAnswered) return []
    if (text.includes(cleanSentence(error))) return []
    return [notice(codeOf(error), error.message, { agent, error: error.type })]
  })
}

function codeOf(error: ErrorInfo): NoticeCode {
  if (isOfApproval(error)) return 'denied'
  if (error.type === 'PlanningDeclined') return 'declined'
  if (error.type === 'QueryError') return 'remark'
  return error.type === 'BudgetExceeded' || error.type === 'LimitReached' ? 'limit_reached' : 'source_unavailable'
}

/** Tools of the agent that answered by itself: calls that the user refused and that were not made later, and tools none of whose calls succeeded. */
function callNotices({ answer, transcripts }: RunState): Notice[] {
  if (answer?.isWhole !== true) return []
  const answers = [...transcripts.values()].flatMap(({ turns }) =>
    turns.flatMap(({ message, answers }) =>
      toolCallsOf(message).map(({ name }, index) => ({ name, error: answers.get(index)?.error })),
    ),
  )
  return answers.flatMap(({ name, error }, at) => {
    if (error === undefined) return []
    const lastSuccess = answers.findLastIndex((other) => other.name === name && other.error === undefined)
    const params = { tool: name, error: error.type }
    if (isOfApproval(error)) return lastSuccess > at ? [] : [notice('denied', error.message, params)]
    const isUnavailable = lastSuccess < 0 && categoryOf(error.type) !== 'user' && error.type !== 'ToolError'
    return isUnavailable
      ? [notice(codeOf(error), `The tool "${name}" gave no result: ${cleanSentence(error)}.`, params)]
      : []
  })
}

/** Calls that cannot be undone and that no result tells of: cut off half-way, or made for what the plan has no more. */
function effectNotices(state: RunState): Notice[] {
  const { jobs, effects } = state
  const replaced = new Set([...effects.values()].map(({ origin }) => origin.insteadOf))
  return [...effects].flatMap(([path, effect]): Notice[] => {
    const { tool, key } = effect.origin
    const isOutdated = jobs.get(key)?.isOutdated === true
    const isCutOff = effect.state === 'intended' && isOver(state) && !replaced.has(path)
    if (isCutOff || (isOutdated && effect.state === 'done' && effect.error?.type === 'EffectUnknown')) {
      const text = `A call of "${tool}" was cut off half-way and may have taken place; look whether it did.`
      return [notice('interrupted_call', text, { tool })]
    }
    const isDone = isOutdated && effect.state === 'done' && effect.error === undefined
    if (!isDone) return []
    return [
      notice('remark', `"${tool}" was called for a task that the plan has no more, and that stays done.`, { tool }),
    ]
  })
}

/** Which steps went without a model, and why; the answer itself only where no model had a part in it. */
function modelNotices(state: RunState, events: readonly RunEvent[]): Notice[] {
  const { hasModel, why } = stepsWithoutModel(events)
  const { answer } = state
  if (!hasModel && answer?.by === 'fallback') {
    return [...why.keys()].map((reason) => notice('offline', `Answered without a model: ${reason}.`, { reason }))
  }
  const named = [...why].map(([reason, names]) => {
    const steps = listed([...new Set([...names].map((name) => STEPS[name.split('.')[0]!] ?? 'another step'))])
    return notice('offline', `Done without a model: ${steps} (${reason}).`, { reason, steps })
  })
  const isReplaced = answer?.by === 'fallback' && answer.isAnswered !== false && hasModel
  if (!isReplaced || answer.reason === undefined || why.has(answer.reason)) return named
  return [...named, notice('offline', sentence(`the agents’ own words: ${answer.reason}`), { reason: answer.reason })]
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}
