import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { RunEvent, NewEvent } from '../../src/core/events.ts'
import { fold, type RunState } from '../../src/core/state.ts'
import type { RunStore } from '../../src/core/store.ts'
import { messagesOf } from '../../src/core/transcript.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import type { LoopTool } from '../../src/tool-loop/tool-list.ts'
import { engineFor, passing, request } from '../support/engine-world.ts'
import { describeStores } from '../support/stores.ts'
import { loopAgent, loopTool, notingTool, ScriptedModels, type Script } from '../support/tool-loops.ts'

/** What the tools did outside, which outlives the process. */
interface Outside {
  readonly calls: string[]
  /** Idempotency keys of mails that were sent. */
  readonly sent: Set<string>
}

/** How the process that goes on differs from the one that died. */
interface Upgrade {
  readonly name: string
  readonly instructions?: string
  readonly tools?: (tools: readonly LoopTool[], calls: string[]) => readonly LoopTool[]
  readonly input?: z.ZodType<Record<string, unknown>, Record<string, unknown>>
}

const UPGRADES: readonly Upgrade[] = [
  { name: 'as it was' },
  { name: 'with other wording', instructions: 'Do it well.' },
  {
    name: 'with more tools',
    tools: (tools, calls) => [notingTool('a_new_tool', 'read', calls), ...tools].toReversed(),
  },
  { name: 'with another schema', input: z.looseObject({ language: z.string().default('en') }) },
]

/** A step with one call that is done, one that fails and one that waits; then one with a write that fails before a mail. */
const SCRIPT: Script = [
  {
    calls: [
      ['look', { n: 1 }],
      ['lost', {}],
      ['send', { to: 'Ann' }],
    ],
  },
  {
    text: 'One more.',
    calls: [
      ['save', { n: 1 }],
      ['send', { to: 'Bob' }],
      ['send', { to: 'Eve' }],
      ['send', { to: 'Tom' }],
    ],
  },
  {
    calls: [
      ['broken', {}],
      ['send', { to: 'Kim' }],
    ],
  },
  'done',
]

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

