import { usedModel } from '../../domain/answer-status.ts'
import { omitUndefined, isObject } from '../../shared/json.ts'
import type { EventBody } from '../../domain/events.ts'
import { NO_SOURCE } from '../../domain/answer.ts'
import type { Source } from '../../domain/result.ts'
import type { JobState, RunState } from '../../domain/state.ts'
import { toolCallsOf } from '../../domain/turn.ts'
import type { TranscriptState } from '../../domain/transcript.ts'
import { placeKey } from '../../grounding/citations.ts'
import type { Evidence } from '../../grounding/evidence.ts'
import { checkFigures } from '../../grounding/figures.ts'
import { numberValues } from '../../grounding/numbers.ts'
import { withoutInputNumbers } from '../../grounding/repeated-input.ts'
import { outcomeAt } from './call-site.ts'

type Answer = Extract<EventBody, { type: 'answer.composed' }>

/** Maps sources to the ids cited in the answer; omits sources that the answer does not cite. */
type IdsOf = (sources?: readonly Source[]) => readonly string[]

/** Adds checks to the answer among the events; its text is not changed. */
export function withChecks(state: RunState, events: readonly EventBody[]): readonly EventBody[] {
  return events.map((event) => {
    if (event.type !== 'answer.composed') return event
    const { question, instructed, earlier, read } = evidenceOf(state, event)
    const { answer, by, notes = [] } = event
    const figures = checkFigures(answer, question, [...instructed, ...earlier, ...read])
    if (read.length > 0 || by !== 'model') return { ...event, checks: { figures } }
    // Without any source, one notice says more than a mark on each figure, and only earlier answers can support figures.
    const isOpen = figures.some(({ status }) => status === 'not_found')
    const supported = isOpen || earlier.length === 0 ? [] : checkFigures(answer, question, earlier)
    return {
      ...event,
      checks: { figures: supported.some(({ status }) => status === 'not_found') ? [] : supported },
      ...(isOpen && { notes: [...new Set([...notes, NO_SOURCE])] }),
    }
  })
}

/**
 * Evidence is the output of tools, earlier answers, and the user's words. Of text that a model wrote or read, only
 * schemas and documents count. Figures of earlier answers count as derived.
 */
function evidenceOf(state: RunState, { citations = [] }: Answer) {
  const { request, said, approvals, recollection, transcripts, jobs } = state
  const { recent = [], profile, results = [] } = recollection ?? {}
  const ids = new Map(citations.map(({ source }) => [placeKey(source), source.id]))
  const idsOf: IdsOf = (sources = []) => [...new Set(sources.flatMap((source) => ids.get(placeKey(source)) ?? []))]
  const textsOf = (by: 'user' | 'assistant') => recent.flatMap(({ role, text }) => (role === by ? [text] : []))
  const replies = [...approvals.values()].flatMap(({ instructions }) => instructions ?? [])
  const question = [request.said ?? request.question, ...said, ...replies, ...textsOf('user')].join('\n')
  const found: Evidence[] = [
    ...results.map(({ text, content = text, table, source }) => ({
      value: table ?? [content, source?.excerpt],
      sources: source ? idsOf([source]) : [],
    })),
    ...[...transcripts].flatMap(([key, transcript]) => transcriptEvidence(state, key, transcript, idsOf)),
    ...[...jobs.values()].flatMap((job) => jobEvidence(state, job, idsOf)),
  ]
  const own = [profile, request.team === undefined ? [contextOf(state), request.systemPrompt] : []]
  const earlier = textsOf('assistant').map((value) => ({ value, isComputed: true }))
  const heads = [...transcripts.values()].map(({ head }) => head)
  const instructed = [{ value: own }, ...heads.flatMap(({ instructions }) => schemaEvidence(instructions))]
  return { question, instructed, earlier, read: [...heads.flatMap(documentEvidence), ...found] }
}

