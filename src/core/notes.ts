import { cleanSentence } from './clean-sentence.ts'
import type { ErrorInfo } from './errors.ts'
import type { RunEvent } from './events.ts'
import type { RunState } from './state.ts'

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
  const notes = new Set(modelNotes(state, events))
  if (state.answer?.by === 'model' && state.answer.reason !== undefined) notes.add(sentence(state.answer.reason))
  if (state.answer?.isAnswered === false && state.answer.reason !== undefined) notes.add(sentence(state.answer.reason))
  if (state.exhausted !== undefined) notes.add(`${state.exhausted.message} The answer uses what there was by then.`)
  const { text } = state.answer ?? { text: '' }
  const isAnswered = results.some(({ status }) => status === 'succeeded')
  for (const { error } of results) {
    // What a cancel cut off has not failed by itself; a question that others answered needs nobody else.
    if (error === undefined || error.type === 'Cancelled') continue
    if (error.type === 'PlanningDeclined' && isAnswered) continue
    if (!text.includes(cleanSentence(error))) notes.add(error.message)
  }
  return [...notes]
}

/** Which steps went without a model, and why; the answer itself only where no model had a part in it. */
function modelNotes(state: RunState, events: readonly RunEvent[]): string[] {
  const steps = new Map<string, Set<string>>()
  let hasModel = false
  for (const event of events) {
    if (event.type !== 'call.finished' || event.kind !== 'model' || isBesideAnswer(event)) continue
    if (event.by === 'model') hasModel = true
    if (event.by !== 'fallback' || event.reason === undefined) continue
    const why = event.reason.replace(/\.$/, '')
    steps.set(why, (steps.get(why) ?? new Set()).add(STEPS[event.name.split('.')[0]!] ?? 'another step'))
  }
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

/** Jobs of memory and questions of approvals, whose way of working makes no difference to the answer. */
function isBesideAnswer({ key, name }: { readonly key: string; readonly name: string }): boolean {
  return /^(?:remember|summarise|record):/.test(key) || name === 'approval.classify'
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}
