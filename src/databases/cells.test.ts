import { describe, expect, it } from 'vitest'
import { textCell, timestampCell } from './cells.ts'

describe('textCell', () => {
  it('never cuts a character in two', () => {
    const cut = textCell(`${'x'.repeat(9_999)}😀${'y'.repeat(100)}`)
    expect(cut).toBe(`${'x'.repeat(9_999)}… [cut: 10101 characters in all]`)
  })
})

describe('timestampCell', () => {
  it.each([
    ['2024-03-31 02:30:00', '2024-03-31T02:30:00'],
    ['2024-03-31 02:30:00.5+02', '2024-03-31T02:30:00.5+02:00'],
    ['2024-03-31 02:30:00-03:30', '2024-03-31T02:30:00-03:30'],
    ['12024-03-31 02:30:00', '12024-03-31T02:30:00'],
    ['0044-03-15 12:00:00 BC', '0044-03-15 12:00:00 BC'],
    ['infinity', 'infinity'],
  ])('%s', (text, expected) => {
    expect(timestampCell(text)).toBe(expected)
  })
})
