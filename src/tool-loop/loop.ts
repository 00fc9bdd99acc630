import type { ActorContext } from '../domain/actor.ts'
import { openCalls, sourcesIn, type CallPosition, type TranscriptState, type TurnState } from '../domain/transcript.ts'
import type { TranscriptOpening, TurnSettings } from '../domain/transcript-port.ts'
import { TuttiError, type ErrorInfo } from '../domain/errors.ts'
import { omitUndefined } from '../shared/json.ts'
import type { Provenance } from '../domain/provenance.ts'
import type { Source } from '../domain/result.ts'
import { tableIn, type Table } from '../domain/table.ts'
import {
  textOfMessage,
  toolCallsOf,
  userMessage,
  type ToolCallPart,
  type TranscriptMessage,
  type UserMessage,
} from '../domain/turn.ts'
import { inputOf, runCalls, type CallEnvironment } from './calls.ts'
import { compactIfNeeded } from './compaction.ts'
import { numberedSoFar } from '../grounding/citations.ts'
import { REPORT_GAP, ToolList, type EndingTool, type LoopTool } from './tool-list.ts'

export const DEFAULT_MAX_TURNS = 12
/** Share of the time limit after which the next turn is the last. */
const SOFT_TIME_LIMIT = 0.8

export interface ToolLoop {
  readonly instructions: string
  readonly tools: readonly LoopTool[]
  /** The conversation so far and the task. */
  readonly messages: readonly TranscriptMessage[]
  /** Calls of them end the loop. */
  readonly ending?: readonly EndingTool[]
  /** An ending tool that must be called for a result, such as one that takes structured data. */
  readonly required?: string
  /** Returns the problem of an ending call's input, which is sent back to the model. */
  readonly problemWith?: CallEnvironment['problemWith']
  /** Key of an earlier job of the same actor whose transcript is continued. */
  readonly continues?: string
  /** Results for the calls that the continued transcript left open, by index of the call. */
  readonly answers?: TranscriptOpening['answers']
  /** Messages for the first turn if an earlier attempt or job is continued: feedback, a reply of the user. */
  readonly added?: readonly UserMessage[]
  /** Maximum number of requests to the model; 12 by default. */
  readonly maxTurns?: number
  readonly limits?: TurnSettings['limits']
  /** Streams the text as the answer of the run. */
  readonly stream?: boolean
  /** Labels of instructions and messages, apart from the user's and the operator's own words. */
  readonly provenance?: Provenance
  readonly sourcesOf: CallEnvironment['sourcesOf']
  /** Sources whose content is in the instructions, with their ids. */
  readonly sources?: readonly Source[]
}

export interface LoopResult {
  /** The text of the last turn. It cites ids of `sources`, such as `[s1]`. */
  readonly text: string
  /** Calls of ending tools in the last turn, in their order. */
  readonly endings: readonly EndingCall[]
  /** Gaps that the model reported. */
  readonly gaps: readonly Gap[]
  /** Whether it reported on gaps at all, even if only that there are none. */
  readonly hasReported: boolean
  /** Sources of the instructions and of all successful calls, each place once, those of continued transcripts first. */
  readonly sources: readonly Source[]
  /** All calls of the job except `report_gap`, in order. */
  readonly calls: readonly MadeCall[]
}

export interface Gap {
  readonly missing: string
  readonly reason: string
}

export const END_IS_MISSING: Gap = {
  missing: 'The end of the answer',
  reason: 'The end of the answer is missing: the model reached its limit of output tokens.',
}

export interface EndingCall extends Pick<ToolCallPart, 'name' | 'input'> {
  readonly position: CallPosition
}

export interface MadeCall {
  readonly name: string
  readonly input: unknown
  readonly error?: ErrorInfo
  /** The table that it returned, and the ids of its sources. */
  readonly table?: Table
  readonly ids: readonly string[]
}

/**
 * Runs turns and tool calls until the model answers, an ending tool is called or a limit is reached. The last turn
 * keeps the tool list and sets tool choice to `none`, so a loop always ends with an answer. All of it is in the job's
 * transcript, from which a repeated attempt continues.
 * @throws TuttiError `ModelUnavailable`; `ModelOutputInvalid` if the model returns neither text nor calls twice in a
 * row
 */
