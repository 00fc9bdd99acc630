import type { Provenance } from './provenance.ts'
import type { Source } from './result.ts'
import type { TranscriptHead, TranscriptMessage, UserMessage, ToolCallPart, TurnRequest } from './turn.ts'
import type { Tool } from './tool.ts'
import type {
  CallAnswer,
  CallPosition,
  CallOutcome,
  TurnState,
  TurnPurpose,
  TranscriptState,
  Compaction,
} from './transcript.ts'

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
