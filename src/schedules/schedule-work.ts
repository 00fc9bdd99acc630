import type { Clock } from '../shared/clock.ts'
import { Poller } from '../shared/poller.ts'
import type { ConversationStore } from '../domain/conversation.ts'
import { toTuttiError, TuttiError } from '../domain/errors.ts'
import type { RunId } from '../domain/events.ts'
import type { UserRuns } from '../domain/user-runs.ts'
import { outsideData, type Provenance } from '../domain/provenance.ts'
import type { RequestInput } from '../domain/request.ts'
import type { RunResponse } from '../domain/response.ts'
import type { HttpClient } from '../http/client.ts'
import type { Schedules } from './schedules.ts'
import type { Firing, Schedule } from './types.ts'
import { signed } from './signature.ts'

/** Dependencies of `ScheduleWork`. */
export interface WorkParts extends UserRuns {
  readonly schedules: Schedules
  readonly clock: Clock
  readonly conversations: ConversationStore
  /** HTTP client for webhooks. */
  readonly http: HttpClient
  readonly onError: (error: TuttiError) => void
}

const POLL_INTERVAL_MS = 2_000
/** Lease of a step, after which another worker takes it over, and backoff: it doubles with each attempt. */
const FIRST_RETRY_MS = 60_000
const MAX_RETRY_MS = 6 * 3_600_000
/** The last attempt is eight and a half hours after the first. */
const MAX_ATTEMPTS = 10
const MAX_CONCURRENT = 20
/** Scheduled runs wait longer for an approval, since no user is present. */
const APPROVAL_TIMEOUT_MS = 24 * 3_600_000
/** Name of the context entry with the payload of a program. */
const MESSAGE = 'message'

/**
 * Works through firings step by step. Each step is stored before the next one begins and can be repeated, so that a
 * crash neither loses nor duplicates work. Only a webhook message may be sent twice, with the same ID.
 */
export class ScheduleWork extends Poller {
  private readonly parts: WorkParts

  constructor(parts: WorkParts) {
    const { clock, onError } = parts
    super({ clock, intervalMs: POLL_INTERVAL_MS, onError: (thrown) => onError(toTuttiError(thrown)) })
    this.parts = parts
  }

  /** Works on a firing as far as possible now. */
  async advance(runId: RunId): Promise<void> {
    for (const firing of await this.parts.schedules.listOpen(runId)) await this.step(firing)
  }

  protected override async poll(): Promise<void> {
    const { schedules } = this.parts
    await schedules.fireDue()
    for (const firing of await schedules.listOpen()) {
      if (this.signal.aborted) return
      const { runId, status } = firing
      if (status === 'running') await this.step(firing)
      else if (this.size < MAX_CONCURRENT && !this.has(runId)) {
        this.run(runId, () => this.step(firing))
      }
    }
  }

  /** A firing whose schedule was deleted meanwhile is deleted, too. */
  private async step(firing: Firing): Promise<void> {
    const { schedules, onError } = this.parts
    try {
      const schedule = await this.scheduleOf(firing)
      if (schedule === undefined) return await schedules.forget(firing)
      if (firing.status === 'running') return await this.finish(firing, schedule)
      const wait = Math.min(FIRST_RETRY_MS * 2 ** firing.tries, MAX_RETRY_MS)
      if (!(await schedules.attempt(firing, this.parts.clock.now() + wait))) return
      const claimed = { ...firing, tries: firing.tries + 1 }
      await (firing.status === 'due' ? this.start(claimed, schedule) : this.send(claimed, schedule))
    } catch (thrown) {
      onError(toTuttiError(thrown))
    }
  }

  private async scheduleOf({ owner, scheduleId }: Firing): Promise<Schedule | undefined> {
    try {
      return await this.parts.schedules.get(owner, scheduleId)
    } catch (thrown) {
      if (TuttiError.is(thrown, 'NotFound')) return undefined
      throw thrown
    }
  }

  private async start(firing: Firing, schedule: Schedule): Promise<void> {
    const { schedules, refusal, start } = this.parts
    const { owner, runId } = firing
    const refused = await refusal(owner)
    if (refused !== undefined) {
      await this.notifyRefusal(firing, schedule, refused)
      return void (await schedules.settle(firing, 'refused', refused))
    }
    const body = await schedules.payloadOf(firing)
    try {
      await start(
        owner,
        requestOf(schedule, body),
        runId,
        body === undefined ? {} : { provenance: hookProvenance(schedule) },
      )
    } catch (thrown) {
      const error = toTuttiError(thrown)
      if (error.code !== 'RunConflict') return this.refuse(firing, schedule, error)
    }
    await schedules.settle(firing, 'running')
  }

