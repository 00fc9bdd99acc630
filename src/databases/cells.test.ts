import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computedNumber, exactNumber, jsonCell, textCell, timestampCell } from './cells.ts'

describe('exactNumber', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['0.000', 0],
    ['-12.50', -12.5],
    ['000123', 123],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740993', '-9007199254740993'],
    ['0.1234567890123456789', '0.1234567890123456789'],
    [`0.${'0'.repeat(400)}1`, `0.${'0'.repeat(400)}1`],
    ['1000000000000000000000', '1000000000000000000000'],
    ['12345678901234.56', 12345678901234.56],
    ['5.3742857142857143', '5.3742857142857143'],
    ['0.00000000001', 1e-11],
    ['NaN', 'NaN'],
    ['1e5', '1e5'],
  ])('%s', (text, expected) => {
    expect(exactNumber(text)).toBe(expected)
  })

  it('never changes a value: what is a number says the same digits', () => {
    const decimal = fc
      .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 18 }))
      .map(([negative, digits, scale]) => ({ negative, digits, scale }))
    const changed = fc.check(
      fc.property(decimal, ({ negative, digits, scale }) => {
        const padded = digits.toString().padStart(scale + 1, '0')
        const text = `${negative ? '-' : ''}${padded.slice(0, padded.length - scale)}${scale === 0 ? '' : `.${padded.slice(-scale)}`}`
        const value = exactNumber(text)
        if (typeof value === 'string') return value === text
        // Printed in its shortest form, filled up to as many places as it came with, the number gives back every digit.
        const places = { useGrouping: false, minimumFractionDigits: scale, maximumFractionDigits: scale }
        return BigInt(value.toLocaleString('en', places).replace('.', '')) === (negative ? -digits : digits)
      }),
    )
    expect(changed.counterexample).toBeNull()
  })
})

describe('computedNumber', () => {
  it.each([
    ['5.3742857142857143', 5.3742857142857146],
    [`0.${'3'.repeat(200)}`, 1 / 3],
    ['0.33333333333333333333', 1 / 3],
    ['9007199254740993', '9007199254740993'],
    ['12345678901234567.89', '12345678901234567.89'],
    ['NaN', 'NaN'],
  ])('%s', (text, expected) => {
    expect(computedNumber(text)).toBe(expected)
  })
})

describe('textCell', () => {
  it('never cuts a character in two', () => {
    const cut = textCell(`${'x'.repeat(9_999)}😀${'y'.repeat(100)}`)
    expect(cut).toBe(`${'x'.repeat(9_999)}… [cut: 10101 characters in all]`)
  })
})

describe('jsonCell', () => {
  it('stays text where parsing would round a number', () => {
    expect(jsonCell('{"id": 9007199254740993}')).toBe('{"id": 9007199254740993}')
    expect(jsonCell('{"id": 42}')).toEqual({ id: 42 })
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
