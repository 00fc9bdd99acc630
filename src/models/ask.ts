import { setMaxListeners } from 'node:events'
import { sleep, type Clock } from '../core/clock.ts'
import { TuttiError } from '../core/errors.ts'
import type { Answered, AskOptions, Settle } from '../core/model.ts'
import type { Prompt } from '../core/prompt.ts'
import type { Usage } from '../core/usage.ts'
import { readJson, readText } from './answer.ts'
import { isPermit, type CircuitBreaker, type Permit } from './circuit-breaker.ts'
import type { Timeouts } from './config.ts'
import type { Failure } from './failure.ts'
import { isObjectSchema, jsonSchemaOf } from './json-schema.ts'
import { takesSchema } from './provider.ts'
import { send, type ModelRequest, type Sent, type Target } from './request.ts'
import { backoffMs, LONGEST_WAIT_MS, MOST_REQUESTS } from './retry.ts'
import { DEFAULT_OUTPUT_TOKENS, estimateRequest, sumUsage } from './tokens.ts'
import { askAgain, textsOf, wordingOf, type Wording } from './wording.ts'

export interface AskTarget extends Target {
  /** `provider:model`. */
  readonly ref: string
  readonly breaker: CircuitBreaker
}

export interface AskDeps {
  readonly clock: Clock
  readonly random: () => number
  readonly timeouts: Timeouts
  /** The model for this ask, or why there is none. */
  readonly choose: (options: AskOptions) => Promise<AskTarget | { readonly reason: string }>
}

/** What is known so far of one ask; grows with every request. */
interface Progress {
  requests: number
  usage: Usage | undefined
  hasShownText: boolean
  /** When all of it has to be over, on the clock. */
  readonly until: number
}

/**
 * Answers one prompt: by the model, with retries and one repair, or else by the fallback, with the reason.
 * @throws TuttiError `Internal` when the input does not fit the prompt, `ConfigurationError` for a model that is not
 * configured, `Cancelled` (or the signal's own error) on abort; whatever the fallback throws
 */
export async function ask<I, O>(
  deps: AskDeps,
  prompt: Prompt<I, O>,
  rawInput: I,
  options: AskOptions,
): Promise<Answered<O>> {
  const input = parseInput(prompt, rawInput)
  const { answerMs } = deps.timeouts
  const until = deps.clock.now() + Math.min(answerMs, options.withinMs ?? answerMs)
  const progress: Progress = { requests: 0, usage: undefined, hasShownText: false, until }
  try {
    // A job may ask many things at once; Node would warn of a leak at the eleventh.
    setMaxListeners(0, options.signal)
    options.signal.throwIfAborted()
    const { withoutModel } = options
    const target = withoutModel === undefined ? await deps.choose(options) : { reason: withoutModel }
    const outcome = 'ref' in target ? await askModel(deps, prompt, input, options, target, progress) : target
    options.signal.throwIfAborted()
    const model = 'ref' in target ? { model: target.ref } : {}
    const told = {
      ...model,
      ...(progress.usage === undefined ? {} : { usage: progress.usage }),
      requests: progress.requests,
    }
    if ('value' in outcome) return { value: outcome.value, by: 'model', ...told }
    const value = (await (options.fallback === undefined ? prompt.fallback(input) : options.fallback())) as O
    if (progress.hasShownText) options.onText?.(typeof value === 'string' ? value : '', 0)
    return { value, by: 'fallback', reason: outcome.reason, ...told }
  } catch (error) {
    throw options.signal.aborted && error === options.signal.reason ? cancelled(error) : error
  }
}

