import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { ModelCallOptions, ModelPort } from '../../domain/model.ts'
import {
  transcriptMessages,
  openCalls,
  transcriptKeys,
  type CallAnswer,
  type CallPosition,
  type Compaction,
  type TranscriptState,
  type TurnState,
} from '../../domain/transcript.ts'
import type { TranscriptOpening, TurnSettings } from '../../domain/transcript-port.ts'
import { textOfMessage, toolCallsOf, type AssistantMessage, type TurnRequest } from '../../domain/turn.ts'
import { expireApprovals } from '../approvals/approvals.ts'
import { loggedError, plainCopy } from '../log/plain-json.ts'
import type { CallSite } from './call-site.ts'

const MODEL_IS_GONE =
  'This run was begun with a language model, and none is configured now. Configure one, and start the run again.'
const NO_RESULT = 'The job ended before this call had a result.'
const ENDED_JOB = 'Taken as the result of the job.'

/**
 * `provider:model` for the turns of this job; undefined where none is configured.
 * @throws TuttiError `ModelUnavailable` if a model has answered in this run and none is configured now
 */
export async function turnModel({ call }: CallSite): Promise<string | undefined> {
  const { host, actor } = call
  if (host.models.turn === undefined) {
    if (host.state.usage.calls > 0) throw new TuttiError('ModelUnavailable', MODEL_IS_GONE)
    return undefined
  }
  return host.models.modelOf?.({ actor: actor.name, models: host.state.request.models })
}

/** Starts the transcript of the job, or returns the one that an earlier attempt or process started. */
export async function openTranscript(
  site: CallSite,
  begin: () => TranscriptOpening | Promise<TranscriptOpening>,
): Promise<TranscriptState> {
  const { host, job } = site.call
  const begun = host.state.transcripts.get(job.key)
  if (begun !== undefined) return begun
  const { continues, answers = [], provenance, ...head } = await begin()
  site.attempt.assertAlive()
  site.call.addLabels(provenance)
  const earlier = continues === undefined ? undefined : host.state.transcripts.get(continues)
  const started = { type: 'transcript.started', key: job.key, ...omitUndefined({ provenance }) } as const
  if (continues === undefined || earlier === undefined) {
    // The order of tools is part of the prompt's prefix, so it must not depend on who lists them.
    const tools = head.tools.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    host.push({ ...started, head: plainCopy({ ...head, tools }, `The prompt of ${job.key}`) })
  } else {
    const known = new Map(answers)
    const isDone = host.state.jobs.get(continues)?.result?.status === 'succeeded'
    const text = isDone ? ENDED_JOB : NO_RESULT
    const open = openCalls(earlier).map(({ index }) => [index, known.get(index) ?? { text }] as const)
    host.push({ ...started, continues, answers: open })
  }
  return transcriptOf(site)
}

/** @throws TuttiError `Internal` before it was opened */
export function transcriptOf({ call: { host, job } }: CallSite): TranscriptState {
  const transcript = host.state.transcripts.get(job.key)
  if (transcript === undefined) throw new TuttiError('Internal', `The transcript of "${job.key}" was not opened.`)
  return transcript
}

/**
 * The next turn of the transcript, within the budget. If a restart repeats an attempt, turns that failed in it fail
 * again with their recorded errors.
 * @throws TuttiError `Internal` while a call of the previous turn has no result; errors of `ModelPort.turn`
 */
