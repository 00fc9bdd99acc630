import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../testing/manual-clock.ts'
import { createOutput } from '../output.ts'
import { withSpinner } from './spinner.ts'

/** Returns the output to a terminal or a file during work of this many milliseconds. */
async function saidWhile(ms: number, isTTY: boolean, fails = false): Promise<string[]> {
  const clock = new ManualClock()
  const said: string[] = []
  const write = (text: string): boolean => said.push(text) > 0
  const err = createOutput({ isTTY, columns: 80, write }, {})
  const work = new Promise<string>((resolve, reject) => {
    clock.timer(ms, () => (fails ? reject(new Error('no')) : resolve('done')))
  })
  const waiting = withSpinner({ err, clock }, 'Reading', work)
  const outcome = waiting.then(
    (value) => value,
    (error: Error) => error.message,
  )
  await clock.advance(ms)
  expect(await outcome).toBe(fails ? 'no' : 'done')
  expect(clock.pending).toBe(0)
  return said
}

const CLEAR = '\r\u001B[2K'

describe('waiting', () => {
  it('prints nothing for work that ends within a second', async () => {
    expect(await saidWhile(900, true)).toEqual([])
  })

  it('counts the seconds on a terminal, and leaves no trace', async () => {
    const said = await saidWhile(2_500, true)
    expect(said).toEqual([`${CLEAR}Reading … 1.0 s`, `${CLEAR}Reading … 2.0 s`, CLEAR])
  })

  it('leaves no trace after a failure either', async () => {
    expect((await saidWhile(1_500, true, true)).at(-1)).toBe(CLEAR)
  })

  it('is cleared before other output', async () => {
    const clock = new ManualClock()
    const said: string[] = []
    const err = createOutput({ isTTY: true, columns: 80, write: (text) => said.push(text) > 0 }, {})
    const waiting = withSpinner({ err, clock }, 'Reading', new Promise<void>((done) => void clock.timer(2_500, done)))
    clock.timer(1_500, () => err.line('Warning: no mailbox'))
    await clock.advance(2_500)
    await waiting
    expect(said).toEqual([`${CLEAR}Reading … 1.0 s`, CLEAR, 'Warning: no mailbox\n', `${CLEAR}Reading … 2.0 s`, CLEAR])
  })

  it('prints nothing without a terminal', async () => {
    expect(await saidWhile(60_000, false)).toEqual([])
  })
})