function parseInput<I, O>(prompt: Prompt<I, O>, input: I): I {
  const parsed = prompt.input.safeParse(input)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`).join('; ')
  throw new TuttiError('Internal', `The input of the prompt ${prompt.name} is not valid: ${issues}.`)
}

function cancelled(reason: unknown): TuttiError {
  return TuttiError.isInstance(reason)
    ? reason
    : new TuttiError('Cancelled', 'The model call was cancelled.', { cause: reason })
}

type Outcome<O> = { readonly value: O } | { readonly reason: string }

async function askModel<I, O>(
  deps: AskDeps,
  prompt: Prompt<I, O>,
  input: I,
  options: AskOptions,
  target: AskTarget,
  progress: Progress,
): Promise<Outcome<O>> {
  const schema = prompt.format === 'json' ? jsonSchemaOf(prompt.output) : undefined
  const sentSchema = schema !== undefined && isObjectSchema(schema) && takesSchema(target.provider) ? schema : undefined
  let wording = wordingOf(prompt.render(input), sentSchema === undefined ? schema : undefined, options)
  let maxOutputTokens = prompt.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS
  let hasAskedAgain = false
  let hasMoreRoom = false
  let last: Failure | undefined

  for (let attempt = 1; ; attempt++) {
    const request = requestOf(prompt, wording, maxOutputTokens, sentSchema, options, progress)
    const sent = await oneRequest(deps, request, textsOf(wording), options, target, progress)
    // What the previous request ran into says more than that there may be no other.
    if ('reason' in sent) return last?.isHang === true && sent.isBudget !== true ? gaveUp(last, attempt - 1) : sent
    let failure: Failure
    if (sent.text === undefined) failure = sent.failure
    else {
      const read = await (prompt.format === 'json'
        ? readJson(sent.text, prompt.output)
        : readText(sent.text, prompt.output))
      if (read.ok) return { value: read.value }
      failure = misfit(target, read.fault)
      wording = askAgain(wording, sent.text, read.fault, prompt.format)
    }

    const isSecond = (failure.next === 'reask' && hasAskedAgain) || (failure.next === 'longer' && hasMoreRoom)
    if (failure.next === 'give-up' || isSecond || attempt >= MOST_REQUESTS) return gaveUp(failure, attempt)
    hasAskedAgain ||= failure.next === 'reask'
    if (failure.next === 'longer') {
      hasMoreRoom = true
      maxOutputTokens *= 2
    }
    last = failure
    if (failure.next !== 'retry') continue
    const waitMs = failure.retryAfterMs || backoffMs(attempt, deps.random)
    const leftMs = progress.until - deps.clock.now()
    if (waitMs > LONGEST_WAIT_MS) return gaveUp(failure, attempt, `; it asks to wait ${Math.ceil(waitMs / 1000)} s`)
    if (waitMs >= leftMs) return gaveUp(failure, attempt)
    await sleep(deps.clock, waitMs, options.signal)
  }
}

function requestOf<I, O>(
  prompt: Prompt<I, O>,
  wording: Wording,
  maxOutputTokens: number,
  schema: ModelRequest['schema'],
  options: AskOptions,
  progress: Progress,
): ModelRequest {
  const { onText } = options
  const show = (text: string, offset: number): void => {
    progress.hasShownText = true
    onText?.(text, offset)
  }
  return {
    name: prompt.name,
    wording,
    maxOutputTokens,
    temperature: prompt.temperature,
    schema,
    onText: onText === undefined ? undefined : show,
  }
}

/** One request with its reservation and the breaker around it; a reason when it may not be made at all. */
async function oneRequest(
  deps: AskDeps,
  request: ModelRequest,
  texts: readonly string[],
  options: AskOptions,
  target: AskTarget,
  progress: Progress,
): Promise<Sent | { readonly reason: string; readonly isBudget?: boolean }> {
  const { name } = target.provider
  const entry = target.breaker.enter()
  if (!isPermit(entry)) {
    const wait = entry.waitMs > 0 ? `for another ${Math.ceil(entry.waitMs / 1000)} s` : 'while another request tries it'
    const after = entry.failures === 1 ? 'a failure' : `${entry.failures} failures in a row`
    return { reason: `${name} is not asked ${wait} after ${after}: ${entry.lastReason}` }
  }
  let settle: Settle
  try {
    settle = options.reserve(estimateRequest(texts, request.maxOutputTokens, target.price))
  } catch (error) {
    entry.release()
    if (TuttiError.is(error, 'BudgetExceeded')) {
      return { reason: `the budget is used up: ${error.message}`, isBudget: true }
    }
    throw error
  }
  try {
    const limits = { ...deps.timeouts, leftMs: progress.until - deps.clock.now() }
    const sent = await send(request, target, { clock: deps.clock, limits, signal: options.signal })
    record(sent, entry, settle, progress)
    return sent
  } catch (error) {
    entry.release()
    settle(undefined)
    throw error
  }
}

const NOTHING_USED: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

function record(sent: Sent, permit: Permit, settle: Settle, progress: Progress): void {
  const { failure, usage } = sent
  if (failure?.isReached !== false) progress.requests++
  // One that may have worked was used, also where it does not tell of how much.
  progress.usage = sumUsage(progress.usage, usage ?? (failure?.isFree === false ? NOTHING_USED : undefined))
  const forOthers = failure?.forOthers ?? failure?.reason ?? ''
  if (failure?.isHang === true) permit.hang(forOthers)
  else if (failure?.isTrouble === true) permit.trouble(forOthers)
  else permit.ok()
  settle(usage ?? (failure?.isFree === true ? NOTHING_USED : undefined))
}

function misfit(target: AskTarget, fault: string): Failure {
  const reason = `${target.provider.name} gave an answer that does not fit: ${fault}`
  return { reason, next: 'reask', isTrouble: false, isReached: true, isFree: false }
}

function gaveUp(failure: Failure, requests: number, more = ''): { readonly reason: string } {
  return { reason: `${failure.reason}${more}${requests === 1 ? '' : ` (after ${requests} requests)`}` }
}
