import type { Agent, LeadAgent, Role } from '../../domain/actor.ts'
import { systemClock, type Clock } from '../../shared/clock.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { ModelPort } from '../../domain/model.ts'
import type { RunRequest } from '../../domain/request.ts'
import { LOCAL_OWNER } from '../../domain/events.ts'
import { Engine } from '../../engine/engine.ts'
import type { OwnedRuns } from '../../engine/owned-runs.ts'
import { Differences } from '../../evaluation/cassette/difference.ts'
import type { Cassette } from '../../evaluation/cassette/format.ts'
import { CassetteModels } from '../../evaluation/cassette/models.ts'
import { cassetteOutcome } from '../../evaluation/cassette/record.ts'
import { Tape } from '../../evaluation/cassette/tape.ts'
import { createMemoryStorage } from '../../storage/index.ts'
import { withConfirmation } from '../../strategies/confirmation/next.ts'
import { openStrategies } from '../strategies.ts'
import { agentsOf } from './agents.ts'
import { RecordedCalls } from './tools.ts'

export interface ReplayOptions {
  /** Agents that take part with their own instructions and tools, by name; stand-ins replace all others. */
  readonly agents?: readonly Agent[]
  /** Model port to call instead of the cassette, with models by actor for the request. */
  readonly other?: { readonly port: ModelPort; readonly models: Readonly<Record<string, string>> }
}

export interface Replayed {
  /** Number of turns and prompts compared with those of the cassette. */
  readonly turns: number
  readonly prompts: number
  /** Each names its job and turn. */
  readonly differences: readonly string[]
  readonly answer: string
}

/**
 * Runs a cassette through the engine and its strategy. Models and tools answer from the cassette; their inputs are
 * compared with the recorded ones. Prompt texts that are missing in the cassette are filled in.
 * @throws TuttiError `InvalidRequest` for an unknown strategy
 */
export async function replay(cassette: Cassette, { agents = [], other }: ReplayOptions = {}): Promise<Replayed> {
  const differences = new Differences()
  const tape = new Tape(cassette)
  const isExact = other === undefined
  const calls = new RecordedCalls(tape, differences, isExact)
  const models = new CassetteModels(tape, differences, other?.port)
  const clock: Clock = { now: () => Date.parse(cassette.at), timer: systemClock.timer }
  const storage = await createMemoryStorage({ clock, onError: () => undefined })
  const within = <A extends Role | LeadAgent>(actor: A): A => {
    const run = actor.run as (...asked: readonly unknown[]) => Promise<unknown>
    const swapped = (...asked: readonly unknown[]) => run(...asked.slice(0, -1), calls.within(asked.at(-1) as never))
    return { ...actor, run: swapped }
  }
  const builtIn = openStrategies({})
  const engine = new Engine({
    store: storage.store,
    models,
    strategies: builtIn.all.map(withConfirmation),
    roles: builtIn.roles.map(within),
    leads: builtIn.leads.map(within),
    agents: agentsOf({ tape, calls, differences, isExact }, agents),
    clock,
  })
  try {
    const { request, recollection, provenance } = cassette
    const replayRequest: RunRequest = isExact ? request : { ...request, models: { ...request.models, ...other.models } }
    const runs = engine.as(LOCAL_OWNER)
    const runId = await runs.start(replayRequest, omitUndefined({ recollection, provenance }))
    await decideAsRecorded(runs, runId, tape, differences)
    const outcome = cassetteOutcome(await runs.events(runId))
    if (isExact) {
      for (const { key, what } of tape.unused()) differences.add(`job ${key}`, `The ${what} was not asked.`)
      differences.compare('run', 'outcome', outcomeText(cassette.outcome), outcomeText(outcome))
    }
    const { turns, prompts } = models
    return { turns, prompts, differences: differences.texts, answer: outcome.answer }
  } finally {
    await engine.close()
    await storage.close()
  }
}

/** Follows the run to its end, and answers its questions to the user as recorded. */
async function decideAsRecorded(runs: OwnedRuns, runId: string, tape: Tape, differences: Differences): Promise<void> {
  const counts = new Map<string, number>()
  for await (const event of runs.stream(runId)) {
    if (event.type !== 'approval.requested') continue
    const { key, tool, approvalId } = event
    const at = counts.get(`${key} ${tool}`) ?? 0
    counts.set(`${key} ${tool}`, at + 1)
    const recorded = tape.job(key)?.decisions.filter((one) => one.tool === tool)[at]
    if (recorded === undefined) differences.add(`job ${key}`, `The cassette has no decision on "${tool}".`)
    const decision = recorded?.decision === 'approved' ? 'approved' : 'denied'
    await runs.decide(approvalId, decision, 'cassette', recorded?.instructions)
  }
}

function outcomeText({ status, answer, isAnswered, unanswered }: Cassette['outcome']): string {
  return [`status ${status}`, `answered ${isAnswered}`, ...unanswered.map((one) => `open: ${one}`), answer].join('\n')
}
