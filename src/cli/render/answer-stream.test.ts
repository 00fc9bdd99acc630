import { describe, expect, it } from 'vitest'
import { createOutput, type OutputStream } from '../output.ts'
import { AnswerStream } from './answer-stream.ts'

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

describe('output', () => {
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
    expect(stream.text).toBe('Rock sold best.')
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
