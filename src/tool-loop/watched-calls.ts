import { truncate } from '../shared/json.ts'
import type { Source } from '../domain/result.ts'
import type { TranscriptState } from '../domain/transcript.ts'
import { toolCallsOf } from '../domain/turn.ts'
import { tagged } from '../domain/prompt-text.ts'

/**
 * Maximum characters of results without a source: results of charts or drafts, and data that the agent's own code read.
 */
const MAX_UNCITABLE = { ofModel: 500, ofCode: 2_000 }

/** A call of an agent, as reflector and critics read it. */
export interface WatchedCall {
  /** Tool and input. */
  readonly call: string
  /** The output, or the error. */
  readonly result: string
  readonly isFailed: boolean
  /** Ids of its sources in the transcript; absent for a call that the agent's own code made. */
  readonly ids?: readonly string[]
}

/** The calls of transcripts that have a result. @param masked hides secrets */
export function callsIn(
  transcripts: readonly TranscriptState[],
  masked: (text: string) => string,
): readonly WatchedCall[] {
  return transcripts.flatMap(({ turns }) =>
    turns.flatMap(({ message, answers }) =>
      toolCallsOf(message).flatMap(({ name, input }, index): WatchedCall[] => {
        const answer = answers.get(index)
        if (answer === undefined) return []
        const { text, error, sources = [] } = answer
        const ids = sources.flatMap(({ id }) => id ?? [])
        const call = `${name} ${masked(JSON.stringify(input))}`
        return [{ call, result: masked(text), isFailed: error !== undefined, ids }]
      }),
    ),
  )
}

/**
 * A section for each call: with its result if the work cites it or it failed, with the beginning of a result without
 * sources. Other calls, such as look-ups, are only listed.
 */
export function callSections(calls: readonly WatchedCall[], sources: readonly Source[] = []): readonly string[] {
  return calls.map((one) => {
    const { call, result, isFailed, ids } = one
    if (isFailed) return tagged('call', `${call}\nfailed: ${result}`)
    if (isCited(one, sources)) return tagged('call', `${call}\n${result}`)
    if (ids !== undefined && ids.length > 0) return tagged('call', call)
    return tagged('call', `${call}\n${truncate(result, MAX_UNCITABLE[ids === undefined ? 'ofCode' : 'ofModel'])}`)
  })
}

/** Whether the work cites its result. */
export function isCited({ ids = [] }: WatchedCall, sources: readonly Source[]): boolean {
  return sources.some(({ id }) => id !== undefined && ids.includes(id))
}
