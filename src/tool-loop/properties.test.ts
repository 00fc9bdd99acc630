import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { toolCallsOf, type TranscriptMessage } from '../domain/turn.ts'
import type { RunStore } from '../domain/store.ts'
import { memoryStore } from '../../test/support/engine-world.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import {
  differences,
  renamed,
  runLoop,
  sentBy,
  type Decide,
  type LoopRun,
  type Outside,
} from '../../test/support/loop-crashes.ts'
import type { Script, ScriptedCall, ScriptedReply } from '../../test/support/tool-loops.ts'

const SEED = 26
const RUNS = 50

let store: RunStore
const clock = new ManualClock()
beforeAll(async () => void (store = await memoryStore(clock)))

const number = fc.nat(4)
const call: fc.Arbitrary<ScriptedCall> = fc.oneof(
  fc.tuple(fc.constantFrom('look', 'save'), fc.record({ n: number })),
  fc.tuple(fc.constantFrom('lost', 'broken', 'missing'), fc.record({ n: number })),
  fc.tuple(fc.constant('send'), fc.record({ to: number })),
  fc.constant(['save', {}, { invalid: 'the arguments are no JSON.' }] as const),
  fc.tuple(fc.constant('read_result'), fc.record({ handle: fc.constantFrom('r1.0', 'r2.1', 'r9.9') })),
)
const reply: fc.Arbitrary<ScriptedReply> = fc.record(
  {
    text: fc.constantFrom('', 'One moment.', 'x'.repeat(2_000)),
    calls: fc.array(call, { minLength: 1, maxLength: 5 }),
    finishReason: fc.constantFrom('tool-calls', 'tool-calls', 'stop', 'length'),
  },
  { requiredKeys: ['calls', 'text'] },
)
const story = fc.record({
  replies: fc.array(reply, { minLength: 1, maxLength: 6 }),
  window: fc.constantFrom(1_000_000, 2_500),
  cut: fc.double({ min: 0, max: 1, noNaN: true }),
})

const decide: Decide = (to) =>
  [
    (['denied', 'approved', 'approved', 'approved', 'denied'] as const)[to as number]!,
    ...(to === 1 ? ['shorter'] : []),
  ] as never

test('each prompt extends the previous one, each call has one result, and a resumed loop sends the same', async () => {
  let compactions = 0
  await fc.assert(
    fc.asyncProperty(story, async ({ replies, window, cut }) => {
      const script: Script = ({ messages, toolChoice }, turn) => {
        const last = JSON.stringify(messages.at(-1))
        if (toolChoice === 'none' && last.includes('takes its place')) return `SUMMARY of ${turn}`
        return toolChoice === 'none' ? 'late' : (replies[turn - 1] ?? 'done')
      }
      const world = { store, clock, script, decide, window }
      const outside: Outside = { calls: [], sent: new Set() }
      const whole = await runLoop(world, outside)
      expect(['done', 'late']).toContain(whole.state.jobs.get('a')?.result?.answer)
      const compacted = whole.events.filter(({ type }) => type === 'transcript.compacted').length
      compactions += compacted
      expect(brokenPrefixes(whole)).toBeLessThanOrEqual(compacted)
      for (const at of whole.models.requests.keys()) assertPaired(whole.models.request(at).messages)

      const begun = whole.events.findIndex(({ type }) => type === 'transcript.started') + 1
      const length = begun + Math.floor(cut * (whole.events.length - begun - 1))
      const log = renamed(whole.events.slice(0, length))
      const after: Outside = { calls: [], sent: sentBy(log, false) }
      const resumed = await runLoop(world, after, log)
      expect(differences(resumed, whole, log)).toEqual([])
      expect(resumed.messages).toEqual(whole.messages)
      expect(after.sent.size).toBe(outside.sent.size)
    }),
    { seed: SEED, numRuns: RUNS },
  )
  expect(compactions, 'stories with compaction').toBeGreaterThan(0)
}, 120_000)

/** Requests that do not begin with all messages of the request before. */
function brokenPrefixes({ models }: LoopRun): number {
  return [...models.requests.keys()].slice(1).filter((at) => {
    const [before, after] = [models.request(at - 1), models.request(at)]
    expect(after.head).toEqual(before.head)
    return JSON.stringify(after.messages.slice(0, before.messages.length)) !== JSON.stringify(before.messages)
  }).length
}

function assertPaired(messages: readonly TranscriptMessage[]): void {
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    const next = messages[at + 1]
    const results = next?.role === 'tool' ? next.parts.map(({ id }) => id) : []
    expect(results).toEqual(toolCallsOf(message).map(({ id }) => id))
  }
}
