import fc from 'fast-check'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { TuttiError } from '../../domain/errors.ts'
import type { EventBody } from '../../domain/events.ts'
import { gate } from '../../../test/support/waiting.ts'
import { ManualClock, settled } from '../../testing/manual-clock.ts'
import { AnswerStream } from '../calls/answer-stream.ts'
import { Attempt, CallPaths, digest } from '../calls/attempt.ts'
import type { LiveText } from '../../shared/live-text.ts'
import { loggedError, plainCopy } from '../log/plain-json.ts'
import { isProcessAlive, workerName } from './worker.ts'

describe('the paths of calls', () => {
  it('are the same for two racing chains in any order', () => {
    const chain = fc.array(fc.nat(3), { maxLength: 6 })
    fc.assert(
      fc.property(chain, chain, fc.infiniteStream(fc.boolean()), (left, right, picks) => {
        const walk = (): string[] => {
          const paths = new CallPaths()
          const [a, b] = [[...left], [...right]]
          const found: string[] = []
          while (a.length + b.length > 0) {
            const from = b.length === 0 || (a.length > 0 && picks.next().value) ? a : b
            found.push(paths.next('job@1', 'tool', { n: from.shift() }))
          }
          return found.sort()
        }
        expect(walk()).toEqual(walk())
        expect(new Set(walk()).size).toBe(left.length + right.length)
      }),
    )
  })

  it('depend on inputs, but not on the order of their keys', () => {
    expect(digest({ a: 1, b: { c: [1, 2], d: null } })).toBe(digest({ b: { d: null, c: [1, 2] }, a: 1 }))
    const lists = [[], [1], [1, 2], [2, 1]]
    const different = [1, '1', null, undefined, '', ...lists, {}, { a: 1 }, { b: 2 }, { a: undefined, b: 1 }]
    expect(new Set(different.map(digest)).size).toBe(different.length)
  })
})

describe('an attempt', () => {
  const never = () => new Promise<never>(() => undefined)

  it('counts its time while one call waits and another one works', async () => {
    const clock = new ManualClock()
    const attempt = new Attempt(1, clock, 1_000)
    const running = attempt.run(async () => {
      void attempt.working(() => attempt.parking(never))
      await attempt.working(never)
      return {}
    })
    await settled()
    expect(attempt.isParked).toBe(false)
    running.catch(() => undefined)
    await clock.advance(1_000)
    await expect(running).rejects.toMatchObject({ code: 'Timeout' })
  })

  it('lets an irreversible call end first', async () => {
    const clock = new ManualClock()
    const attempt = new Attempt(1, clock, undefined)
    const effects = [gate(), gate()]
    const { signal } = attempt
    const running = attempt.run(async () => {
      await Promise.all(effects.map((effect) => attempt.uninterrupted(() => effect.promise)))
      return { answer: 'done' }
    })
    const outcome = running.then(
      () => 'ran through',
      (error: TuttiError) => error.message,
    )
    attempt.abort(new TuttiError('Cancelled', 'stop'))
    attempt.abort(new TuttiError('Cancelled', 'stop again'))
    const quiet = attempt.effectsDone()
    effects[0]!.open()
    await settled()
    expect(signal.aborted).toBe(false)
    await expect(attempt.uninterrupted(async () => 'a new one')).rejects.toThrow('stop')
    effects[1]!.open()
    await quiet
    expect(await outcome).toBe('stop')
    expect(signal.reason).toMatchObject({ message: 'stop' })
  })
})

describe('the streamed answer', () => {
  function open() {
    const clock = new ManualClock()
    const shown: LiveText[] = []
    const kept: Extract<EventBody, { type: 'answer.delta' }>[] = []
    const answer = new AnswerStream(
      clock,
      0,
      (text) => shown.push(text),
      (event) => kept.push(event),
    )
    return { clock, shown, kept, answer }
  }

  it('is shown at once and stored in larger pieces, by time or by size', async () => {
    const { clock, shown, kept, answer } = open()
    for (const [i, text] of ['a', 'b', 'c'].entries()) answer.write('k', text, i)
    expect(shown.map(({ part, offset, text }) => [part, offset, text])).toEqual([
      [1, 0, 'a'],
      [1, 1, 'b'],
      [1, 2, 'c'],
    ])
    expect(kept).toEqual([])
    await clock.advance(250)
    expect(kept).toEqual([{ type: 'answer.delta', key: 'k', part: 1, offset: 0, text: 'abc' }])
    answer.write('k', 'x'.repeat(1_000), 3)
    expect(kept[1]).toMatchObject({ offset: 3 })
    expect(clock.pending).toBe(0)
  })

  it('starts a new part when it starts over', () => {
    const { kept, answer } = open()
    answer.write('k', 'wrong', 0)
    answer.write('k', 'right', 0)
    answer.flush()
    expect(kept.map(({ part, offset, text }) => [part, offset, text])).toEqual([
      [1, 0, 'wrong'],
      [2, 0, 'right'],
    ])
  })
})

