import type { Clock } from '../../shared/clock.ts'
import { toTuttiError, TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { Poller } from '../../shared/poller.ts'
import type { ModelPort } from '../../domain/model.ts'
import type { UserRuns } from '../../domain/user-runs.ts'
import type { RequestInput } from '../../domain/request.ts'
import type { RunResponse } from '../../domain/response.ts'
import type { EvalCase } from '../cases.ts'
import { judgeTurn } from '../judge.ts'
import type { TurnResult } from '../results.ts'
import type { Evaluations } from './evaluations.ts'
import type { NewEvaluation, OpenCase } from './types.ts'

/** Dependencies of `EvaluationWork`. */
export interface EvaluationParts extends UserRuns {
  readonly evaluations: Evaluations
  readonly clock: Clock
  readonly models: ModelPort
  readonly onError: (error: TuttiError) => void
}

const POLL_INTERVAL_MS = 1_000

/**
 * Works through evaluations. Each turn is a run of the evaluation's owner without write operations and approvals. Each
 * step is stored before the next one begins, so that another process can continue after a crash.
 */
export class EvaluationWork extends Poller {
  private readonly parts: EvaluationParts

  constructor(parts: EvaluationParts) {
    const { clock, onError } = parts
    super({ clock, intervalMs: POLL_INTERVAL_MS, onError: (thrown) => onError(toTuttiError(thrown)) })
    this.parts = parts
  }

  protected override async poll(): Promise<void> {
    for (const open of await this.parts.evaluations.open()) {
      if (this.signal.aborted || this.has(open.runId)) continue
      this.run(open.runId, () => this.step(open))
    }
  }

  private async step(open: OpenCase): Promise<void> {
    const { evaluations, outcome } = this.parts
    const { owner, runId, status, turns } = open
    if (status === 'due') return (await evaluations.claim(open)) ? this.start(open) : undefined
    const response = await outcome(owner, runId)
    if (response === 'running' || !(await evaluations.claim(open))) return
    if (response === 'none') return evaluations.settle(open, turns, 'Its run was erased.')
    await this.judge(open, response)
  }

  private async start(open: OpenCase): Promise<void> {
    const { evaluations, refusal, start } = this.parts
    const { owner, runId, one, turns } = open
    const refused = await refusal(owner)
    if (refused !== undefined) return evaluations.settle(open, turns, refused)
    try {
      const { question } = one.turns[turns.length]!
      const request = { ...caseQuestions(one, open, turns), question }
      await start(owner, request, runId, turns.length === 0 ? {} : { earlier: earlierMessages(turns) })
    } catch (thrown) {
      const error = toTuttiError(thrown)
      if (error.code !== 'RunConflict') return evaluations.settle(open, turns, error.message)
    }
    await evaluations.markStarted(open)
  }

  private async judge(open: OpenCase, response: RunResponse): Promise<void> {
    const { evaluations, models } = this.parts
    const { one, runId, model } = open
    const chosen = model === undefined ? {} : { default: model }
    const judged = await judgeTurn(one.turns[open.turns.length]!, response, {
      models,
      chosen,
      signal: this.signal,
    })
    if (this.signal.aborted) return
    const turns = [...open.turns, { ...judged, runId }]
    await (turns.length < one.turns.length ? evaluations.saveTurn(open, turns) : evaluations.settle(open, turns))
  }
}

/** The requests of a case. The first has no memory of the user; later ones have the previous turns. */
export function caseQuestions(
  { context, ...one }: Pick<EvalCase, 'context' | 'strategy'>,
  { strategy = one.strategy, model }: NewEvaluation,
  turns: readonly TurnResult[] = [],
): Omit<RequestInput, 'question'> {
  return {
    context,
    shadow: true,
    interactive: false,
    ...(turns.length === 0 ? { memory: false } : {}),
    ...omitUndefined({ strategy, models: model === undefined ? undefined : { default: model } }),
  }
}

function earlierMessages(turns: readonly TurnResult[]) {
  return turns.flatMap(({ question, answer }) => [
    { role: 'user' as const, text: question },
    { role: 'assistant' as const, text: answer },
  ])
}