export async function runToolLoop(ctx: ActorContext, loop: ToolLoop): Promise<LoopResult> {
  const tools = new ToolList(loop.tools, loop.ending, taskOf(loop))
  const environment = { ctx, tools, sourcesOf: loop.sourcesOf, problemWith: loop.problemWith }
  const { transcript } = ctx
  await transcript.open(() => ({
    instructions: loop.instructions,
    tools: tools.definitions(),
    messages: loop.messages,
    ...omitUndefined({
      continues: loop.continues,
      answers: loop.answers,
      provenance: loop.provenance,
      sources: loop.sources,
    }),
  }))
  let added = transcript.state.turns.some(({ sent }) => isSame(sent, loop.added)) ? [] : (loop.added ?? [])
  let isOverBudget = false
  for (;;) {
    await runCalls(environment)
    const { state } = transcript
    // The feedback is on a result that an ending call gave.
    if (added.length > 0) for (const ending of openCalls(state)) transcript.answer(ending, { text: NOT_ACCEPTED })
    else if (transcript.said.length > 0)
      for (const ending of openCalls(state)) transcript.answer(ending, { text: SAID_MORE })
    const result = added.length > 0 || transcript.said.length > 0 ? undefined : resultOf(transcript, tools, loop)
    if (result !== undefined) return result
    const isLast = isOverBudget || isLastTurn(ctx, loop, state)
    try {
      if (!isOverBudget) await compactIfNeeded(ctx)
      await transcript.turn(settingsOf(loop, transcript, isLast, added))
      added = []
    } catch (thrown) {
      // The rest of the budget is enough for one more turn without calls.
      if (isLast || !TuttiError.is(thrown, 'BudgetExceeded')) throw thrown
      isOverBudget = true
    }
  }
}

function taskOf({ messages }: ToolLoop): string {
  const last = messages.at(-1)
  return last?.role === 'user' ? textOfMessage(last) : ''
}

function isSame(sent: readonly UserMessage[], added: readonly UserMessage[] = []): boolean {
  return added.length > 0 && JSON.stringify(sent.slice(0, added.length)) === JSON.stringify(added)
}

function answerTurns({ turns }: TranscriptState): readonly TurnState[] {
  return turns.filter(({ purpose }) => purpose === undefined)
}

function isLastTurn(ctx: ActorContext, { maxTurns = DEFAULT_MAX_TURNS }: ToolLoop, state: TranscriptState): boolean {
  const turns = answerTurns(state)
  return turns.length + 1 >= maxTurns || ctx.transcript.timeUsed >= SOFT_TIME_LIMIT
}

const LAST_TURN =
  'This is the last turn: no more tools can be called. Answer now with what you have, and say what is missing.'
const NOT_ACCEPTED = 'This result was not accepted.'
const SAID_MORE = 'Not executed: the user has added to the request.'
const NO_TEXT = 'Your last reply was empty. Answer now.'
const CUT_OFF = 'Your last reply was cut off at the limit of output tokens. Write the whole answer again, shorter.'

function settingsOf(
  { limits, required, stream = false }: ToolLoop,
  { state, earlier, said }: ActorContext['transcript'],
  isLast: boolean,
  added: readonly UserMessage[],
): TurnSettings {
  const last = answerTurns(state).at(-1)
  const isEmpty =
    added.length === 0 && said.length === 0 && last !== undefined && toolCallsOf(last.message).length === 0
  const repeatRequest = last?.finishReason === 'length' ? CUT_OFF : NO_TEXT
  const reminder = isEmpty
    ? required === undefined
      ? repeatRequest
      : `Call ${required} with your result now.`
    : undefined
  const lastTurn = required === undefined ? LAST_TURN : `This is the last turn: call ${required} with what you have.`
  const texts = [reminder, isLast ? lastTurn : undefined].filter((text) => text !== undefined)
  const sent = [...added, ...[...said, ...texts].map(userMessage)]
  const sources = [...earlier, state].flatMap(sourcesIn)
  return {
    toolChoice: isLast && required === undefined ? 'none' : 'auto',
    isLast,
    ...(sent.length === 0 ? {} : { sent }),
    ...omitUndefined({ limits }),
    ...(stream ? { stream: (soFar: string) => numberedSoFar(soFar, sources) } : {}),
  }
}