describe('a value for the log', () => {
  it('is a copy that equals the value that the log returns later', () => {
    const given = { when: new Date(0), gone: undefined, list: [undefined, Number.NaN], map: new Map([[1, 2]]) }
    expect(plainCopy(given, 'It')).toEqual({ when: '1970-01-01T00:00:00.000Z', list: [null, null], map: {} })
    expect(Object.is(plainCopy({ zero: -0 }, 'It').zero, 0)).toBe(true)
    const flat = { a: 1 }
    expect(plainCopy(flat, 'It')).not.toBe(flat)
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(plainCopy(value, 'It')).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('must be serialisable', () => {
    expect(() => plainCopy(1n, 'It', 'ToolError')).toThrow(expect.objectContaining({ code: 'ToolError' }))
    expect(loggedError(new TuttiError('HttpError', 'no', { details: { partial: 1n } }))).toEqual({
      type: 'HttpError',
      message: 'no',
    })
  })
})

describe('a worker', () => {
  const self = workerName()

  it('of this process is alive, for any engine', () => {
    expect(isProcessAlive(self, self)).toBe(true)
    expect(isProcessAlive(workerName(), self)).toBe(true)
  })

  const parts = self.split('/')
  const NAMES = ['host', 'pid', 'start', 'boot id', 'PID namespace'] as const
  const named = (changes: Partial<Record<(typeof NAMES)[number], string>>): string =>
    [...NAMES.map((name, i) => changes[name] ?? parts[i]), 'abc'].join('/')
  const isLinux = process.platform === 'linux'
  const why = isLinux ? '' : ' (skipped: only Linux tells where a pid counts)'

  it.skipIf(!isLinux)(`with the same host and pid but another start time is dead${why}`, () => {
    expect(parts).toHaveLength(6)
    expect(parts).not.toContain('?')
    expect(isProcessAlive(named({ start: '12345' }), self)).toBe(false)
  })

  it.each(['host', 'boot id', 'PID namespace'] as const)('whose %s differs or is unknown counts as alive', (what) => {
    for (const value of ['elsewhere', '?', '']) {
      // A pid that no process has, and the own one at another start.
      expect(isProcessAlive(named({ [what]: value, pid: '999999999' }), self)).toBe(true)
      expect(isProcessAlive(named({ [what]: value, start: '12345' }), self)).toBe(true)
    }
    const unknown = named({ [what]: '?' })
    expect(isProcessAlive(named({ [what]: '?', pid: '999999999' }), unknown), 'unknown of both').toBe(true)
  })

  it.each([
    '',
    'abc',
    'host/1/1/abc',
    `${parts[0]}/0/1/${parts[3]}/${parts[4]}/abc`,
    `${parts[0]}/-1/1/${parts[3]}/${parts[4]}/abc`,
  ])('with an unknown name format counts as alive: "%s"', (name) => {
    expect(isProcessAlive(name, self)).toBe(true)
  })

  it.skipIf(!isLinux)(`whose process has ended is dead, one with a live process is not${why}`, async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    await once(child, 'spawn')
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    const name = named({ pid: String(child.pid), start: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]! })
    expect(isProcessAlive(name, self)).toBe(true)
    expect(
      isProcessAlive(named({ pid: String(child.pid), start: '1' }), self),
      'the pid is another process’s by now',
    ).toBe(false)
    expect(isProcessAlive(named({ pid: String(child.pid), start: '?' }), self)).toBe(true)
    child.kill('SIGSTOP')
    expect(isProcessAlive(name, self), 'a frozen process lives').toBe(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isProcessAlive(name, self)).toBe(false)
  })
})