/** Decides on all that is asked until the run is over; one of the mails is denied. */
async function decideAll(engine: Engine, clock: ManualClock, runId: string): Promise<RunState> {
  let isOver = false
  const end = engine.outcome(runId).finally(() => (isOver = true))
  const deciding = (async () => {
    while (!isOver) {
      const state = await engine.state(runId)
      const events = await engine.events(runId)
      for (const { approvalId } of state.openApprovals.values()) {
        const asked = events.find((event) => event.type === 'approval.requested' && event.approvalId === approvalId)
        const isDenied = JSON.stringify(asked).includes('"to":"Eve"')
        await engine.decide(approvalId, isDenied ? 'denied' : 'approved', 'local').catch(() => undefined)
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  })()
  const state = await passing(clock, end)
  await deciding
  return state
}

const CALLS_TO_PEOPLE = ['send Ann', 'send Bob']

describeStores('a tool loop after a crash', (store, kind) => {
  const clock = new ManualClock()

  async function go(log: readonly RunEvent[] | undefined, outside: Outside, upgrade: Upgrade = UPGRADES[0]!) {
    const models = new ScriptedModels(SCRIPT)
    const { instructions } = upgrade
    const agent = loopAgent('a', toolsFor(outside, upgrade), instructions === undefined ? {} : { instructions })
    const engine = engineFor([agent], { store: store(), clock, models })
    const runId = log?.[0]?.runId ?? (await engine.start(request(['a'])))
    if (log !== undefined) {
      await putLog(store(), log)
      void engine.resume(runId)
    }
    const state = await decideAll(engine, clock, runId)
    await engine.close()
    return { models, state, events: await store().read(runId) }
  }

  it.each(UPGRADES)(
    '$name, at each event: same requests, no call made twice',
    async (upgrade) => {
      const outside: Outside = { calls: [], sent: new Set() }
      const whole = await go(undefined, outside)
      expect(whole.state.jobs.get('a')?.result?.answer).toBe('done')
      expect(outside.calls.filter((call) => call.startsWith('send'))).toEqual(CALLS_TO_PEOPLE)
      const messages = messagesOfRun(whole.state)

      const begun = whole.events.findIndex(({ type }) => type === 'transcript.started') + 1
      const end = whole.events.findIndex(
        ({ type, ...event }) => type === 'job.settled' && 'key' in event && event.key === 'a',
      )
      const step = kind === 'memory' || upgrade === UPGRADES[0] ? 1 : 3
      for (let at = begun; at <= end; at += step) {
        const last = whole.events[at - 1]!
        for (const hasHappened of last.type === 'effect.intended' ? [false, true] : [false]) {
          const log = renamed(whole.events.slice(0, at))
          const about = `after ${at} events, the last one ${last.type}${hasHappened ? ', whose call had happened' : ''}`
          const finished = log.filter(({ type }) => type === 'turn.finished').length
          const after: Outside = { calls: [], sent: sentBy(log, hasHappened) }
          const sentBefore = after.sent.size
          const resumed = await go(log, after, upgrade)
          const sent = resumed.models.requests.map((body) => whole.models.requests.indexOf(body))
          expect(sent, about).toEqual([...whole.models.requests.keys()].slice(finished))
          expect(messagesOfRun(resumed.state), about).toEqual(messages)
          expect(resumed.state.usage.calls, about).toBe(whole.state.usage.calls)
          expect(after.sent.size, about).toBe(CALLS_TO_PEOPLE.length)
          expect(
            after.calls.filter((call) => call.startsWith('send')),
            about,
          ).toEqual(CALLS_TO_PEOPLE.slice(sentBefore))
          const journalled = log.flatMap((event) => (event.type === 'call.finished' ? [event.name] : []))
          for (const name of journalled) expect(after.calls.join('\n'), about).not.toContain(name)
          expect(resumed.state.openApprovals.size, about).toBe(0)
        }
      }
    },
    120_000,
  )

  it('tells the model of a call whose tool was removed after it', async () => {
    const outside: Outside = { calls: [], sent: new Set() }
    const whole = await go(undefined, outside)
    const without = (name: string): Upgrade => ({
      name: `without ${name}`,
      tools: (tools) => tools.filter(({ tool }) => tool.name !== name),
    })
    const isOf = (type: RunEvent['type'], what: string) => (event: RunEvent) => {
      return event.type === type && JSON.stringify(event).includes(what)
    }
    const cutAfter = (test: (event: RunEvent) => boolean) =>
      renamed(whole.events.slice(0, whole.events.findIndex(test) + 1))
    const done = cutAfter(isOf('effect.done', 'send'))
    const { models } = await go(done, { calls: [], sent: sentBy(done, false) }, without('send'))
    expect(models.results(0)).toEqual(['look done', 'Error Internal: gone', 'sent'])
    const intended = cutAfter(isOf('effect.intended', 'send'))
    const interrupted = await go(intended, { calls: [], sent: sentBy(intended, false) }, without('send'))
    expect(interrupted.models.results(0)[2]).toContain('may have taken place')
    const failed = cutAfter(isOf('call.finished', '"lost"'))
    const lost = await go(failed, { calls: [], sent: new Set() }, without('lost'))
    expect(lost.models.results(0)[1]).toBe('Error Internal: gone')
  })
})

function messagesOfRun(state: RunState) {
  return messagesOf(state.transcripts.get('a')!, state.transcripts)
}

/** The log as that of another run. */
function renamed(events: readonly RunEvent[]): RunEvent[] {
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

/** Idempotency keys of the mails that a log says were sent; the last one too where it had happened before the crash. */
function sentBy(log: readonly RunEvent[], hasHappened: boolean): Set<string> {
  const done = new Set(log.flatMap((event) => (event.type === 'effect.done' ? [event.path] : [])))
  return new Set(
    log.flatMap((event) =>
      event.type === 'effect.intended' && (done.has(event.path) || (hasHappened && event === log.at(-1)))
        ? [event.idempotencyKey]
        : [],
    ),
  )
}
