import type { Clock } from '../shared/clock.ts'
import { toTuttiError } from '../domain/errors.ts'
import type { ModelPort } from '../domain/model.ts'
import type { RequestInput } from '../domain/request.ts'
import type { RunResponse } from '../domain/response.ts'
import type { EvalCase } from './cases.ts'
import { judgeTurn, worstVerdict } from './judge.ts'
import type { CaseResult, TurnResult } from './results.ts'

/** An app with the sources of a case. */
export interface CaseApp {
  readonly models: ModelPort
  ask(request: RequestInput): Promise<RunResponse>
  close(): Promise<void>
}

export interface EvaluationOptions {
  readonly cases: readonly EvalCase[]
  /** Opens an app with the sources of a case. Cases with the same key share it. */
  readonly open: (one: EvalCase) => Promise<CaseApp>
  readonly keyOf: (one: EvalCase) => string
  /** Options of every question. */
  readonly request: Omit<RequestInput, 'question'>
  /** Maximum of parallel cases. */
  readonly parallel: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onCase?: (result: CaseResult) => void
}

/**
 * Runs all cases, several in parallel and each in its own conversation, and judges the answers. An error of a case
 * becomes its verdict. Results are in the order of the cases, without those that the signal aborted.
 */
export async function evaluateCases(options: EvaluationOptions): Promise<CaseResult[]> {
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

/** Apps by key. Each is closed after the last of its cases. */
function createPool({ cases, open, keyOf }: EvaluationOptions) {
  const left = [...cases]
  const apps = new Map<string, Promise<CaseApp>>()
  const close = async (key: string): Promise<void> => {
    const app = apps.get(key)
    apps.delete(key)
    await app?.then(
      (opened) => opened.close(),
      () => undefined,
    )
  }
  return {
    async with(one: EvalCase, work: (app: CaseApp) => Promise<CaseResult>): Promise<CaseResult> {
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

async function runCase(app: CaseApp, one: EvalCase, options: EvaluationOptions): Promise<CaseResult> {
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
    turns.push(
      await judgeTurn(turn, response, { models: app.models, chosen: request.models ?? {}, signal: options.signal }),
    )
    if (options.signal.aborted) break
  }
  return settledCase(one, turns)
}

/** Combines the turns of a case into its result. */
export function settledCase(one: EvalCase, turns: readonly TurnResult[]): CaseResult {
  return { ...identify(one), verdict: worstVerdict(turns.flatMap(({ verdict }) => verdict ?? [])), turns }
}

function identify({ id, set, reference }: EvalCase): Pick<CaseResult, 'id' | 'set' | 'reference'> {
  return { id, set, ...(reference === undefined ? {} : { reference }) }
}

/** The result of a case without answers. @param error the reason */
export function failedCase(one: EvalCase, error: string): CaseResult {
  const turns = one.turns.map(({ question }) => ({ question, answer: '', checks: [], notes: [], ...NOTHING_USED }))
  return { ...identify(one), verdict: 'failed', error, turns }
}

const NOTHING_USED = { calls: 0, costUsd: 0, latencyMs: 0 }
