import { TuttiError } from '../../domain/errors.ts'
import { handleOf, transcriptMessages, type CallAnswer, type TranscriptState } from '../../domain/transcript.ts'
import { reduceTranscript } from '../../domain/reduce-transcript.ts'
import { toolCallsOf, type ToolCallPart, type TranscriptHead } from '../../domain/turn.ts'
import { stableJson } from '../../shared/json.ts'
import { messagesText } from './difference.ts'
import type { CallRecord, Cassette, JobRecord, PromptRecord, TranscriptRecord } from './format.ts'

export type TurnRecord = Extract<TranscriptRecord, { readonly type: 'turn.finished' }>

/** A recorded turn with its prompt. */
export interface TapedTurn {
  readonly head: TranscriptHead
  /** Messages that were sent, as text. */
  readonly messages: string
  readonly turn: TurnRecord
}

/** A recorded tool call, its output, and the result that the model read. */
export interface TapedCall {
  readonly key: string
  readonly part: ToolCallPart
  readonly position: { readonly turn: number; readonly index: number }
  /** Handle with which the model reads more of the result. */
  readonly handle: string
  readonly made?: CallRecord
  readonly answer: CallAnswer
}

interface TapedJob {
  readonly record: JobRecord
  readonly turns: readonly TapedTurn[]
  readonly calls: readonly TapedCall[]
  readonly head?: TranscriptHead
}

/** Records of a cassette by job and position, and which of them the replay has used. */
export class Tape {
  readonly cassette: Cassette
  private readonly jobs: ReadonlyMap<string, TapedJob>
  private readonly usedTurns = new Map<string, number>()
  private readonly used = new Set<PromptRecord | CallRecord>()

  /** @throws TuttiError `StorageError` if the turns are inconsistent */
  constructor(cassette: Cassette) {
    this.cassette = cassette
    const transcripts = new Map<string, TranscriptState>()
    this.jobs = new Map(cassette.jobs.map((record) => [record.key, taped(record, transcripts)]))
  }

  get models(): readonly string[] {
    return [...this.jobs.values()].flatMap(({ record, turns }) => [
      ...turns.flatMap(({ turn }) => turn.model ?? []),
      ...record.prompts.flatMap(({ model }) => model ?? []),
    ])
  }

  job(key: string): JobRecord | undefined {
    return this.jobs.get(key)?.record
  }

  /** System prompt of the job, or else of another job of the same actor. */
  headOf(key: string, actor: string): TranscriptHead | undefined {
    const own = this.jobs.get(key)?.head
    return own ?? [...this.jobs.values()].find(({ record, head }) => record.actor === actor && head !== undefined)?.head
  }

  /** Toolkit text in the system prompt of the job, or of the job that it continues. */
  toolkitOf(actor: string, key: string): string {
    const records = this.cassette.jobs.filter((job) => job.actor === actor && job.toolkit !== undefined)
    return (records.find((job) => job.key === key) ?? records[0])?.toolkit ?? ''
  }

  /** Declarations of the agents in the first prompt of a planner's or supervisor's job; empty without one. */
  offered(key: string): string {
    const { agents = '' } = (this.job(key)?.prompts[0]?.input ?? {}) as { readonly agents?: string }
    return agents
  }

  /** Next turn of a job, and its number from 1. */
  nextTurn(key: string): { readonly number: number; readonly taped?: TapedTurn } {
    const number = (this.usedTurns.get(key) ?? 0) + 1
    this.usedTurns.set(key, number)
    const taped = this.jobs.get(key)?.turns[number - 1]
    return taped === undefined ? { number } : { number, taped }
  }

  /** Next record of a prompt in a job: the one with the same input, or else the next with its name. */
  nextPrompt(key: string, name: string, input: unknown): PromptRecord | undefined {
    const open = (this.job(key)?.prompts ?? []).filter((one) => one.name === name && !this.used.has(one))
    const found = open.find((one) => isSame(one.input, input)) ?? open[0]
    if (found !== undefined) this.used.add(found)
    return found
  }

  /** Calls of a job with a recorded result, in the order of their results. */
  callsOf(key: string): readonly TapedCall[] {
    return this.jobs.get(key)?.calls ?? []
  }

  /** The recorded call at a position. */
  callAt(key: string, position: TapedCall['position']): TapedCall | undefined {
    return this.callsOf(key).find((one) => one.position.turn === position.turn && one.position.index === position.index)
  }

  /** A recorded call of the same tool with the same input; prefers calls of this job. */
  sameCall(key: string, tool: string, input: unknown): TapedCall | undefined {
    const all = [...this.callsOf(key), ...[...this.jobs.values()].flatMap(({ calls }) => calls)]
    return all.find(({ part }) => {
      const isUse = part.name === 'use_tool'
      const name = isUse ? String(part.input['name']) : part.name
      return name === wireName(tool) && isSame(isUse ? part.input['input'] : part.input, input)
    })
  }

  /** A call that an actor made without a model turn. */
  ownCall(key: string, tool: string, input: unknown): CallRecord | undefined {
    const open = (this.job(key)?.calls ?? []).filter((one) => {
      return one.position === undefined && one.tool === tool && !this.used.has(one)
    })
    const found = open.find((one) => isSame(one.input, input)) ?? open[0]
    if (found !== undefined) this.used.add(found)
    return found
  }

  /** Recorded turns and prompts that the replay did not request. */
  unused(): readonly { readonly key: string; readonly what: string }[] {
    return [...this.jobs.values()].flatMap(({ record, turns }) => {
      const { key } = record
      const used = this.usedTurns.get(key) ?? 0
      return [
        ...turns.slice(used).map((_turn, at) => ({ key, what: `turn ${used + at + 1}` })),
        ...record.prompts.filter((one) => !this.used.has(one)).map(({ name }) => ({ key, what: `prompt ${name}` })),
      ]
    })
  }
}

function taped(record: JobRecord, transcripts: Map<string, TranscriptState>): TapedJob {
  const { key } = record
  const turns: TapedTurn[] = []
  for (const one of record.transcript) {
    const before = transcripts.get(key)
    if (one.type === 'turn.finished') {
      if (before === undefined) throw new TuttiError('StorageError', `The cassette has no head for the job "${key}".`)
      const { head } = before
      const messages = [...head.messages, ...transcriptMessages(before, transcripts), ...(one.sent ?? [])]
      turns.push({ head, messages: messagesText(messages), turn: one })
    }
    transcripts.set(key, reduceTranscript(before, { ...one, key }, 1, transcripts))
  }
  const transcript = transcripts.get(key)
  if (transcript === undefined) return { record, turns, calls: [] }
  const calls = transcript.turns.flatMap(({ message, answers }, at) => {
    const parts = toolCallsOf(message)
    return [...answers.keys()].map((index): TapedCall => {
      const part = parts[index]!
      const position = { turn: at + 1, index }
      const handle = handleOf(transcript, position)
      const call = record.calls.find((one) => one.position?.turn === at + 1 && one.position.index === index)
      const answer = answers.get(index)!
      return { key, part, position, handle, answer, ...(call && { made: call }) }
    })
  })
  return { record, turns, calls, head: transcript.head }
}

function wireName(tool: string): string {
  return tool.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64)
}

function isSame(a: unknown, b: unknown): boolean {
  return stableJson(a) === stableJson(b)
}