  private async refuse(firing: Firing, schedule: Schedule, error: TuttiError): Promise<void> {
    const isPassing = error.retryable || error.code === 'StorageError' || error.code === 'Internal'
    // It is tried again later.
    if (isPassing && firing.tries < MAX_ATTEMPTS) throw error
    await this.notifyRefusal(firing, schedule, error.message)
    await this.parts.schedules.settle(firing, schedule.webhook === undefined ? 'refused' : 'sending', error.message)
  }

  /**
   * Puts a refusal into the inbox only if its reason changed, so that a schedule that runs every minute does not fill
   * it. The list of firings has every refusal.
   */
  private async notifyRefusal(firing: Firing, schedule: Schedule, why: string): Promise<void> {
    const { owner, scheduleId, runId } = firing
    const otherFirings = (await this.parts.schedules.listFirings(owner, scheduleId)).filter(
      (one) => one.runId !== runId,
    )
    const notified = otherFirings.find(({ status, note }) => status === 'done' || note !== undefined)
    if (notified?.note !== why) await this.addToInbox(firing, schedule, why)
  }

  private async finish(firing: Firing, schedule: Schedule): Promise<void> {
    const { schedules, outcome } = this.parts
    const response = await outcome(firing.owner, firing.runId)
    if (response === 'running') return
    if (response !== 'none') await this.addToInbox(firing, schedule, response.error?.message)
    const left = response === 'none' ? undefined : openParts(response)
    const end = left === undefined ? 'done' : 'unanswered'
    await schedules.settle(firing, schedule.webhook === undefined || response === 'none' ? end : 'sending', left)
  }

  /** The ID of the conversation is that of its run. @param why it has no answer */
  private async addToInbox({ owner, runId }: Firing, schedule: Schedule, why?: string): Promise<void> {
    const { conversations, clock } = this.parts
    const { request } = schedule
    const at = clock.now()
    if (why !== undefined) {
      const { question } = request
      await conversations.open(owner, { conversationId: runId, title: question.slice(0, 80), createdAt: at })
      const provenance = outsideData('a run that failed')
      await conversations.addTurn(owner, { conversationId: runId, runId, question, answer: why, provenance, at })
    }
    await conversations.change(owner, runId, { newAt: at })
  }

  private async send(firing: Firing, schedule: Schedule): Promise<void> {
    const { schedules, clock, http, outcome } = this.parts
    const { owner, runId, scheduleId, dueAt, note } = firing
    const { webhook: secret } = await schedules.secretsOf(scheduleId)
    const response = await outcome(owner, runId)
    const result = typeof response === 'string' ? { error: { message: note ?? 'The run was erased.' } } : { response }
    const body = JSON.stringify({ scheduleId, runId, dueAt: new Date(dueAt).toISOString(), ...result })
    const headers = { 'content-type': 'application/json', ...signed(secret!, runId, clock.now(), body) }
    const url = schedule.webhook!
    const { signal } = this
    const sent = { method: 'POST', url, headers, body, maxBytes: 10_000, followsRedirects: false, signal }
    const problem = await http.request(sent).then(
      ({ status }) => (status < 300 ? undefined : `status ${status}`),
      (thrown: unknown) => toTuttiError(thrown).message,
    )
    const left = 'response' in result ? openParts(result.response) : undefined
    const end = !('response' in result) ? 'refused' : left === undefined ? 'done' : 'unanswered'
    if (problem === undefined) return void (await schedules.settle(firing, end, note))
    if (signal.aborted) return
    const message = `The webhook did not take the answer: ${problem}.`.replace(/\.\.$/, '.')
    if (firing.tries >= MAX_ATTEMPTS) return void (await schedules.settle(firing, 'undelivered', message))
    await schedules.recordFailure(firing, message)
    throw new TuttiError('HttpRequestError', message)
  }
}

/** Which parts of the question a run did not answer. The conversation has the reasons. */
function openParts({ error, metadata }: RunResponse): string | undefined {
  const { isAnswered, unanswered } = metadata
  if (error !== undefined) return error.message
  if (isAnswered && unanswered.length === 0) return undefined
  return unanswered.length === 0
    ? 'Not answered.'
    : `Not answered: ${unanswered.map((part) => `“${part}”`).join(', ')}.`
}

/** The payload of a program is untrusted, and so is the request that contains it. */
function hookProvenance({ scheduleId }: Schedule): Provenance {
  return outsideData(`the payload of hook ${scheduleId}`)
}

function requestOf({ request }: Schedule, body: string | undefined): RequestInput {
  return {
    ...request,
    ...(body === undefined ? {} : { context: { ...request.context, [MESSAGE]: body } }),
    approvalTimeoutMs: APPROVAL_TIMEOUT_MS,
  }
}
