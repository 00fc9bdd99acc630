import { TuttiError, type ErrorInfo } from './errors.ts'
import { NO_USAGE, type UsageTotals } from './usage.ts'
import type { Provenance } from './provenance.ts'
import type { Source } from './result.ts'
import {
  toolCallsOf,
  withoutProviderState,
  type AssistantMessage,
  type FinishReason,
  type ToolResultPart,
  type TranscriptHead,
  type TranscriptMessage,
  type UserMessage,
} from './turn.ts'

/** The result of a call, as given to the model. */
export interface CallAnswer {
  readonly text: string
  /** The full result, if `text` is only its beginning. */
  readonly whole?: string
  /** Why the call failed or was not made; `text` tells the model the same. */
  readonly error?: ErrorInfo
  /** Sources of the result, for citations. */
  readonly sources?: readonly Source[]
}

/** Which call: its turn, and its place among the calls of that turn; from 1 and from 0. */
export interface CallPosition {
  readonly turn: number
  readonly index: number
}

/** The outcome of a call. */
export interface CallOutcome {
  readonly output?: unknown
  readonly error?: ErrorInfo
  /** It was interrupted and may have taken place. */
  readonly isOpen?: true
  /** Whether it may have changed something. */
  readonly isWrite?: true
  /** The input as the user edited it when approving the call. */
  readonly edited?: unknown
}

/** One turn of a transcript, with the results of its calls so far. */
export interface TurnState {
  /** Messages added before this turn that are no results: a reminder, feedback, additions of the user. */
  readonly sent: readonly UserMessage[]
  readonly message: AssistantMessage
  readonly finishReason: FinishReason
  /** Attempt of the job that it was made in. */
  readonly attempt: number
  /** `summary`: the message sums the turns before up and is no answer. */
  readonly purpose?: TurnPurpose
  /** Labels of everything that the model had seen when it wrote the message; its calls have the same. */
  readonly provenance: Provenance
  /** By index of the call. */
  readonly answers: ReadonlyMap<number, CallAnswer>
}

export type TurnPurpose = 'summary'

export interface ModelUse {
  readonly usage: UsageTotals
  /** `provider:model`, without duplicates. */
  readonly models: readonly string[]
}

/**
 * The messages between an actor and its model in one job. It outlives the attempts of the job: a later attempt continues after
 * the last recorded event.
 */
export interface TranscriptState {
  readonly head: TranscriptHead
  /** Labels of the head's content, apart from the operator's own words. */
  readonly provenance?: Provenance
  /** Key of an earlier job of the same actor whose messages precede those of this one. */
  readonly continues?: string
  /** Number of turns in the transcripts that it continues. */
  readonly earlierTurns: number
  /** Results of the calls that the continued transcript left open, by index. */
  readonly opening: ReadonlyMap<number, CallAnswer>
  readonly turns: readonly TurnState[]
  /** Of the models, over all turns, failed ones included. */
  readonly used: ModelUse
  readonly compacted?: Compaction
  /**
   * Turns that failed in an attempt since the last successful one, so that a repeated attempt fails in the same way.
   */
  readonly failed?: { readonly attempt: number; readonly errors: readonly ErrorInfo[] }
}

/** That of a job that has opened none. */
export const NO_TRANSCRIPT: TranscriptState = Object.freeze({
  head: { instructions: '', tools: [], messages: [] },
  earlierTurns: 0,
  opening: new Map(),
  turns: [],
  used: { usage: NO_USAGE, models: [] },
})

/** Replaces earlier turns in the prompt, to save space. */
export interface Compaction {
  /** Results of turns up to this one are replaced by a line with the handle, and their reasoning is left out. */
  readonly clearedUpTo: number
  /** Replaces all turns up to `clearedUpTo`. */
  readonly summary?: string
}

export type Transcripts = ReadonlyMap<string, TranscriptState>

/** Keys of the transcripts that one continues, the first one first, and its own key. */
export function transcriptKeys(key: string, transcripts: Transcripts): readonly string[] {
  const continues = transcripts.get(key)?.continues
  return continues === undefined ? [key] : [...transcriptKeys(continues, transcripts), key]
}

/** An id or a handle as models write it: `s1` of `[s1]`. */
export function plainId(written: string): string {
  return written.trim().replace(/^\[(.*)\]$/, '$1')
}

/** The handle to read a result again. Its turn counts from the first of the continued transcripts. */
export function handleOf({ earlierTurns }: TranscriptState, { turn, index }: CallPosition): string {
  return `r${earlierTurns + turn}.${index}`
}

/** The id to read the result of a call again: the id of its source if there is only one, otherwise its handle. */
export function idOfResult(transcript: TranscriptState, position: CallPosition, sources?: readonly Source[]): string {
  const { sources: own = [] } = transcript.turns[position.turn - 1]?.answers.get(position.index) ?? {}
  const [only, ...others] = sources ?? own
  return only?.id === undefined || others.length > 0 ? handleOf(transcript, position) : only.id
}

