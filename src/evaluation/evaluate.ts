import type { Clock } from '../core/clock.ts'
import { toTuttiError } from '../core/errors.ts'
import type { ModelPort } from '../core/model.ts'
import type { RequestInput } from '../core/request.ts'
import type { RunResponse } from '../core/response.ts'
import type { EvalCase, Expectation, Turn } from './cases.ts'
import { judgeAnswer } from './judge-prompt.ts'
import type { CaseResult, TurnResult } from './results.ts'
import { checksOf, type Check } from './scorers.ts'
import { VERDICTS, verdictOf, type Verdict } from './verdict.ts'

/** What questions are put to: an app with the sources of a case. */
export interface Answering {
  readonly models: ModelPort
  ask(request: RequestInput): Promise<RunResponse>
  close(): Promise<void>
}

export interface EvaluationOptions {
  readonly cases: readonly EvalCase[]
  /** Opens an app with the sources of a case. Cases with the same key share it. */
  readonly open: (one: EvalCase) => Promise<Answering>
  readonly keyOf: (one: EvalCase) => string
  /** What every question is asked with. */
  readonly request: Omit<RequestInput, 'question'>
  /** How many cases are worked on at a time. */
  readonly parallel: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onCase?: (result: CaseResult) => void
}

/**
 * Puts all cases, several at a time and each in a conversation of its own, and judges the answers. What goes wrong with a
 * case is its verdict; the results come in the order of the cases. Those that a signal cut off are left out.
 */
export async function evaluate(options: EvaluationOptions): Promise<CaseResult[]> {
  const { cases, parallel, signal, onCase } = options
  const results: (CaseResult | undefined)[] = cases.map(() => undefined)
  const apps = createPool(options)
  let next = 0
  const work = async (): Promise<void> => {
    while (next < cases.length && !signal.aborted) {
      const place = next++
      const result = await apps.with(cases[place]!, (app) => runCase(app, cases[place]!, options))
      if (signal.aborted) return
      results[place] = result
      onCase?.(result)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(parallel, cases.length) }, work))
  } finally {
    await apps.close()
  }
  return results.flatMap((result) => result ?? [])
}

/** Apps by their key, each closed after the last of its cases. */
function createPool({ cases, open, keyOf }: EvaluationOptions) {
  const left = [...cases]
  const apps = new Map<string, Promise<Answering>>()
  const close = async (key: string): Promise<void> => {
    const app = apps.get(key)
    apps.delete(key)
    await app?.then(
      (opened) => opened.close(),
      () => undefined,
    )
  }
  return {
    async with(one: EvalCase, work: (app: Answering) => Promise<CaseResult>): Promise<CaseResult> {
      const key = keyOf(one)
      const app = apps.get(key) ?? open(one)
      apps.set(key, app)
      try {
        return await work(await app)
      } catch (error) {
        return failedCase(one, toTuttiError(error).message)
      } finally {
        left.splice(left.indexOf(one), 1)
        if (!left.some((other) => keyOf(other) === key)) await close(key)
      }
    },
    close: async (): Promise<void> => void (await Promise.all([...apps.keys()].map(close))),
  }
}

async function runCase(app: Answering, one: EvalCase, options: EvaluationOptions): Promise<CaseResult> {
  const { request } = options
  const isConversation = one.turns.length > 1
  const turns: TurnResult[] = []
  let conversationId: string | undefined
  for (const turn of one.turns) {
    const response = await app.ask({
      ...request,
      ...(request.strategy === undefined && one.strategy !== undefined ? { strategy: one.strategy } : {}),
      question: turn.question,
      context: { ...request.context, ...one.context },
      interactive: false,
      ...(isConversation ? {} : { memory: false }),
      ...(conversationId === undefined ? {} : { conversationId }),
    })
    conversationId = response.metadata.conversationId
    turns.push(await judge(app, turn, response, options))
    if (options.signal.aborted) break
  }
  return { ...about(one), verdict: worst(turns.flatMap(({ verdict }) => verdict ?? [])), turns }
}

function about({ id, set, reference }: EvalCase): Pick<CaseResult, 'id' | 'set' | 'reference'> {
  return { id, set, ...(reference === undefined ? {} : { reference }) }
}

function failedCase(one: EvalCase, error: string): CaseResult {
  const turns = one.turns.map(({ question }) => ({ question, answer: '', checks: [], notes: [], ...NOTHING_USED }))
  return { ...about(one), verdict: 'failed', error, turns }
}

const NOTHING_USED = { calls: 0, costUsd: 0, latencyMs: 0 }

function worst(verdicts: readonly Verdict[]): Verdict {
  return VERDICTS[Math.max(0, ...verdicts.map((verdict) => VERDICTS.indexOf(verdict)))]!
}

/** The best of the readings. A turn of which nothing is expected has no verdict. */
async function judge(
  app: Answering,
  turn: Turn,
  response: RunResponse,
  options: EvaluationOptions,
): Promise<TurnResult> {
  const { answer, agentResults, error, metadata } = response
  const { usage, latencyMs, notes } = metadata
  const detail = agentResults.flatMap(({ sources }) => sources.flatMap((source) => source.detail ?? []))
  const told: TurnResult = {
    question: turn.question,
    answer,
    checks: [],
    notes: error === undefined ? notes : [...notes, error.message],
    calls: usage.calls,
    costUsd: usage.costUsd,
    latencyMs,
    agents: agentResults.map(({ agent, status }) => `${agent} ${status}`),
    ...(detail.length === 0 ? {} : { detail }),
  }
  if (turn.expect === undefined) return told
  const readings = await Promise.all(
    turn.expect.map((expectation) => judgeReading(app, turn.question, expectation, response, options)),
  )
  const [best] = readings.sort((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict))
  return { ...told, ...best! }
}

async function judgeReading(
  app: Answering,
  question: string,
  expectation: Expectation,
  response: RunResponse,
  { request, signal }: EvaluationOptions,
): Promise<{ readonly verdict: Verdict; readonly checks: readonly Check[] }> {
  const checks = checksOf(expectation, response)
  if (expectation.refusal === true) {
    const refused = verdictOf(expectation, response, []) === 'right'
    checks.push({
      scorer: 'refusal',
      expected: 'a refusal',
      passed: refused,
      ...(refused ? {} : { why: 'it was answered' }),
    })
  }
  const { judge: expected } = expectation
  if (expected === undefined || response.metadata.status !== 'finished') {
    return { verdict: verdictOf(expectation, response, checks), checks }
  }
  const asked = await app.models.ask(
    judgeAnswer,
    { question, answer: response.answer, expected },
    { actor: 'judge', models: request.models ?? {}, signal, reserve: () => () => undefined },
  )
  const { correct, reason } = asked.value
  const judged = [...checks, { scorer: 'judge' as const, expected, passed: correct, why: asked.reason ?? reason }]
  // Nobody judged, so nothing is known.
  return { verdict: asked.by === 'fallback' ? 'failed' : verdictOf(expectation, response, judged), checks: judged }
}
