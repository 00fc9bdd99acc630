import type { Clock } from '../shared/clock.ts'
import type { ModelRef, Timeouts } from './config.ts'
import type { AskTarget } from './attempts.ts'
import { requestModel, type ModelRequest } from './request.ts'

export interface ModelCheck {
  readonly provider: string
  /** Absent when the provider does not say which models it has. */
  readonly model?: string
  readonly ok: boolean
  readonly latencyMs: number
  /** The message for the user: `answers`, or the problem. */
  readonly message: string
}

/** A few tokens; room enough for providers that have a lower limit. */
const PROBE: Omit<ModelRequest, 'quirks'> = {
  name: 'doctor.probe',
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Reply with the word: ok' }] }],
  maxOutputTokens: 16,
  temperature: undefined,
  schema: undefined,
  onText: undefined,
}

/**
 * Makes one small real request to test key, address and model name. It is repeated only without features that the
 * server refuses, and does not count towards a budget.
 */
export async function checkModel(
  ref: ModelRef,
  resolving: Promise<AskTarget | { readonly reason: string }>,
  io: { readonly clock: Clock; readonly timeouts: Timeouts; readonly signal: AbortSignal },
): Promise<ModelCheck> {
  const startedAt = io.clock.now()
  const provider = ref.provider.name
  const target = await resolving
  const report = (ok: boolean, message: string): ModelCheck => ({
    provider,
    ...('reason' in target ? {} : { model: target.model }),
    ok,
    latencyMs: io.clock.now() - startedAt,
    message,
  })
  if ('reason' in target) return report(false, target.reason)
  const { clock, timeouts, signal } = io
  const limits = { ...timeouts, leftMs: timeouts.answerMs }
  const quirks = new Set(target.quirks)
  let sent = await requestModel({ ...PROBE, quirks }, target, { clock, signal, limits })
  while (sent.failure?.refused !== undefined) {
    quirks.add(sent.failure.refused)
    sent = await requestModel({ ...PROBE, quirks }, target, { clock, signal, limits })
  }
  const { failure } = sent
  // A model that thinks first uses up the few tokens; it answered all the same.
  const answered = failure === undefined || failure.next === 'longer'
  return report(answered, answered ? 'answers' : failure.reason)
}
