import { setMaxListeners } from 'node:events'
import { sleep, type Clock } from '../shared/clock.ts'
import { abortError, TuttiError } from '../domain/errors.ts'
import type { ModelCallOptions, Settle } from '../domain/model.ts'
import type { Usage } from '../domain/usage.ts'
import type { Timeouts } from './config.ts'
import type { Failure } from './failure.ts'
import type { Reply } from './reply.ts'
import { requestModel, type ModelRequest, type RequestOutcome, type Target } from './request.ts'
import { backoffMs, MAX_WAIT_MS, MAX_REQUESTS } from './retry.ts'
import { estimateRequest, sumUsage } from './tokens.ts'
import type { Quirk } from './wire/quirks.ts'

export interface AskTarget extends Target {
  /** `provider:model`. */
  readonly ref: string
  /** Features that its server has refused so far. */
  readonly quirks: Set<Quirk>
}

export interface AskDeps {
  readonly clock: Clock
  readonly random: () => number
  readonly timeouts: Timeouts
  /** Returns the model for these options, or why there is none. */
  readonly choose: (
    options: Pick<ModelCallOptions, 'actor' | 'models' | 'signal'>,
  ) => Promise<AskTarget | { readonly reason: string }>
  /** The model to use after the first one failed, if one is configured. */
  readonly chooseSecond: (options: ModelCallOptions) => Promise<AskTarget | { readonly reason: string } | undefined>
}

/** How to send requests to one model, and how to read its replies. */
export interface Conversation<T> {
  readonly maxOutputTokens: number
  /** Called for every attempt; its result may change after a failure. */
  readonly request: (given: Pick<ModelRequest, 'maxOutputTokens' | 'quirks'>) => Omit<ModelRequest, 'onText'>
  readonly read: (reply: Reply, request: ModelRequest) => Promise<{ readonly value: T } | { readonly failure: Failure }>
}

/** Totals so far; updated after every request. */
export interface Progress {
  requests: number
  usage: Usage | undefined
  hasShownText: boolean
}

export type Outcome<T> =
  | { readonly value: T; readonly ref: string }
  | { readonly reason: string; readonly ref?: string; readonly budget?: TuttiError }

/**
 * Asks the actor's model, with retries, and then its second model.
 * @throws TuttiError `ConfigurationError` for a model that is not configured, `Cancelled` (or the signal's own error) on abort
 */
export async function askModels<T>(
  deps: AskDeps,
  options: ModelCallOptions,
  progress: Progress,
  conversationWith: (target: AskTarget) => Conversation<T>,
): Promise<Outcome<T>> {
  try {
    // A job may ask many things at once; Node would warn of a leak at the eleventh.
    setMaxListeners(0, options.signal)
    options.signal.throwIfAborted()
    const startedAt = deps.clock.now()
    const askOne = async (target: AskTarget | { readonly reason: string }): Promise<Outcome<T>> => {
      if (!('ref' in target)) return target
      const leftMs = (options.withinMs ?? Infinity) - (deps.clock.now() - startedAt)
      const until = deps.clock.now() + Math.min(deps.timeouts.answerMs, leftMs)
      const outcome = await askModel(deps, options, target, progress, until, conversationWith(target))
      return { ...outcome, ref: target.ref }
    }
    const first = await askOne(await deps.choose(options))
    options.signal.throwIfAborted()
    if ('value' in first || first.budget !== undefined) return first
    const target = await deps.chooseSecond(options)
    if (target === undefined) return first
    if (progress.hasShownText) options.onText?.('', 0)
    const second = await askOne(target)
    options.signal.throwIfAborted()
    return 'value' in second ? second : { ...second, reason: `${first.reason}; second model: ${second.reason}` }
  } catch (error) {
    throw options.signal.aborted && error === options.signal.reason
      ? abortError(options.signal, 'The model call')
      : error
  }
}

