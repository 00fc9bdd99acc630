// Soak test: kills a process after every event of a step.
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { RunEvent } from '../../src/domain/events.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import {
  differences,
  renamed,
  runLoop,
  sentBy,
  type Decide,
  type Outside,
  type Upgrade,
} from '../support/loop-crashes.ts'
import { describeStores } from '../support/stores.ts'
import { notingTool, type Script } from '../support/tool-loops.ts'

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

const decide: Decide = (to) => [to === 'Eve' ? 'denied' : 'approved']

const CALLS_TO_PEOPLE = ['send Ann', 'send Bob']

describeStores('a tool loop after a crash', (store, kind) => {
  const clock = new ManualClock()

  const go = (log: readonly RunEvent[] | undefined, outside: Outside, upgrade?: Upgrade) =>
    runLoop({ store: store(), clock, script: SCRIPT, decide }, outside, log, upgrade)

  it.each(UPGRADES)(
    '$name, at each event: same requests, no call made twice',
    async (upgrade) => {
      const outside: Outside = { calls: [], sent: new Set() }
      const whole = await go(undefined, outside)
      expect(whole.state.jobs.get('a')?.result?.answer).toBe('done')
      expect(outside.calls.filter((call) => call.startsWith('send'))).toEqual(CALLS_TO_PEOPLE)
      const begun = whole.events.findIndex(({ type }) => type === 'transcript.started') + 1
      const end = whole.events.findIndex(
        ({ type, ...event }) => type === 'job.settled' && 'key' in event && event.key === 'a',
      )
      const step = kind === 'SQLite' || upgrade === UPGRADES[0] ? 1 : 6
      for (let at = begun; at <= end; at += step) {
        const last = whole.events[at - 1]!
        for (const hasHappened of last.type === 'effect.intended' ? [false, true] : [false]) {
          const log = renamed(whole.events.slice(0, at))
          const about = `after ${at} events, the last one ${last.type}${hasHappened ? ', whose call had happened' : ''}`
          const after: Outside = { calls: [], sent: sentBy(log, hasHappened) }
          const sentBefore = after.sent.size
          const resumed = await go(log, after, upgrade)
          expect(differences(resumed, whole, log), about).toEqual([])
          expect(resumed.messages, about).toEqual(whole.messages)
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

  it('reports to the model a call whose tool was removed', async () => {
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
