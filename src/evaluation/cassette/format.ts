import { z } from 'zod'
import type { Agent } from '../../domain/actor.ts'
import { TuttiError, type ErrorInfo } from '../../domain/errors.ts'
import type { ApprovalDecision, EventBody } from '../../domain/events.ts'
import type { Recollection } from '../../domain/conversation.ts'
import type { Provenance } from '../../domain/provenance.ts'
import type { RunRequest } from '../../domain/request.ts'
import type { Result } from '../../domain/result.ts'
import type { Usage } from '../../domain/usage.ts'

/** A run that can be replayed without its models and sources. Format: docs/evaluation.md. */
export interface Cassette {
  readonly version: 1
  /** Start of the run, ISO 8601. The clock of a replay is fixed at this time. */
  readonly at: string
  readonly request: RunRequest
  readonly recollection?: Recollection
  /** Provenance of the request. */
  readonly provenance?: Provenance
  /** Tokens of a prompt and its reply, by `provider:model`. */
  readonly contextWindows: Readonly<Record<string, number>>
  readonly agents: readonly AgentRecord[]
  /** In the order in which they were started. */
  readonly jobs: readonly JobRecord[]
  readonly outcome: CassetteOutcome
}

/** Result of the run. */
export interface CassetteOutcome {
  readonly status: string
  readonly answer: string
  readonly isAnswered: boolean
  readonly unanswered: readonly string[]
}

/** The declaration of an agent as planners and the assistant see it, without functions. */
export type AgentRecord = Omit<Agent, 'run' | 'toolkit' | 'holds' | 'createTools' | 'worksAnyway' | 'output'>

export interface JobRecord {
  readonly key: string
  readonly actor: string
  /** The part of the system prompt that comes from the toolkits of agents. */
  readonly toolkit?: string
  /** System prompt, turns and results as the model read them; without provider metadata. */
  readonly transcript: readonly TranscriptRecord[]
  readonly calls: readonly CallRecord[]
  readonly prompts: readonly PromptRecord[]
  readonly decisions: readonly DecisionRecord[]
  /** Absent if the run ended before the job did. */
  readonly result?: Result
}

type TranscriptEventType = 'transcript.started' | 'turn.finished' | 'call.answered' | 'transcript.compacted'
export type TranscriptRecord = WithoutKey<Extract<EventBody, { readonly type: TranscriptEventType }>>
type WithoutKey<E> = E extends unknown ? Omit<E, 'key' | 'secrets'> : never

/** A tool call and its output. */
export interface CallRecord {
  readonly tool: string
  /** Index of the turn and of the call within it; absent for calls that an actor made without a model. */
  readonly position?: { readonly turn: number; readonly index: number }
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: ErrorInfo
}

/** A prompt of a role and its reply. */
export interface PromptRecord {
  readonly name: string
  readonly input?: unknown
  /** Text of the prompt; added by the first replay, which is part of the export. */
  text?: string
  readonly output?: unknown
  readonly error?: ErrorInfo
  readonly by?: 'model' | 'fallback'
  readonly reason?: string
  /** The last value of a `fallback` that matched the schema. */
  readonly refused?: unknown
  readonly model?: string
  readonly usage?: Usage
}

/** A decision or an answer of the user. */
export interface DecisionRecord {
  readonly tool: string
  readonly decision: ApprovalDecision
  readonly instructions?: string
}

const object = z.looseObject({})
const cassetteSchema = z.looseObject({
  version: z.literal(1),
  at: z.iso.datetime(),
  request: z.looseObject({ question: z.string(), strategy: z.string() }),
  contextWindows: z.record(z.string(), z.number()),
  agents: z.array(z.looseObject({ name: z.string() })),
  jobs: z.array(
    z.looseObject({
      key: z.string(),
      actor: z.string(),
      transcript: z.array(z.looseObject({ type: z.string() })),
      calls: z.array(z.looseObject({ tool: z.string() })),
      prompts: z.array(z.looseObject({ name: z.string() })),
      decisions: z.array(object),
    }),
  ),
  outcome: z.looseObject({ status: z.string(), answer: z.string() }),
})

/** @param file name for messages @throws TuttiError `InvalidRequest` if the text is not a cassette of version 1 */
export function parseCassette(text: string, file: string): Cassette {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new TuttiError('InvalidRequest', `${file} is not JSON: ${(error as Error).message}`)
  }
  const parsed = cassetteSchema.safeParse(value)
  if (parsed.success) return parsed.data as unknown as Cassette
  const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue]
  const hint = 'Export the run again: "tutti runs export RUN --cassette FILE".'
  throw new TuttiError('InvalidRequest', `${file} is no cassette of version 1: ${path.join('.')}: ${message}. ${hint}`)
}
