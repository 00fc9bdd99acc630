import { isOfModel } from '../../core/answer-format.ts'
import type { AnswerChecks } from '../../core/check.ts'
import { given } from '../../core/given.ts'
import type { EventBody } from '../../core/events.ts'
import { isObject } from '../../core/outside.ts'
import type { Source } from '../../core/result.ts'
import type { JobState, RunState } from '../../core/state.ts'
import { toolCallsOf } from '../../core/turn.ts'
import type { TranscriptState } from '../../core/transcript.ts'
import { placeKey } from '../../grounding/citations.ts'
import type { Evidence } from '../../grounding/evidence.ts'
import { checkFigures } from '../../grounding/figures.ts'
import { outcomeAt } from './call-site.ts'

type Answer = Extract<EventBody, { type: 'answer.composed' }>

/** Ids of sources as the answer cites them; none of those that it does not cite. */
type IdsOf = (sources?: readonly Source[]) => readonly string[]

/** The same events, an answer among them with what was verified about it; its text stays as it is. */
export function withChecks(state: RunState, events: readonly EventBody[]): readonly EventBody[] {
  return events.map((event) =>
    event.type === 'answer.composed' ? { ...event, checks: checksOf(state, event) } : event,
  )
}

/** Evidence is what tools returned and what the user wrote. What a model wrote, or was told of its tools, is none. */
function checksOf(state: RunState, { answer, citations = [] }: Answer): AnswerChecks {
  const { request, said, approvals, recollection, transcripts, jobs } = state
  const { recent = [], profile, results = [] } = recollection ?? {}
  const ids = new Map(citations.map(({ source }) => [placeKey(source), source.id]))
  const idsOf: IdsOf = (sources = []) => [...new Set(sources.flatMap((source) => ids.get(placeKey(source)) ?? []))]
  const earlier = recent.flatMap(({ role, text }) => (role === 'user' ? [text] : []))
  const replies = [...approvals.values()].flatMap(({ instructions }) => instructions ?? [])
  const question = [request.said ?? request.question, ...said, ...replies, ...earlier].join('\n')
  const evidence: Evidence[] = [
    { value: [profile, request.team === undefined ? [contextOf(state), request.systemPrompt] : []] },
    ...results.map(({ text, table = text, source }) => ({ value: table, sources: source ? idsOf([source]) : [] })),
    ...[...transcripts].flatMap(([key, transcript]) => ofTranscript(state, key, transcript, idsOf)),
    ...[...jobs.values()].flatMap((job) => ofJob(state, job, idsOf)),
  ]
  return { figures: checkFigures(answer, question, evidence) }
}

function contextOf({ request: { context } }: RunState): readonly unknown[] {
  return Object.entries(context).flatMap(([key, value]) => (key.startsWith('current_date') ? [] : [value]))
}

/** What the calls of a model returned, and documents that stand in its instructions whole. */
function ofTranscript(state: RunState, key: string, { head, turns }: TranscriptState, idsOf: IdsOf): Evidence[] {
  const [, documents = ''] = head.instructions.split('\n<documents>\n')
  const calls = turns.flatMap(({ message, answers }, at) =>
    toolCallsOf(message).flatMap(({ input }, index): Evidence[] => {
      const answer = answers.get(index)
      if (answer === undefined || answer.error !== undefined) return []
      const { sources = [] } = answer
      // The log keeps no outputs of jobs whose rows are their result. What the loop itself answers has no source.
      const { output = sources.length > 0 ? answer.text : '' } = outcomeAt(state, key, { turn: at + 1, index }) ?? {}
      if (output === '') return []
      const isComputed = sources.length > 0 && sources.every(({ kind }) => kind === 'computation')
      return [{ value: output, sources: idsOf(sources), ...(isComputed ? { isComputed, input } : {}) }]
    }),
  )
  return [...(documents === '' ? [] : [{ value: documents.split('\n</documents>')[0], sources: [] }]), ...calls]
}

/** What an agent without a transcript found: its calls, and of what a model or a team wrote no more than what has a source. */
function ofJob(
  { transcripts, calls }: RunState,
  { key, task, result, isOutdated }: JobState,
  idsOf: IdsOf,
): Evidence[] {
  if (transcripts.has(key) || task === undefined || result === undefined || isOutdated === true) return []
  const outputs = [...(calls.get(key)?.values() ?? [])].flatMap(({ kind, output }) => (kind === 'tool' ? [output] : []))
  const { answer, tabular, data, sources = [] } = result
  const figures = isObject(data) && 'team' in data ? data['figures'] : undefined
  const written = isOfModel(result) ? sources.map(({ excerpt }) => excerpt) : [answer, data]
  const isComputed = sources.length > 0 && sources.every(({ kind }) => kind === 'computation')
  const value = [tabular, ...(figures === undefined ? written : [figures])]
  return [
    { value, sources: idsOf(sources), ...given({ isComputed: isComputed || undefined }) },
    ...outputs.map((value) => ({ value, sources: [] })),
  ]
}
