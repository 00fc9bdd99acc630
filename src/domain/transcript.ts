import { TuttiError, type ErrorInfo } from './errors.ts'
import type { EventBody } from './events.ts'
import { omitUndefined } from '../shared/json.ts'
import type { Provenance } from './provenance.ts'
import type { Source } from './result.ts'
import { addUsage, NO_USAGE, type UsageTotals } from './usage.ts'
import {
  toolCallsOf,
  withoutProviderState,
  type AssistantMessage,
  type FinishReason,
  type ToolResultPart,
  type TranscriptHead,
  type TranscriptMessage,
  type UserMessage,
  type ToolCallPart,
  type TurnRequest,
} from './turn.ts'
import type { Tool } from './tool.ts'

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

interface ModelUse {
  readonly usage: UsageTotals
  /** `provider:model`, without duplicates. */
  readonly models: readonly string[]
}

const NO_REASON: ErrorInfo = { type: 'Internal', message: 'The turn failed without a reason.' }

const NOTHING_USED: ModelUse = { usage: NO_USAGE, models: [] }

/** That of a job that has opened none. */
export const NO_TRANSCRIPT: TranscriptState = Object.freeze({
  head: { instructions: '', tools: [], messages: [] },
  earlierTurns: 0,
  opening: new Map(),
  turns: [],
  used: NOTHING_USED,
})

/** Replaces earlier turns in the prompt, to save space. */
export interface Compaction {
  /** Results of turns up to this one are replaced by a line with the handle, and their reasoning is left out. */
  readonly clearedUpTo: number
  /** Replaces all turns up to `clearedUpTo`. */
  readonly summary?: string
}

type Transcripts = ReadonlyMap<string, TranscriptState>

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

type TranscriptEvent = Extract<
  EventBody,
  { type: 'transcript.started' | 'turn.finished' | 'call.answered' | 'transcript.compacted' }
>

function usedBy(before: ModelUse, { model, usage, requests }: Extract<EventBody, { type: 'turn.finished' }>): ModelUse {
  const isNew = model !== undefined && !before.models.includes(model)
  const models = isNew ? [...before.models, model] : before.models
  return { usage: addUsage(before.usage, usage, requests), models }
}

/** Applies an event to the transcript of its job. @param attempt of the job, at the time of the event */
export function reduceTranscript(
  before: TranscriptState | undefined,
  event: TranscriptEvent,
  attempt: number,
  transcripts: Transcripts,
): TranscriptState {
  if (event.type === 'transcript.started') {
    const { continues, answers = [], provenance } = event
    const earlier = transcripts.get(continues ?? '')
    const head = event.head ?? earlier?.head
    if (head === undefined) throw new TuttiError('StorageError', `The transcript of "${event.key}" has no beginning.`)
    const earlierTurns = earlier === undefined ? 0 : earlier.earlierTurns + earlier.turns.length
    const begun = { head, earlierTurns, opening: new Map(answers), turns: [], used: NOTHING_USED }
    return { ...begun, ...omitUndefined({ continues, provenance }) }
  }
  if (before === undefined) {
    throw new TuttiError('StorageError', `A turn of "${event.key}" is in the log before its transcript.`)
  }
  const { failed, ...rest } = before
  switch (event.type) {
    case 'turn.finished': {
      const { reply, error, finishReason = 'stop', purpose, sent = [], provenance } = event
      const used = usedBy(rest.used, event)
      // The turn was cut off by a shutdown: its usage counts, and it is taken again.
      if (error?.type === 'RunLost') return { ...before, used }
      if (reply === undefined) {
        const errors = failed?.attempt === attempt ? failed.errors : []
        return { ...rest, used, failed: { attempt, errors: [...errors, error ?? NO_REASON] } }
      }
      const content = { sent, message: reply, finishReason, attempt, provenance, ...omitUndefined({ purpose }) }
      const turn: TurnState = { ...content, answers: new Map() }
      return { ...rest, used, turns: [...rest.turns, turn] }
    }
    case 'call.answered': {
      const { turn, index, text, whole, error, sources } = event
      const turns = rest.turns.with(turn - 1, {
        ...rest.turns[turn - 1]!,
        answers: new Map(rest.turns[turn - 1]!.answers).set(index, {
          text,
          ...omitUndefined({ whole, error, sources }),
        }),
      })
      return { ...before, turns }
    }
    case 'transcript.compacted': {
      const { clearedUpTo, summary } = event
      return { ...before, compacted: { clearedUpTo, ...omitUndefined({ summary }) } }
    }
  }
}

