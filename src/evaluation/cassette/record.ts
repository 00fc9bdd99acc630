import type { Agent } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { RunEvent } from '../../domain/events.ts'
import { omitUndefined } from '../../shared/json.ts'
import { responseOf } from '../../domain/response.ts'
import { fold, isOver, type JobState, type RunState } from '../../domain/state.ts'
import type { AssistantMessage, TranscriptHead } from '../../domain/turn.ts'
import type {
  AgentRecord,
  CallRecord,
  Cassette,
  CassetteOutcome,
  DecisionRecord,
  JobRecord,
  PromptRecord,
  TranscriptRecord,
} from './format.ts'

export interface RecordOptions {
  /** All agents that the user of the run may use. */
  readonly agents: readonly Agent[]
  /** Actors whose jobs are not part of the answer. */
  readonly leftOut: ReadonlySet<string>
  readonly contextWindow: (ref: string) => number | undefined
  /** The part of the system prompt that comes from toolkits. @throws TuttiError if it cannot be determined */
  readonly toolkitIn: (job: JobState, head: TranscriptHead, state: RunState) => string | undefined
}

/**
 * Records a run as a cassette.
 * @throws TuttiError `RunConflict` if the run has not ended; `InvalidRequest` if it used no model, or the user changed
 * it while it was running
 */
export function cassetteOf(events: readonly RunEvent[], options: RecordOptions): Cassette {
  const state = fold(events)
  assertRecordable(events, state)
  const { request, recollection, provenance, startedAt } = state
  const jobs = [...state.jobs.values()].filter(({ actor }) => !options.leftOut.has(actor))
  const models = [...new Set(events.flatMap((event) => ('model' in event && event.model ? [event.model] : [])))]
  const windows = models.flatMap((ref) => {
    const tokens = options.contextWindow(ref)
    return tokens === undefined ? [] : [[ref, tokens] as const]
  })
  return {
    version: 1,
    at: startedAt,
    request,
    ...omitUndefined({ recollection, provenance }),
    contextWindows: Object.fromEntries(windows),
    agents: options.agents.map(agentRecord),
    jobs: jobs.map((job) => jobRecord(job, state, events, options)),
    outcome: cassetteOutcome(events),
  }
}

/** The parts of a run's result that a replay compares. */
export function cassetteOutcome(events: readonly RunEvent[]): CassetteOutcome {
  const { answer, metadata } = responseOf(events)
  const { status, isAnswered, unanswered } = metadata
  return { status, answer, isAnswered, unanswered }
}

function assertRecordable(events: readonly RunEvent[], state: RunState): void {
  if (!isOver(state)) throw new TuttiError('RunConflict', 'The run has not ended yet. Export it when it has.')
  if (!events.some((event) => event.type === 'turn.finished' || (event.type === 'call.finished' && event.model))) {
    throw new TuttiError('InvalidRequest', 'The run used no model, so there is nothing to replay.')
  }
  const isChanged = events.some(({ type, ...event }) => {
    return (
      type === 'user.said' || type === 'run.cancelling' || (type === 'plan.set' && 'by' in event && event.by === 'user')
    )
  })
  if (isChanged) {
    throw new TuttiError(
      'InvalidRequest',
      'The user changed the run while it was running, which a replay cannot repeat.',
    )
  }
}

function agentRecord({ output: _schema, ...agent }: Agent): AgentRecord {
  return JSON.parse(JSON.stringify({ ...agent, ...omitUndefined({ unavailable: agent.unavailable }) })) as AgentRecord
}

function jobRecord(
  job: JobState,
  state: RunState,
  events: readonly RunEvent[],
  { toolkitIn }: RecordOptions,
): JobRecord {
  const own = events.filter((event) => 'key' in event && event.key === job.key)
  const head = own.flatMap((event) => (event.type === 'transcript.started' ? (event.head ?? []) : []))[0]
  return {
    key: job.key,
    actor: job.actor,
    ...omitUndefined({ toolkit: head && toolkitIn(job, head, state) }),
    transcript: own.flatMap(transcriptRecord),
    calls: own.flatMap((event) => callRecord(event, own)),
    prompts: own.flatMap(promptRecord),
    decisions: own.flatMap((event) => decisionRecord(event, events)),
    ...omitUndefined({ result: job.result }),
  }
}

function transcriptRecord(event: RunEvent): readonly TranscriptRecord[] {
  const { runId: _run, seq: _seq, at: _at, v: _v, secrets: _secrets, ...body } = event
  switch (body.type) {
    case 'turn.finished': {
      const { key: _key, reply, ...rest } = body
      return [{ ...rest, ...omitUndefined({ reply: reply && unsealed(reply) }) }]
    }
    case 'transcript.started':
    case 'call.answered':
    case 'transcript.compacted': {
      const { key: _key, ...rest } = body
      return [rest]
    }
    default:
      return []
  }
}

/** Removes provider metadata. */
function unsealed(message: AssistantMessage): AssistantMessage {
  const parts = message.parts.map(({ providerMetadata: _sealed, ...part }) => part)
  return { ...message, parts: parts as AssistantMessage['parts'] }
}

function callRecord(event: RunEvent, own: readonly RunEvent[]): readonly CallRecord[] {
  if (event.type === 'call.finished' && event.kind === 'tool') {
    const { name, path, input, output, error } = event
    return [{ tool: name, ...positionIn(path), ...omitUndefined({ input, output, error }) }]
  }
  if (event.type !== 'effect.done') return []
  const intended = own.findLast((one) => one.type === 'effect.intended' && one.path === event.path)
  if (intended?.type !== 'effect.intended') return []
  const { path, output, error } = event
  return [{ tool: intended.tool, ...positionIn(path), ...omitUndefined({ input: intended.payload, output, error }) }]
}

function positionIn(path: string): Pick<CallRecord, 'position'> {
  const [, turn, index] = /@(\d+)\.(\d+)$/.exec(path) ?? []
  return turn === undefined ? {} : { position: { turn: Number(turn), index: Number(index) } }
}

function promptRecord(event: RunEvent): readonly PromptRecord[] {
  if (event.type !== 'call.finished' || event.kind !== 'model') return []
  const { name, input, output, refused, error, by, reason, model, usage } = event
  return [{ name, ...omitUndefined({ input, output, refused, error, by, reason, model, usage }) }]
}

function decisionRecord(event: RunEvent, events: readonly RunEvent[]): readonly DecisionRecord[] {
  if (event.type !== 'approval.requested') return []
  const decided = events.find((one) => one.type === 'approval.decided' && one.approvalId === event.approvalId)
  if (decided?.type !== 'approval.decided') return []
  const { decision, instructions } = decided
  return [{ tool: event.tool, decision, ...omitUndefined({ instructions }) }]
}
