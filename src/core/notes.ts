import { cleanSentence } from './clean-sentence.ts'
import type { ErrorInfo } from './errors.ts'
import type { RunEvent } from './events.ts'
import { isOver, type RunState } from './state.ts'
import { stepsWithoutModel } from './steps-without-model.ts'

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

/** What a reader should know besides the answer. What failed is said in the answer itself, where there is one. */
export function notesOf(
  state: RunState,
  events: readonly RunEvent[],
  results: readonly { readonly status: string; readonly error?: ErrorInfo }[],
): string[] {
  const notes = new Set([...modelNotes(state, events), ...(state.answer?.notes ?? [])])
  if (state.answer?.by === 'model' && state.answer.reason !== undefined) notes.add(sentence(state.answer.reason))
  if (state.answer?.isAnswered === false && state.answer.reason !== undefined) notes.add(sentence(state.answer.reason))
  if (state.exhausted !== undefined) notes.add(`${state.exhausted.message} The answer uses what there was by then.`)
  const text = state.answer?.text ?? ''
  const isAnswered = text !== '' || results.some(({ status }) => status === 'succeeded')
  for (const note of effectNotes(state)) notes.add(note)
  for (const { error } of results) {
    // What a cancel cut off has not failed by itself. Nobody else is needed where others answered; an answer that is none
    // tells a refusal itself, once, whoever else declined.
    if (error === undefined || error.type === 'Cancelled') continue
    if (error.type === 'PlanningDeclined' && isAnswered) continue
    if (!text.includes(cleanSentence(error))) notes.add(error.message)
  }
  return [...notes]
}

/** Calls that cannot be undone and that no result tells of: cut off half-way, or made for what the plan has no more. */
function effectNotes(state: RunState): string[] {
  const { jobs, effects } = state
  const replaced = new Set([...effects.values()].map(({ origin }) => origin.insteadOf))
  return [...effects].flatMap(([path, effect]): string[] => {
    const { tool, key } = effect.origin
    const isOutdated = jobs.get(key)?.isOutdated === true
    const isCutOff = effect.state === 'intended' && isOver(state) && !replaced.has(path)
    if (isCutOff || (isOutdated && effect.state === 'done' && effect.error?.type === 'EffectUnknown')) {
      return [`A call of "${tool}" was cut off half-way and may have taken place; look whether it did.`]
    }
    const isDone = isOutdated && effect.state === 'done' && effect.error === undefined
    return isDone ? [`"${tool}" was called for a task that the plan has no more, and that stays done.`] : []
  })
}

/** Which steps went without a model, and why; the answer itself only where no model had a part in it. */
function modelNotes(state: RunState, events: readonly RunEvent[]): string[] {
  const { hasModel, why } = stepsWithoutModel(events)
  const steps = new Map(
    [...why].map(([reason, names]) => [
      reason,
      new Set([...names].map((name) => STEPS[name.split('.')[0]!] ?? 'another step')),
    ]),
  )
  const { answer } = state
  if (!hasModel && answer?.by === 'fallback') return [...steps.keys()].map((why) => `Answered without a model: ${why}.`)
  const replaced =
    answer?.by === 'fallback' && answer.isAnswered !== false && hasModel && answer.reason !== undefined
      ? [answer.reason]
      : []
  const named = [...steps].map(([why, names]) => `Done without a model: ${listed([...names])} (${why}).`)
  return [
    ...named,
    ...replaced.filter((why) => !steps.has(why)).map((why) => sentence(`the agents’ own words: ${why}`)),
  ]
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}
