import type { AnswerChecks } from '../../core/check.ts'
import { given } from '../../core/given.ts'
import type { EventBody } from '../../core/events.ts'
import type { Source } from '../../core/result.ts'
import type { JobState, RunState } from '../../core/state.ts'
import { toolCallsOf } from '../../core/turn.ts'
import type { TranscriptState } from '../../core/transcript.ts'
import type { Evidence } from '../../grounding/evidence.ts'
import { checkFigures } from '../../grounding/figures.ts'
import { outcomeAt } from './call-site.ts'

/** The same events, an answer among them with what was verified about it; its text stays as it is. */
export function withChecks(state: RunState, events: readonly EventBody[]): readonly EventBody[] {
  return events.map((event) =>
    event.type === 'answer.composed' ? { ...event, checks: checksOf(state, event.answer) } : event,
  )
}

function checksOf(state: RunState, answer: string): AnswerChecks {
  const { request, said, recollection, plan, transcripts, jobs } = state
  const question = [request.question, plan?.understood?.question ?? '', ...said].join('\n')
  const evidence = [
    { value: [request.context, request.systemPrompt, recollection] },
    ...[...transcripts].flatMap(([key, transcript]) => ofTranscript(state, key, transcript)),
    ...[...jobs.values()].flatMap((job) => ofJob(state, job)),
  ]
  return { figures: checkFigures(answer, question, evidence) }
}

/** What the model was told, what its calls returned, and the inputs of calls that succeeded, such as the limit of a filter. */
function ofTranscript(state: RunState, key: string, { head, turns }: TranscriptState): Evidence[] {
  const calls = turns.flatMap(({ message, answers }, at) =>
    toolCallsOf(message).flatMap(({ input }, index): Evidence[] => {
      const answer = answers.get(index)
      if (answer === undefined || answer.error !== undefined) return []
      const { output = answer.text } = outcomeAt(state, key, { turn: at + 1, index }) ?? {}
      const result = ofSources(output, answer.sources)
      return result.isComputed === true ? [result] : [result, { value: input }]
    }),
  )
  return [{ value: head.instructions }, ...calls]
}

/** What an agent without a transcript returned, such as a team. The words of one that has a transcript are a model's. */
function ofJob({ transcripts, calls }: RunState, { key, task, result, isOutdated }: JobState): Evidence[] {
  if (transcripts.has(key) || task === undefined || isOutdated === true) return []
  const outputs = [...(calls.get(key)?.values() ?? [])].flatMap(({ kind, output }) => (kind === 'tool' ? [output] : []))
  const { answer, tabular, data, sources } = result ?? {}
  return [ofSources([answer, tabular, data], sources), ...outputs.map((value) => ({ value }))]
}

function ofSources(value: unknown, sources: readonly Source[] = []): Evidence {
  const ids = sources.flatMap(({ id }) => id ?? [])
  const isComputed = sources.length > 0 && sources.every(({ kind }) => kind === 'computation')
  return { value, sources: ids, ...given({ isComputed: isComputed || undefined }) }
}
