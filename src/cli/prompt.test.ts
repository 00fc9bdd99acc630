import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { promptUser } from './prompt.ts'

let stdin: PassThrough & { isTTY: boolean }
let drawn = ''
beforeEach(() => {
  drawn = ''
  stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    drawn += String(text)
    return true
  })
})
afterEach(() => vi.restoreAllMocks())

const HIDE = '\u001B[?25l'
const SHOW = '\u001B[?25h'

/** Presses keys once the question is on the screen. */
function asked(press: () => void, signal?: AbortSignal): Promise<string | undefined> {
  const cli = { stdin: stdin as unknown as NodeJS.ReadStream }
  return promptUser(
    cli,
    ({ text }, io) => {
      const answer = text({ ...io, message: 'Which one?' })
      setImmediate(press)
      return answer
    },
    signal,
  )
}

it.each<[string, () => void]>([
  ['Ctrl-D', () => stdin.write('\u0004')],
  ['Ctrl-D behind some text', () => stdin.write('abc\u0004')],
  ['Ctrl-C', () => stdin.write('\u0003')],
  ['the end of the input', () => stdin.end()],
])('%s leaves a question, and the cursor is shown again', async (_key, press) => {
  expect(await asked(press)).toBeUndefined()
  expect(drawn.lastIndexOf(SHOW)).toBeGreaterThan(drawn.lastIndexOf(HIDE))
  expect(stdin.listenerCount('keypress')).toBeLessThanOrEqual(1) // that of `readline`, which stays with its stream
})

it('returns the typed text, and an empty answer for Enter alone', async () => {
  expect(await asked(() => stdin.write('shop\r'))).toBe('shop')
  expect(await asked(() => stdin.write('\r'))).toBe('')
})

it('is removed when the caller aborts', async () => {
  const patience = new AbortController()
  expect(await asked(() => patience.abort(), patience.signal)).toBeUndefined()
})