export interface CallPlace {
  readonly key: string
  readonly position: CallPosition
}

/** The job and the call of a handle such as `r1.0`, in a transcript or in an earlier one that it continues. */
export function callOfHandle(handle: string, key: string, transcripts: Transcripts): CallPlace | undefined {
  const [, turn, index] = /^r(\d+)\.(\d+)$/.exec(handle) ?? []
  if (turn === undefined) return undefined
  for (let at: string | undefined = key; at !== undefined; at = transcripts.get(at)?.continues) {
    const earlierTurns = transcripts.get(at)?.earlierTurns ?? 0
    if (Number(turn) > earlierTurns)
      return { key: at, position: { turn: Number(turn) - earlierTurns, index: Number(index) } }
  }
  return undefined
}

/** Calls of these transcripts that have sources, with those sources. */
export function* callsWithSources(
  transcripts: Transcripts,
  keys: Iterable<string> = transcripts.keys(),
): Generator<CallPlace & { readonly sources: readonly Source[] }> {
  for (const key of keys) {
    for (const [at, { answers }] of transcripts.get(key)?.turns.entries() ?? []) {
      for (const [index, { sources }] of answers) {
        if (sources !== undefined) yield { key, position: { turn: at + 1, index }, sources }
      }
    }
  }
}

/** The call whose result has only this source; otherwise the first call that has it among others. */
export function callOfSource(id: string, transcripts: Transcripts, keys?: Iterable<string>): CallPlace | undefined {
  const calls = [...callsWithSources(transcripts, keys)].filter(({ sources }) => sources.some((one) => one.id === id))
  return calls.find(({ sources }) => sources.length === 1) ?? calls[0]
}

/** The messages after the head, so far. Calls without a result have no result message yet. */
export function transcriptMessages(
  transcript: TranscriptState,
  transcripts: Transcripts,
): readonly TranscriptMessage[] {
  const { continues, opening, turns, compacted } = transcript
  const before = continues === undefined ? [] : continuedMessages(continues, opening, transcripts)
  const cleared = compacted?.clearedUpTo ?? 0
  const summary = compacted?.summary
  const own = turns.flatMap((turn, at) => {
    if (at >= cleared) return messagesOfTurn(turn)
    return summary === undefined
      ? messagesOfTurn(turn, (index) => clearedText(idOfResult(transcript, { turn: at + 1, index })))
      : []
  })
  if (summary === undefined) return [...before, ...own]
  return [{ role: 'user', parts: [{ type: 'text', text: summary }] }, ...own]
}

function continuedMessages(
  key: string,
  opening: TranscriptState['opening'],
  transcripts: Transcripts,
): readonly TranscriptMessage[] {
  const earlier = transcripts.get(key)
  if (earlier === undefined) {
    throw new TuttiError('StorageError', `The log has no transcript of the job "${key}", which a later one continues.`)
  }
  const last = earlier.turns.at(-1)
  if (last === undefined) return transcriptMessages(earlier, transcripts)
  const answers = new Map([...last.answers, ...opening])
  return transcriptMessages({ ...earlier, turns: [...earlier.turns.slice(0, -1), { ...last, answers }] }, transcripts)
}

function messagesOfTurn(turn: TurnState, textOf?: (index: number) => string): readonly TranscriptMessage[] {
  const { sent, answers } = turn
  // Providers sign reasoning together with the preceding messages, so it must be removed if those were changed.
  const message = textOf === undefined ? turn.message : withoutProviderState(turn.message)
  const parts = toolCallsOf(message).flatMap(({ id, name }, index): ToolResultPart[] => {
    const answer = answers.get(index)
    if (answer === undefined) return []
    const text = textOf?.(index) ?? answer.text
    return [{ type: 'tool-result', id, name, text, ...(answer.error === undefined ? {} : { isError: true }) }]
  })
  return [...sent, message, ...(parts.length === 0 ? [] : [{ role: 'tool' as const, parts }])]
}

function clearedText(handle: string): string {
  return `[This result was removed to save space. read_result with id ${handle} shows it.]`
}

/** Sources of the head and of all results of a transcript, those of its opening first; each has an id. */
export function sourcesIn({
  head,
  opening,
  turns,
}: Pick<TranscriptState, 'head' | 'opening' | 'turns'>): readonly Source[] {
  const answers = [...opening.values(), ...turns.flatMap((turn) => [...turn.answers.values()])]
  return [...(head.sources ?? []), ...answers.flatMap(({ sources = [] }) => sources)]
}

/** Positions of the calls of the last turn that have no result yet. */
export function openCalls({ turns }: TranscriptState): readonly CallPosition[] {
  const last = turns.at(-1)
  if (last === undefined) return []
  const open = toolCallsOf(last.message).map((_call, index) => ({ turn: turns.length, index }))
  return open.filter(({ index }) => !last.answers.has(index))
}
