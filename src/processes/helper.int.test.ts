import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { bundle } from '../../test/support/bundle.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { startChild } from './child.ts'
import { Helper, type HelperOptions } from './helper.ts'
import type { OddJob, OddOrder } from '../../test/fixtures/processes/odd-jobs.ts'
import type { RunnerEvents } from './runner.ts'
import { startThread } from './thread.ts'

const PROGRAM = pathToFileURL(await bundle('fixtures/processes/odd-jobs.ts'))
afterAll(() => rmSync(new URL('.', PROGRAM), { recursive: true }))

const runners = {
  thread: (on: RunnerEvents) => startThread(PROGRAM, on, { heapMb: 24 }),
  process: (on: RunnerEvents) => startChild(PROGRAM, on, { flags: ['--max-old-space-size=64'] }),
}

const noStart = (why: string): Error => new Error(`no start: ${why}`)

const opened: Helper[] = []
afterEach(() => Promise.all(opened.splice(0).map((helper) => helper.kill())))

function open(kind: keyof typeof runners, order: OddOrder = {}, more: Partial<HelperOptions> = {}) {
  const lost: HelperOptions['lost'] = (end) => new Error(`lost: ${end.kind}, ${end.how}, ${end.stderr.trim()}`)
  const helper = new Helper({ name: 'The helper', start: runners[kind], order, lost, ...more })
  opened.push(helper)
  return { helper, ask: (job: OddJob, options = {}) => helper.call(job, options) }
}

describe.each(['thread', 'process'] as const)('a helper in a %s', (kind) => {
  it('answers parallel calls, each with its own parts, result or error', async () => {
    const { ask } = open(kind, { mark: 'x' })
    const error = { code: 'QueryError', message: 'No such thing.', details: { code: '42P01' } }
    const parts: unknown[] = []
    const values = [1, 'two', { three: 3 }]
    await Promise.all([
      expect(ask({ do: 'fail' })).rejects.toMatchObject(error),
      expect(ask({ do: 'count' }, { onPart: (part: unknown) => parts.push(part) })).resolves.toBe('counted'),
      ...values.map((value) => expect(ask({ do: 'echo', value })).resolves.toEqual(value)),
    ])
    expect(parts).toEqual([1, 2, 3])
    expect(await ask({ do: 'order' })).toEqual({ mark: 'x' })
  })

  it('reports a failed start to callers that wait or call', async () => {
    const { helper, ask } = open(kind, { refuse: 'Not today.' })
    await expect(helper.ready(noStart)).rejects.toThrow('no start: Not today.')
    const error = { code: 'ConfigurationError', message: 'Not today.' }
    await expect(ask({ do: 'echo', value: 1 })).rejects.toMatchObject(error)
  })

  it('fails all pending calls when it dies, and restarts', async () => {
    const { ask } = open(kind)
    const both = await Promise.allSettled([ask({ do: 'die' }), ask({ do: 'die' })])
    for (const one of both) expect(one).toMatchObject({ reason: { message: expect.stringMatching(/^lost: ended, /) } })
    expect(await ask({ do: 'echo', value: 1 })).toBe(1)
  })

  it('kills a job that is silent for too long, also between parts, and restarts', async () => {
    const clock = new ManualClock()
    const { helper, ask } = open(kind, {}, { clock })
    await helper.ready(noStart)
    expect(clock.pending).toBe(0)
    const heard = new Promise((resolve) => {
      const mumbling = ask({ do: 'mumble' }, { timeoutMs: 100, onPart: () => resolve({ mumbling }) })
    })
    const { mumbling } = (await heard) as { mumbling: Promise<unknown> }
    await clock.advance(99)
    expect(clock.pending).toBe(1)
    await clock.advance(1)
    await expect(mumbling).rejects.toThrow('lost: late, it took longer than 0.1 s')
    expect(await ask({ do: 'echo', value: 1 })).toBe(1)
    expect(clock.pending).toBe(0)
  })

  it('is killed in the middle of a call that never ends', async () => {
    const { helper, ask } = open(kind)
    await helper.ready(noStart)
    const outcome = ask({ do: 'spin' }).catch((error: Error) => error.message)
    await helper.kill()
    expect(await outcome).toMatch(/^lost: ended/)
    await helper.kill()
  })

  it('is closed after pending calls, permanently', async () => {
    const { helper, ask } = open(kind)
    const early = ask({ do: 'echo', value: 1 })
    await helper.close()
    expect(await early).toBe(1)
    await expect(ask({ do: 'echo', value: 1 })).rejects.toThrow('The helper is closed; open it again.')
    await helper.close()
  })

  it('is closed only after a call that took too long has ended', async () => {
    let isGone = false
    const start = (on: RunnerEvents) => runners[kind]({ ...on, onEnd: (end) => ((isGone = true), on.onEnd(end)) })
    const { helper, ask } = open(kind, {}, { start })
    await ask({ do: 'echo', value: 1 })
    await expect(ask({ do: 'spin' }, { timeoutMs: 50 })).rejects.toThrow(/^lost: late/)
    expect(isGone).toBe(true)
    const unheard = ask({ do: 'spin' }, { timeoutMs: 50 }).catch(() => undefined)
    isGone = false
    await helper.close()
    expect(isGone).toBe(true)
    await unheard
  })

  it('does not keep the program alive without pending calls', () => {
    const url = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href)
    const script = `
      import { startChild } from ${url('./child.ts')}
      import { startThread } from ${url('./thread.ts')}
      import { Helper } from ${url('./helper.ts')}
      const start = (on) => ${kind === 'thread' ? 'startThread' : 'startChild'}(new URL('${PROGRAM}'), on)
      const helper = new Helper({ name: 'The helper', start, order: {}, lost: (end) => new Error(end.how) })
      console.log(await helper.call({ do: 'echo', value: 42 }))`
    const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      encoding: 'utf8',
    })
    expect(stdout).toBe('42\n')
  })
})

