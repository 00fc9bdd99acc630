/** Tool loops that are interrupted at an event of their log and continued by another process. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { z } from 'zod'
import type { NewEvent, RunEvent } from '../../src/domain/events.ts'
import { fold, type RunState } from '../../src/domain/state.ts'
import type { RunStore } from '../../src/domain/store.ts'
import { transcriptMessages, type TranscriptState } from '../../src/domain/transcript.ts'
import type { TranscriptMessage } from '../../src/domain/turn.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { ManualClock } from '../../src/testing/manual-clock.ts'
import type { LoopTool } from '../../src/tool-loop/tool-list.ts'
import { engineFor, passing, request } from './engine-world.ts'
import { loopAgent, loopTool, notingTool, ScriptedModels, type Script } from './tool-loops.ts'

/** External effects of the tools, which outlive the process. */
export interface Outside {
  readonly calls: string[]
  /** Idempotency keys of sent mails. */
  readonly sent: Set<string>
}

/** Changes in the process that continues a run. */
export interface Upgrade {
  readonly name: string
  readonly instructions?: string
  readonly tools?: (tools: readonly LoopTool[], calls: string[]) => readonly LoopTool[]
  readonly input?: z.ZodType<Record<string, unknown>, Record<string, unknown>>
}

function toolsFor({ calls, sent }: Outside, { tools: changed, input }: Upgrade): readonly LoopTool[] {
  const fail = async (): Promise<never> => Promise.reject(new Error('gone'))
  const noted = (name: string, run: () => Promise<unknown>) => async (given: unknown) => {
    calls.push(`${name} ${JSON.stringify(given)}`)
    return run()
  }
  const send = loopTool(
    'send',
    'irreversible',
    async (given, io) => {
      calls.push(`send ${String(given['to'])}`)
      sent.add(io.idempotencyKey)
      return 'sent'
    },
    {
      check: async (_input, key) => (sent.has(key) ? { state: 'done', output: 'sent' } : { state: 'not-done' }),
      ...(input === undefined ? {} : { input }),
    },
  )
  const tools = [
    notingTool('look', 'read', calls),
    loopTool('lost', 'read', noted('lost', fail)),
    loopTool('broken', 'write', noted('broken', fail)),
    notingTool('save', 'write', calls),
    send,
  ]
  return changed?.(tools, calls) ?? tools
}

/** A decision on a mail, by its recipient. */
export type Decide = (to: unknown) => readonly ['approved' | 'denied', instructions?: string]

/** Decides all approvals until the run is over. */
async function decideAll(engine: Engine, clock: ManualClock, runId: string, decide: Decide): Promise<RunState> {
  const progress = { isOver: false }
  const end = engine.outcome(runId).finally(() => (progress.isOver = true))
  const deciding = (async () => {
    while (!progress.isOver) {
      const events = await engine.events(runId)
      const { openApprovals } = fold(events)
      for (const event of events) {
        if (event.type !== 'approval.requested' || !openApprovals.has(event.approvalId)) continue
        const [choice, instructions] = decide((event.payload as { readonly to: unknown }).to)
        // The approval may have expired, or the run may be over.
        await engine.decide(event.approvalId, choice, 'local', instructions).catch(() => undefined)
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  })()
  const state = await passing(clock, end)
  await deciding
  return state
}

export interface LoopRun {
  readonly models: ScriptedModels
  readonly state: RunState
  readonly events: readonly RunEvent[]
  readonly messages: readonly TranscriptMessage[]
}

export interface LoopWorld {
  readonly store: RunStore
  readonly clock: ManualClock
  readonly script: Script
  readonly decide: Decide
  /** Context window of the model, in tokens. */
  readonly window?: number
}

/** Runs a job with a tool loop to its end, from the start or from an interrupted log. */
export async function runLoop(
  { store, clock, script, decide, window }: LoopWorld,
  outside: Outside,
  log?: readonly RunEvent[],
  upgrade: Upgrade = { name: 'none' },
): Promise<LoopRun> {
  const models = new ScriptedModels(script)
  if (window !== undefined) models.window = window
  const { instructions } = upgrade
  const agent = loopAgent('a', toolsFor(outside, upgrade), instructions === undefined ? {} : { instructions })
  const engine = engineFor([agent], { store, clock, models })
  const runId = log?.[0]?.runId ?? (await engine.start(request(['a'])))
  if (log !== undefined) {
    await putLog(store, log)
    void engine.resume(runId)
  }
  const state = await decideAll(engine, clock, runId, decide)
  await engine.close()
  const transcript: TranscriptState = state.transcripts.get('a')!
  return { models, state, events: await store.read(runId), messages: transcriptMessages(transcript, state.transcripts) }
}

/** Returns the indexes at which the requests of a resumed run differ from those of the whole run. */
export function differences(resumed: LoopRun, whole: LoopRun, log: readonly RunEvent[]): number[] {
  const rest = whole.models.requests.slice(log.filter(({ type }) => type === 'turn.finished').length)
  const { requests } = resumed.models
  const places = [...Array(Math.max(rest.length, requests.length)).keys()]
  return places.filter((at) => rest[at] !== requests[at])
}

/** The log under another run id. */
export function renamed(events: readonly RunEvent[]): RunEvent[] {
  const { runId } = events[0]!
  return JSON.parse(JSON.stringify(events).replaceAll(runId, randomUUID())) as RunEvent[]
}

async function putLog(store: RunStore, log: readonly RunEvent[]): Promise<void> {
  const { runId } = log[0]!
  const events = log.map(({ runId: _runId, seq: _seq, v: _v, ...event }) => event as NewEvent)
  const { status } = fold(log)
  const outcomes = await store.append([{ runId, afterSeq: 0, events, status }])
  expect(outcomes, `${events.length} events, ${status}`).toEqual(['appended'])
}

/** Idempotency keys of the sent mails of a log; with the last one, if it was sent before the crash. */
export function sentBy(log: readonly RunEvent[], hasHappened: boolean): Set<string> {
  const done = new Set(log.flatMap((event) => (event.type === 'effect.done' ? [event.path] : [])))
  return new Set(
    log.flatMap((event) =>
      event.type === 'effect.intended' && (done.has(event.path) || (hasHappened && event === log.at(-1)))
        ? [event.idempotencyKey]
        : [],
    ),
  )
}