export async function takeTurn(site: CallSite, settings: TurnSettings): Promise<TurnState> {
  const { call, attempt } = site
  const { host, job } = call
  const transcript = transcriptOf(site)
  const { failed, head, turns } = transcript
  const replayed = failed?.attempt === attempt.number ? failed.errors[attempt.failedTurns] : undefined
  if (replayed !== undefined) {
    attempt.failedTurns++
    throw TuttiError.fromInfo(replayed)
  }
  if (openCalls(transcript).length > 0) {
    throw new TuttiError('Internal', `A call of turn ${turns.length} of "${job.key}" has no result yet.`)
  }
  const sent = settings.sent ?? []
  const request: TurnRequest = {
    name: call.actor.name,
    head,
    messages: [...transcriptMessages(transcript, host.state.transcripts), ...sent],
    toolChoice: settings.toolChoice,
    ...settings.limits,
  }
  const provenance = call.provenance
  const entry = { type: 'turn.finished', key: job.key, turn: turns.length + 1, provenance } as const
  const { purpose } = settings
  const news = { ...(sent.length === 0 ? {} : { sent }), ...omitUndefined({ purpose }) }
  const startedAt = host.clock.now()
  const ledger = host.budget.open({ key: job.key, isLast: settings.isLast === true })
  try {
    const { message, ...how } = await ask(host.models, request, optionsOf(site, settings, ledger.reserve))
    attempt.assertAlive()
    const reply = plainCopy(settings.toolChoice === 'none' ? withoutCalls(message) : message, `The reply to ${job.key}`)
    host.push({ ...entry, ...news, reply, ...how, latencyMs: host.clock.now() - startedAt })
    if (settings.stream !== undefined && toolCallsOf(reply).length > 0) host.pauseAnswer()
    attempt.failedTurns = 0
    call.recordUsage(how.usage, how.requests, how.model)
  } catch (thrown) {
    // Requests count as usage even if nothing waits for their answer any longer.
    const { calls: requests, ...usage } = ledger.used
    if (!attempt.isOver || requests > 0) {
      host.push({ ...entry, error: loggedError(thrown), requests, usage, latencyMs: host.clock.now() - startedAt })
      call.recordUsage(usage, requests, undefined)
      attempt.failedTurns++
    }
    throw thrown
  } finally {
    ledger.close()
  }
  return transcriptOf(site).turns.at(-1)!
}

/** Some models call tools although none may be called. */
function withoutCalls(message: AssistantMessage): AssistantMessage {
  return { ...message, parts: message.parts.filter(({ type }) => type !== 'tool-call') }
}

function ask(models: ModelPort, request: TurnRequest, options: ModelCallOptions) {
  if (models.turn === undefined) throw new TuttiError('ModelUnavailable', 'No model is configured.')
  return models.turn(request, options)
}

function optionsOf(
  { call, attempt }: CallSite,
  { stream }: TurnSettings,
  reserve: ModelCallOptions['reserve'],
): ModelCallOptions {
  const { host, job, actor } = call
  const { leftMs } = attempt
  const onText = (text: string, offset: number): void => {
    if (!attempt.isOver) host.streamAnswer(job.key, text, offset, stream)
  }
  return {
    actor: actor.name,
    job: job.key,
    models: host.state.request.models,
    signal: attempt.signal,
    reserve,
    ...omitUndefined({ withinMs: leftMs }),
    ...(stream === undefined ? {} : { onText }),
  }
}

/** Records the result of a call as given to the model, once per call. */
export function answerCall(site: CallSite, position: CallPosition, answer: CallAnswer): void {
  site.attempt.assertAlive()
  const { host, job } = site.call
  const turn = transcriptOf(site).turns[position.turn - 1]
  const part = turn === undefined ? undefined : toolCallsOf(turn.message)[position.index]
  if (part === undefined) throw new TuttiError('Internal', `"${job.key}" has no call at ${JSON.stringify(position)}.`)
  if (turn?.answers.has(position.index) === true) return
  expireApprovals(site.call, position)
  host.push({ type: 'call.answered', key: job.key, name: part.name, ...position, ...plainCopy(answer, 'A result') })
}

export function earlierTranscripts({ call: { host, job } }: CallSite): readonly TranscriptState[] {
  const { transcripts } = host.state
  return transcriptKeys(job.key, transcripts)
    .slice(0, -1)
    .map((key) => transcripts.get(key)!)
}

/** Of ports that do not say how many tokens their models take. */
const DEFAULT_CONTEXT_WINDOW = 32_000

export async function contextWindowOf(site: CallSite): Promise<number> {
  const model = await turnModel(site)
  const known = model === undefined ? undefined : site.call.host.models.contextWindow?.(model)
  return known ?? DEFAULT_CONTEXT_WINDOW
}

/** Replaces results of earlier turns in requests to the model, from the next turn on. */
export function compact(site: CallSite, compaction: Compaction): void {
  site.attempt.assertAlive()
  site.call.host.push({ type: 'transcript.compacted', key: site.call.job.key, ...compaction })
}

/**
 * Additions of the user to the request that no turn has received yet, in this transcript or in continued ones.
 */
export function newUserMessages(site: CallSite): readonly string[] {
  const { said } = site.call.host.state
  if (said.length === 0) return said
  const transcripts = [...earlierTranscripts(site), transcriptOf(site)]
    .flatMap(({ turns }) => turns.flatMap(({ sent }) => sent))
    .map(textOfMessage)
  return said.filter((text) => {
    const at = transcripts.indexOf(text)
    if (at >= 0) transcripts.splice(at, 1)
    return at < 0
  })
}