/** How a transcript begins: with its head, or, where an earlier job's is `continued`, with the results that it left open. */
export interface TranscriptOpening extends TranscriptHead {
  /** Key of an earlier job of the same actor, whose head is kept. This opening is only used if it has no transcript. */
  readonly continues?: string
  /** By index of the calls in the last turn of the continued transcript. */
  readonly answers?: readonly (readonly [index: number, answer: CallAnswer])[]
  /** Labels of the head's content, apart from the operator's own words. */
  readonly provenance?: Provenance
}

/** A result by its id. */
export interface RecalledResult {
  /** The output, or the text that the model was given if the journal no longer has the output. */
  readonly output: unknown
  /** The full result as the model was given it; absent if no model was. */
  readonly text?: string
  /** The call, where its output is there. */
  readonly part?: ToolCallPart
  readonly sources: readonly Source[]
  /** Key of the job that found it, where that failed. */
  readonly failedTask?: string
}

export interface TurnSettings {
  readonly toolChoice: TurnRequest['toolChoice']
  /** No turn follows: it may use the rest of the budget. */
  readonly isLast?: boolean
  readonly purpose?: TurnPurpose
  /** Messages to add before this turn. */
  readonly sent?: readonly UserMessage[]
  /** Streams the text as the answer of the run; the function returns the part of the text so far to show. */
  readonly stream?: (soFar: string) => string
  readonly limits?: Pick<TurnRequest, 'maxOutputTokens' | 'temperature'>
}

/**
 * The messages between a job and its model, journalled by position; the basis of tool loops. A restart restores it with
 * all results and errors, and the next request has the same bytes.
 */
export interface Transcript {
  /** `provider:model` for the turns; undefined if no model is configured. */
  model(): Promise<string | undefined>
  /** Starts the transcript, or returns the one that an earlier attempt or process started. Must be called first. */
  open(begin: () => TranscriptOpening | Promise<TranscriptOpening>): Promise<TranscriptState>
  /** The current state; empty in a job that has not opened one. */
  readonly state: TranscriptState
  /** The transcripts that it continues, the first one first. */
  readonly earlier: readonly TranscriptState[]
  /** The messages after the head, those of continued transcripts included. */
  readonly messages: readonly TranscriptMessage[]
  /** Additions of the user to the request that no turn of these transcripts has received yet. */
  readonly said: readonly string[]
  /** @throws TuttiError `ModelUnavailable` after retries and the second model, `BudgetExceeded` */
  turn(settings: TurnSettings): Promise<TurnState>
  /**
   * As `ActorContext.call`, for a call that the model requested. A completed call is not repeated: it returns its
   * result or throws its error again. All calls of a turn have the labels of that turn, even if other calls have
   * returned meanwhile.
   * @param turnToRun awaited by an irreversible call after its approval and before it is made
   */
  call<I, O, P>(tool: Tool<I, O, P>, input: I, position: CallPosition, turnToRun?: () => Promise<void>): Promise<O>
  /** Keeps the result of a call as the model reads it. */
  answer(position: CallPosition, answer: CallAnswer): void
  /** The journalled outcome of a call; undefined if it was not made. */
  outcome(position: CallPosition): CallOutcome | undefined
  /** All sources with an id: the job's findings and inputs, and the sources of earlier answers. */
  readonly sources: readonly Source[]
  /**
   * Assigns sources the ids by which models refer to them in this run.
   * @param position of the call that returned them
   */
  name(sources: readonly Source[], position?: CallPosition): readonly Source[]
  /**
   * The result that an id of `sources` or a handle of the job means.
   * @throws TuttiError `ToolError` that lists the ids that there are
   */
  recall(id: string): RecalledResult
  compact(compaction: Compaction): void
  /** Tokens that a prompt and its reply may have together. */
  contextWindow(): Promise<number>
  /** Share of the attempt's time limit that is used, 0 to 1; 0 without a limit. */
  readonly timeUsed: number
}
