/** Engines for tests: ad-hoc agents, a planner that takes its plan from the request, models without a network. */
import { expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import { defineRole, type Agent, type Role } from '../../src/domain/actor.ts'
import type { Clock } from '../../src/shared/clock.ts'
import type { TuttiError } from '../../src/domain/errors.ts'
import type { RunEvent } from '../../src/domain/events.ts'
import type { Answered, AskOptions, ModelPort } from '../../src/domain/model.ts'
import type { Task } from '../../src/domain/plan.ts'
import { definePrompt, type Prompt } from '../../src/domain/prompt.ts'
import { parseRequest, type RequestInput, type RunRequest } from '../../src/domain/request.ts'
import type { RunState } from '../../src/domain/state.ts'
import { BY_USER } from '../../src/domain/provenance.ts'
import type { ApprovalRecord, RunStore } from '../../src/domain/store.ts'
import { defineTool, type Effect, type Tool } from '../../src/domain/tool.ts'
import type { Usage } from '../../src/domain/usage.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { EngineOptions } from '../../src/engine/options.ts'
import { createMemoryStorage } from '../../src/storage/index.ts'
import { pipeline } from '../../src/strategies/pipeline/next.ts'
import { dag } from './dag-strategy.ts'
import { areStoresBusy } from './watched-store.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'

export { mortal, storeWith, through } from './watched-store.ts'

/** A prompt with text input and text output. */
export const say = definePrompt({
  name: 'test.say',
  format: 'text',
  input: z.string(),
  output: z.string(),
  render: (input) => ({ instructions: '', user: input }),
})

/** Streams the model's reply to `say` as the answer. */
export const streamingComposer = defineRole({
  name: 'composer',
  async run(ctx) {
    const { value = 'no model' } = await ctx.ask(say, 'compose', { streamAnswer: true })
    ctx.emit({ type: 'answer.composed', answer: value, by: 'model' })
    return {}
  },
})

/** The reply of a fake model to one ask. Its usage is reserved and settled like that of a real one. */
export interface Saying {
  readonly text?: string
  readonly usage?: Usage
  /** The reservation before the call. */
  readonly estimate?: { readonly tokens: number; readonly costUsd: number }
  readonly error?: Error
  /** The answer is returned when this resolves, or on abort. */
  readonly after?: Promise<unknown>
  /** Pieces that are streamed. */
  readonly pieces?: readonly string[]
}

/** A model port that answers with a function and records its prompts. */
export class FakeModels implements ModelPort {
  readonly asked: string[] = []
  private readonly answer: (input: string, options: AskOptions) => Saying | string

  constructor(answer: (input: string, options: AskOptions) => Saying | string = (input) => `model on ${input}`) {
    this.answer = answer
  }

  async ask<I, O>(_prompt: Prompt<I, O>, input: I, options: AskOptions): Promise<Answered<O>> {
    const text = String(input)
    const { withoutModel: reason } = options
    if (reason !== undefined) return { by: 'fallback', reason, requests: 0 }
    const given = this.answer(text, options)
    const saying: Saying = typeof given === 'string' ? { text: given } : given
    const usage = saying.usage ?? { inputTokens: 10, outputTokens: 5, costUsd: 0.01 }
    let settle: ReturnType<AskOptions['reserve']>
    try {
      settle = options.reserve(saying.estimate ?? { tokens: 15, costUsd: 0.01 })
    } catch (error) {
      return { by: 'fallback', reason: (error as TuttiError).message, requests: 0 }
    }
    this.asked.push(text)
    try {
      await Promise.race([saying.after, aborted(saying.after === undefined ? undefined : options.signal)])
      if (saying.error !== undefined) throw saying.error
    } finally {
      settle(usage)
    }
    let offset = 0
    for (const piece of saying.pieces ?? []) {
      options.onText?.(piece, offset)
      offset += piece.length
      await Promise.resolve()
    }
    return {
      value: (saying.text ?? saying.pieces?.join('') ?? '') as O,
      by: 'model',
      model: 'fake:one',
      usage,
      requests: 1,
    }
  }
}

function aborted(signal: AbortSignal | undefined): Promise<never> | undefined {
  if (signal === undefined) return undefined
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

export function task(id: string, agent = id, extra: Partial<Task> = {}): Task {
  return { id, agent, dependsOn: [], ...extra }
}

/** A request with a given plan. A string is a task for the agent of that name. */
export function request(tasks: readonly (string | Task)[], more: Partial<RequestInput> = {}): RunRequest {
  const plan = tasks.map((one) => (typeof one === 'string' ? task(one) : one))
  return parseRequest({ question: 'What?', ...more, context: { plan, ...more.context } }, new Set())
}

/** Takes the plan from the request's context. */
export const givenPlanner: Role = defineRole({
  name: 'planner',
  async run(ctx) {
    const tasks = ctx.request.context['plan'] as Task[]
    ctx.emit({ type: 'plan.set', plan: { tasks }, by: 'planner', rationale: 'as given', confidence: 0.9 })
    return { answer: 'planned' }
  },
})

/** Answers with the result of every task: `a=succeeded:answer`, `b=failed:Timeout`. */
export const tellingComposer: Role = defineRole({
  name: 'composer',
  async run(ctx) {
    const lines = [...ctx.state.jobs.values()].flatMap(({ key, task, result }) =>
      task === undefined ? [] : [`${key}=${result?.status ?? 'none'}:${result?.answer ?? result?.error?.type ?? ''}`],
    )
    ctx.emit({ type: 'answer.composed', answer: lines.join(' '), by: 'fallback' })
    return { answer: 'composed' }
  },
})

/** An agent made from its function. */
export function agent(name: string, run: Agent['run'], more: Partial<Agent> = {}): Agent {
  return { name, description: name, capabilities: [], useCases: [], keywords: [], ...more, run }
}

export type WorldOptions = Partial<EngineOptions> & { readonly store: RunStore; readonly clock: Clock }

/** An engine with the given planner and composer, the strategy `pipeline`, and as `graph` a strategy by readiness. */
export function engineFor(agents: readonly Agent[], options: WorldOptions): Engine {
  return new Engine({
    models: new FakeModels(),
    strategies: [pipeline, dag],
    roles: [givenPlanner, tellingComposer],
    agents,
    random: () => 0.5,
    ...options,
  })
}

/** The same; it is closed when the test is over. */
export function startEngine(agents: readonly Agent[], options: WorldOptions): Engine {
  const engine = engineFor(agents, options)
  onTestFinished(() => engine.close())
  return engine
}

/** An engine on this store, with a clock of its own; it is closed when the test is over. */
export function openWorld(store: RunStore, agents: readonly Agent[], options: Partial<EngineOptions> = {}) {
  const clock = new ManualClock()
  return { clock, engine: startEngine(agents, { store, clock, ...options }) }
}

/** An empty store in memory. */
export async function memoryStore(clock: Clock): Promise<RunStore> {
  return (await createMemoryStorage({ clock, onError: (error) => expect.fail(error.message) })).store
}

/** An engine on a store in memory, with a clock of its own; it is closed when the test is over. */
export async function memoryEngine(agents: readonly Agent[], options: Partial<EngineOptions> = {}) {
  const store = await memoryStore(new ManualClock())
  return { store, ...openWorld(store, agents, options) }
}

/** A tool that takes a text; its output has the labels of its input. */
export function textTool<O>(
  name: string,
  effect: Effect,
  run: Tool<string, O>['run'],
  more: Partial<Tool<string, O>> = {},
): Tool<string, O> {
  return defineTool({ name, description: '', effect, provenance: BY_USER, input: z.string(), ...more, run })
}

/** The pending approvals of a run, once there are so many. */
export function pendingApprovals(store: RunStore, runId: string, count = 1): Promise<readonly ApprovalRecord[]> {
  return eventually(async () => {
    const found = await store.approvals({ runId, status: 'pending' })
    return found.length === count && found
  })
}

export async function pendingApproval(store: RunStore, runId: string): Promise<ApprovalRecord> {
  return (await pendingApprovals(store, runId))[0]!
}

/** Resolves when the run waits and no process has it in memory. */
export function untilAtRest(store: RunStore, runId: string): Promise<boolean> {
  return eventually(async () => {
    const record = await store.run(runId)
    return record?.status === 'waiting' && record.worker === undefined
  })
}

/** Number of checks of `eventually`, far more than any wait for I/O needs. */
const MAX_LOOKS = 50_000

/**
 * Waits for I/O, not for time: the test clock does not advance.
 * @throws Error that shows the condition when it does not become true
 */
export async function eventually<T>(look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (let looks = 0; ; looks++) {
    if (looks === MAX_LOOKS) throw new Error(`It did not come to this in ${MAX_LOOKS} looks: ${look.toString()}`)
    const found = await look()
    if (found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/** Advances the clock until the promise has settled, but not while a store call is pending. */
export async function passing<T>(clock: ManualClock, promise: Promise<T>, stepMs = 100): Promise<T> {
  const progress = { isOver: false }
  const done = promise.finally(() => (progress.isOver = true))
  done.catch(() => undefined)
  while (!progress.isOver) {
    await clock.advance(stepMs)
    do await new Promise((resolve) => setTimeout(resolve, 1))
    while (areStoresBusy())
  }
  return done
}

/** Runs a request and returns the final state, which must equal the state folded from the log. */
export async function outcomeOf(engine: Engine, clock: ManualClock, of: RunRequest): Promise<RunState> {
  const state = await passing(clock, engine.outcome(await engine.start(of)))
  expect(state).toEqual(await engine.state(state.runId))
  return state
}

/** A promise that the test settles. */
export function gate<T = void>(): {
  readonly promise: Promise<T>
  open(value: T): void
  readonly isOpen: () => boolean
} {
  let resolve!: (value: T) => void
  let opened = false
  const promise = new Promise<T>((done) => (resolve = done))
  return {
    promise,
    isOpen: () => opened,
    open(value) {
      opened = true
      resolve(value)
    },
  }
}

export function types(events: readonly RunEvent[]): string[] {
  return events.map((event) => event.type)
}
