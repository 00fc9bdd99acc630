import { describe, expect, it } from 'vitest'
import type { EventBody, RunEvent } from '../../domain/events.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { createOutput, type OutputStream } from '../output.ts'
import { AnswerStream } from './answer-stream.ts'
import { createProgress } from './progress.ts'

class FakeStream implements OutputStream {
  readonly isTTY: boolean
  readonly columns = 30
  text = ''
  constructor(isTTY: boolean) {
    this.isTTY = isTTY
  }
  hasColors(): boolean {
    return false
  }
  write(text: string): boolean {
    this.text += text
    return true
  }
}

let seq = 0
function event(body: EventBody, ms = 0): RunEvent {
  const at = new Date(new ManualClock().now() + ms).toISOString()
  return { ...body, runId: '1a2b3c4d-rest', seq: ++seq, at, v: 1 }
}

const provenance = { author: 'user', private: false, sources: [] } as const
const STARTED = event({ type: 'job.started', key: 'sql', actor: 'sql', attempt: 1 })
const CALLED = event({
  type: 'call.finished',
  key: 'sql',
  path: 'p',
  kind: 'model',
  name: 'sql.generate',
  by: 'model',
  model: 'openai:gpt',
  latencyMs: 900,
  requests: 1,
  usage: { inputTokens: 100, outputTokens: 20 },
})
const FAILED = event({
  type: 'job.settled',
  key: 'sql',
  result: { status: 'failed', error: { type: 'QueryError', message: 'no such\ntable' }, provenance, latencyMs: 2_000 },
})

/** The final content of the screen. */
function screenOf(text: string): string[] {
  return text.split('\n').map((line) => line.slice(line.lastIndexOf('\u001B[2K') + 1).replace('[2K', ''))
}

describe('progress', () => {
  it('is plain lines where output cannot be redrawn', () => {
    const stream = new FakeStream(false)
    const progress = createProgress(createOutput(stream, {}), new ManualClock())
    for (const each of [STARTED, CALLED, FAILED]) progress.event(each)
    expect(stream.text.split('\n')).toEqual([
      'sql started',
      'sql asked openai:gpt: sql.generate, 0.9 s, 1 model call, 120 tokens',
      'sql failed after 2.0 s: no such table',
      '',
    ])
  })

  it('draws one line that never is wider than the terminal, and stays quiet when paused or stopped', async () => {
    const stream = new FakeStream(true)
    const clock = new ManualClock()
    const progress = createProgress(createOutput(stream, {}), clock)
    progress.event(STARTED)
    progress.event(CALLED)
    await clock.advance(1_000)
    expect(screenOf(stream.text).at(-1)).toMatch(/^. sql 1\.0 s \(1 model call, 1…$/)
    progress.pause()
    const paused = stream.text
    await clock.advance(1_000)
    expect(stream.text).toBe(paused)
    progress.event(FAILED)
    progress.stop()
    expect(screenOf(stream.text)).toEqual(['✗ sql failed after 2.0 s: no', '  such table', ''])
    const stopped = stream.text
    progress.event(STARTED)
    await clock.advance(1_000)
    expect(stream.text).toBe(stopped)
  })

  it('has colours only on a terminal that supports them, unless disabled', () => {
    const colourful = Object.assign(new FakeStream(true), { hasColors: () => true })
    expect(createOutput(colourful, {}).style.red('x')).not.toBe('x')
    expect(createOutput(colourful, { NO_COLOR: '1' }).style.red('x')).toBe('x')
    expect(createOutput(Object.assign(new FakeStream(false), { hasColors: () => true }), {}).style.red('x')).toBe('x')
  })
})

describe('AnswerStream', () => {
  it('writes the pieces once and knows that the answer is on the screen', () => {
    const stream = new FakeStream(true)
    const answer = new AnswerStream(createOutput(stream, {}))
    answer.write(1, 'Rock sold ')
    answer.write(1, 'best.\u0007')
    expect(stream.text).toBe('Rock sold')
    expect(answer.shows('Rock sold best.')).toBe(true)
    expect(answer.shows('Another answer.')).toBe(false)
    answer.endLine()
    expect(stream.text).toBe('Rock sold best.\n')
  })

  it('starts over below for a new part', () => {
    const stream = new FakeStream(true)
    const answer = new AnswerStream(createOutput(stream, {}))
    answer.write(1, 'Rock so')
    answer.write(2, 'Jazz sold best.')
    answer.endLine()
    answer.endLine()
    expect(stream.text).toBe('Rock so\n(The answer starts over.)\nJazz sold best.\n')
    expect(answer.shows('Jazz sold best.')).toBe(true)
  })

  it('reports only written text as shown', () => {
    expect(new AnswerStream(createOutput(new FakeStream(true), {})).shows('')).toBe(false)
  })
})