async function askModel<T>(
  deps: AskDeps,
  options: ModelCallOptions,
  target: AskTarget,
  progress: Progress,
  until: number,
  conversation: Conversation<T>,
): Promise<{ readonly value: T } | { readonly reason: string; readonly budget?: TuttiError }> {
  let { maxOutputTokens } = conversation
  let hasAskedAgain = false
  let hasMoreRoom = false
  let hasHung = false
  const quirks = new Set(target.quirks)

  for (let attempt = 1; ; attempt++) {
    const request = { ...conversation.request({ maxOutputTokens, quirks }), onText: watched(options, progress) }
    const sent = await oneRequest(deps, request, options, target, progress, until)
    if ('reason' in sent) return sent
    // An error may name a feature that is not its cause, so only features that a successful request omitted are
    // remembered.
    if (sent.reply !== undefined) for (const quirk of quirks) target.quirks.add(quirk)
    const read = sent.reply === undefined ? { failure: sent.failure } : await conversation.read(sent.reply, request)
    if ('value' in read) return read
    const { failure } = read
    if (failure.refused !== undefined) {
      quirks.add(failure.refused)
      attempt--
      continue
    }

    const isHang = failure.isHang === true
    const isSecond =
      (failure.next === 'reask' && hasAskedAgain) || (failure.next === 'longer' && hasMoreRoom) || (isHang && hasHung)
    if (failure.next === 'give-up' || isSecond || attempt >= MAX_REQUESTS) return gaveUp(failure, attempt)
    hasAskedAgain ||= failure.next === 'reask'
    if (failure.next === 'longer') {
      hasMoreRoom = true
      maxOutputTokens *= 2
    }
    hasHung ||= isHang
    if (failure.next !== 'retry') continue
    const waitMs = failure.retryAfterMs || backoffMs(attempt, deps.random)
    if (waitMs > MAX_WAIT_MS) return gaveUp(failure, attempt, `; it asks to wait ${Math.ceil(waitMs / 1000)} s`)
    if (waitMs >= until - deps.clock.now()) return gaveUp(failure, attempt)
    await sleep(deps.clock, waitMs, options.signal)
  }
}

function watched({ onText }: ModelCallOptions, progress: Progress): ModelRequest['onText'] {
  if (onText === undefined) return undefined
  return (text, offset) => {
    progress.hasShownText = true
    onText(text, offset)
  }
}

/** One request with its reservation; a reason when the budget does not allow it. */
async function oneRequest(
  deps: AskDeps,
  request: ModelRequest,
  options: ModelCallOptions,
  target: AskTarget,
  progress: Progress,
  until: number,
): Promise<RequestOutcome | { readonly reason: string; readonly budget: TuttiError }> {
  let settle: Settle
  try {
    settle = options.reserve(estimateRequest(request, target.price))
  } catch (error) {
    if (TuttiError.is(error, 'BudgetExceeded')) {
      return { reason: `the budget is used up: ${error.message}`, budget: error }
    }
    throw error
  }
  try {
    const limits = { ...deps.timeouts, leftMs: until - deps.clock.now() }
    const sent = await requestModel(request, target, { clock: deps.clock, limits, signal: options.signal })
    record(sent, settle, progress)
    return sent
  } catch (error) {
    settle(undefined)
    throw error
  }
}

const NOTHING_USED: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

function record(sent: RequestOutcome, settle: Settle, progress: Progress): void {
  const { failure, usage } = sent
  if (failure?.isReached !== false) progress.requests++
  // A call that may have been processed counts as used, even without reported usage.
  progress.usage = sumUsage(progress.usage, usage ?? (failure?.isFree === false ? NOTHING_USED : undefined))
  settle(usage ?? (failure?.isFree === true ? NOTHING_USED : undefined))
}

function gaveUp(failure: Failure, requests: number, more = ''): { readonly reason: string } {
  return { reason: `${failure.reason}${more}${requests === 1 ? '' : ` (after ${requests} requests)`}` }
}