function contextOf({ request: { context } }: RunState): readonly unknown[] {
  return Object.entries(context).flatMap(([key, value]) => (key.startsWith('current_date') ? [] : [value]))
}

/** Figures of the schemas in the instructions of a model, such as counts of rows. */
function schemaEvidence(instructions: string): Evidence[] {
  const schemas = instructions.split('\n<database ').slice(1)
  return schemas.map((text) => ({ value: numberValues(text.split('\n</database>')[0]!) }))
}

/** Documents that are whole in the instructions of a model, which are its sources. */
function documentEvidence({ instructions, sources = [] }: TranscriptState['head']): Evidence[] {
  const [, documents = ''] = sources.length === 0 ? [] : instructions.split('\n<documents>\n')
  return documents === '' ? [] : [{ value: documents.split('\n</documents>')[0], sources: [] }]
}

/** The outputs of a model's calls. */
function transcriptEvidence(state: RunState, key: string, { turns }: TranscriptState, idsOf: IdsOf): Evidence[] {
  return turns.flatMap(({ message, answers }, at) =>
    toolCallsOf(message).flatMap(({ input }, index): Evidence[] => {
      const answer = answers.get(index)
      if (answer === undefined || answer.error !== undefined) return []
      const { sources: own = [] } = answer
      // The log keeps no outputs of jobs whose result is their rows. Replies of the loop itself have no source, unless
      // they show an earlier result.
      const sources = own.length > 0 ? own : earlierSources(state, input)
      const { output = sources.length > 0 ? answer.text : '', isWrite } =
        outcomeAt(state, key, { turn: at + 1, index }) ?? {}
      if (output === '') return []
      const excerpts = excerptsOf(sources, idsOf)
      if (excerpts !== undefined) return [...excerpts, { value: output, sources: [] }]
      const isComputed = own.length > 0 && own.every(({ kind }) => kind === 'computation')
      if (isComputed) return [{ value: output, sources: idsOf(sources), isComputed, input }]
      return [{ value: isWrite === true ? withoutInputNumbers(output, input) : output, sources: idsOf(sources) }]
    }),
  )
}

/** The parts of a result that several sources have, each with its own id; undefined if one has no excerpt. */
function excerptsOf(sources: readonly Source[], idsOf: IdsOf): readonly Evidence[] | undefined {
  if (sources.length < 2 || sources.some(({ excerpt }) => excerpt === undefined)) return undefined
  return sources.map((source) => ({ value: source.excerpt, sources: idsOf([source]) }))
}

function earlierSources({ recollection }: RunState, input: unknown): readonly Source[] {
  const id = isObject(input) ? input['id'] : undefined
  return (recollection?.results ?? []).flatMap(({ source }) =>
    source?.id !== undefined && source.id === id ? [source] : [],
  )
}

/**
 * Evidence from an agent without a transcript: its calls, and its result. Of text by a model or a team only sourced
 * parts count.
 */
function jobEvidence(
  { transcripts, calls }: RunState,
  { key, task, result, isOutdated }: JobState,
  idsOf: IdsOf,
): Evidence[] {
  if (transcripts.has(key) || task === undefined || result === undefined || isOutdated === true) return []
  const outputs = [...(calls.get(key)?.values() ?? [])].flatMap(({ kind, output }) => (kind === 'tool' ? [output] : []))
  const { answer, tabular, data, sources = [] } = result
  const figures = isObject(data) && 'team' in data ? data['figures'] : undefined
  const written = usedModel(result) ? sources.map(({ excerpt }) => excerpt) : [answer, data]
  if (usedModel(result) && [tabular, figures, ...sources, ...outputs].every((one) => one === undefined)) return []
  const isComputed = sources.length > 0 && sources.every(({ kind }) => kind === 'computation')
  const value = [tabular, ...(figures === undefined ? written : [figures])]
  return [
    { value, sources: idsOf(sources), ...omitUndefined({ isComputed: isComputed || undefined }) },
    ...outputs.map((value) => ({ value, sources: [] })),
  ]
}