/** The result of the loop, once its last turn is one. */
function resultOf(transcript: ActorContext['transcript'], tools: ToolList, loop: ToolLoop): LoopResult | undefined {
  const turns = answerTurns(transcript.state)
  const last = turns.at(-1)
  if (last === undefined) return undefined
  const calls = toolCallsOf(last.message)
  const endings = calls.flatMap(({ name, input }, index): EndingCall[] => {
    const isOpen = tools.isEnding(name) && !last.answers.has(index)
    return isOpen ? [{ name, input, position: { turn: transcript.state.turns.length, index } }] : []
  })
  const text = textOfMessage(last.message).trim()
  const isText = hasAnswer(last) && loop.required === undefined
  const isCut = last.finishReason === 'length'
  const result = { text, endings, ...gathered(transcript, tools) }
  if (endings.length > 0 || (isText && !isCut)) return result
  const isFruitless = ({ message, finishReason }: TurnState): boolean =>
    toolCallsOf(message).length === 0 &&
    (loop.required !== undefined || textOfMessage(message).trim() === '' || finishReason === 'length')
  const isOver = turns.length >= (loop.maxTurns ?? DEFAULT_MAX_TURNS)
  if ((turns.length > 1 && turns.slice(-2).every(isFruitless)) || isOver) {
    if (isText) return { ...result, gaps: [...result.gaps, END_IS_MISSING] }
    const missing = loop.required === undefined ? 'an answer' : `a call of ${loop.required}`
    throw new TuttiError('ModelOutputInvalid', `The model did not return ${missing}.`)
  }
  return undefined
}

function gathered(
  { state, earlier, outcome }: ActorContext['transcript'],
  tools: ToolList,
): Omit<LoopResult, 'text' | 'endings'> {
  const all = [...earlier, state].flatMap(sourcesIn)
  return {
    ...gapsIn([...earlier, state].flatMap(answerTurns)),
    sources: [...new Map(all.map((source) => [source.id, source])).values()],
    calls: madeCalls(state).map(({ part, position, answer: { error, sources = [] } }) => {
      const name = tools.toolOf(part)?.tool.name ?? part.name
      const { edited, output } = outcome(position) ?? {}
      const table = tableIn(output)
      return {
        name,
        input: edited ?? inputOf(part),
        ids: sources.map(({ id }) => id!),
        ...omitUndefined({ error, table }),
      }
    }),
  }
}

/** Text is the answer unless calls go with it; `report_gap` may. It may be cut off. */
function hasAnswer({ message }: TurnState): boolean {
  return textOfMessage(message).trim() !== '' && toolCallsOf(message).every(({ name }) => name === REPORT_GAP)
}

/** Gaps of the last turn that reported any, since the model's previous answer. */
function gapsIn(turns: readonly TurnState[]): Pick<LoopResult, 'gaps' | 'hasReported'> {
  const isAnswer = (turn: TurnState): boolean => hasAnswer(turn) && turn.finishReason !== 'length'
  const since = turns.slice(turns.slice(0, -1).findLastIndex(isAnswer) + 1)
  const reported = since.map(({ message }) => toolCallsOf(message).filter(({ name }) => name === REPORT_GAP))
  const last = reported.findLast(({ length }) => length > 0) ?? []
  const gaps = last
    .map(({ input: { missing, reason } }) => ({ missing: String(missing ?? ''), reason: String(reason ?? '') }))
    .filter(({ missing }) => missing !== '')
  return { gaps, hasReported: last.length > 0 }
}

function madeCalls({ turns }: TranscriptState) {
  return turns.flatMap(({ message, answers }, at) =>
    toolCallsOf(message).flatMap((part, index) => {
      const answer = answers.get(index)
      return answer === undefined || part.name === REPORT_GAP
        ? []
        : [{ part, position: { turn: at + 1, index }, answer }]
    }),
  )
}