describe('features of only one kind', () => {
  it('a thread reports that its memory is full', async () => {
    await expect(open('thread').ask({ do: 'hog' })).rejects.toThrow(/^lost: memory/)
  })

  it('a process reports its last output, and how it ended', async () => {
    await expect(open('process').ask({ do: 'die' })).rejects.toThrow('lost: ended, exit code 3, last words')
  })

  it('a process cleans up when it is closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tutti-helper-'))
    try {
      const { helper } = open('process', { mark: join(folder, 'mark') })
      await helper.ready(noStart)
      await helper.close()
      expect(readFileSync(join(folder, 'mark'), 'utf8')).toBe('ended')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('a compromised program', () => {
  /** A runner in this process. It answers messages with `replies`, in order. */
  function faked(...replies: unknown[]) {
    let starts = 0
    const start = (on: RunnerEvents) => {
      starts += 1
      return {
        send({ id }: { readonly id: number }) {
          const reply = replies.shift()
          queueMicrotask(() =>
            on.onReply((typeof reply === 'object' && reply !== null ? { id, ...reply } : reply) as never),
          )
        },
        setRef: () => undefined,
        kill: async () => on.onEnd({ kind: 'ended', how: 'it was ended', stderr: '' }),
        end: () => undefined,
      }
    }
    const helper = new Helper({ name: 'The helper', start, lost: ({ how }) => new Error(`lost: ${how}`) })
    return { helper, starts: () => starts }
  }

  it.each([null, 'text', 7, { id: 'no number' }, { error: null }, { error: 'text' }])(
    'is ended for %j',
    async (reply) => {
      const { helper } = faked({ value: 'up' }, reply)
      await expect(helper.call('x')).rejects.toThrow('lost: it was ended')
    },
  )

  it('keeps the program alive until it has exited, when a reply arrives after the kill', async () => {
    const needed: boolean[] = []
    const replies: (() => void)[] = []
    const start = (on: RunnerEvents) => ({
      send: ({ id }: { readonly id: number }) => void replies.push(() => on.onReply({ id })),
      setRef: (isNeeded: boolean) => void needed.push(isNeeded),
      kill: async () => undefined,
      end: () => undefined,
    })
    const helper = new Helper({ name: 'The helper', start, lost: ({ how }) => new Error(how) })
    const called = helper.call('x')
    await helper.kill()
    for (const reply of replies) reply()
    await called
    expect(needed).not.toContain(false)
  })

  it('is restarted by the next call after a failed start', async () => {
    const trouble = { type: 'StorageError', message: 'not there yet' }
    const { helper, starts } = faked({ error: trouble }, { error: trouble }, { value: 'up' }, { value: 'here' })
    await expect(helper.call('x')).rejects.toThrow('not there yet')
    expect(await helper.call('x')).toBe('here')
    expect(starts()).toBe(2)
  })
})
