import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareNumbers, exactNumber, isExactNumber, parseExactJson, roundBinaryNoise } from './exact-number.ts'

describe('exactNumber', () => {
  it.each([
    ['-0', 0],
    ['-12.50', -12.5],
    ['000123', 123],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740993', '-9007199254740993'],
    ['0.1234567890123456789', '0.1234567890123456789'],
    [`0.${'0'.repeat(400)}1`, `0.${'0'.repeat(400)}1`],
    ['5.3742857142857143', '5.3742857142857143'],
    ['0.00000000001', 1e-11],
    ['NaN', 'NaN'],
    ['1e5', '1e5'],
  ])('%s', (text, expected) => {
    expect(exactNumber(text)).toBe(expected)
  })

  it('never changes a value: a number prints the same digits', () => {
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

describe('parseExactJson', () => {
  it.each([
    ['[9007199254740993, -9007199254740993]', ['9007199254740993', '-9007199254740993']],
    ['{"amount": 12345678901234567.89}', { amount: '12345678901234567.89' }],
    ['{"9007199254740993": "9007199254740993"}', { '9007199254740993': '9007199254740993' }],
    [String.raw`["\\", "\"9007199254740993\"", 9007199254740993]`, ['\\', '"9007199254740993"', '9007199254740993']],
    ['[0.30000000000000004, 1.0, 1e5, -0.50, 1.5E+300]', [0.30000000000000004, 1, 100000, -0.5, 1.5e300]],
    ['[1e400, 1e-400]', ['1e400', '1e-400']],
    ['[0.1234567890123456789e3]', ['0.1234567890123456789e3']],
    ['{"__proto__": {"id": 9007199254740993}}', JSON.parse('{"__proto__": {"id": "9007199254740993"}}')],
  ])('%s', (text, expected) => {
    expect(parseExactJson(text)).toEqual(expected)
  })

  it('equals JSON.parse for JSON from JavaScript', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseExactJson(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each(['', '{', '[01]', '[9007199254740993', '[9007199254740993.]'])('refuses %s', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError)
  })
})

it('sorts by value', () => {
  const sorted = ['9007199254740993', 2, '9007199254740992', -1.5, '-9007199254740993', 1e-9].toSorted(compareNumbers)
  expect(sorted).toEqual(['-9007199254740993', -1.5, 1e-9, 2, '9007199254740992', '9007199254740993'])
})

it.each([
  [1, true],
  ['12.50', true],
  ['-9007199254740993', true],
  ['0123', false],
  ['1e5', false],
  [Number.NaN, false],
  [null, false],
])('%j is a number: %s', (cell, expected) => {
  expect(isExactNumber(cell)).toBe(expected)
})

it.each([
  [110.00000000000001, 110],
  [0.1 + 0.2, 0.3],
  [123456789012345.67, 123456789012345.67],
  [12345678901.25, 12345678901.25],
])('%s without noise is %s', (value, expected) => {
  expect(roundBinaryNoise(value)).toBe(expected)
})
