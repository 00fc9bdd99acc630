import { describe, expect, it } from 'vitest'
import { plainShifted, separateDigits } from './superscripts.ts'

describe('a superscript as text', () => {
  it.each([
    ['15', '2', '²'],
    ['m', '2', '²'],
    ['10', '-3', '⁻³'],
    ['x', 'n+1', 'ⁿ⁺¹'],
    ['12', 'a', 'ᵃ'],
    ['7', '2,3', '^(2,3)'],
    ['15', ' 2 ', ' ² '],
    // As a bracket it would look like a citation.
    ['15', '[1]', '¹'],
    ['Wien', '[note 1]', '^(note 1)'],
    // These do not run into what is before them.
    ['1', 'st', 'st'],
    ['15', '*', '*'],
    ['15', '²', '²'],
    ['see ', 'below', 'below'],
    ['15', '', ''],
  ])('behind %j, of %j', (before, run, text) => {
    expect(plainShifted(run, 'raised', before.slice(-1))).toBe(text)
  })

  it.each([
    ['O', '2', '₂'],
    ['T', 'max', '_(max)'],
    ['10', 'q', '_(q)'],
  ])('subscript behind %j, of %j', (before, run, text) => {
    expect(plainShifted(run, 'lowered', before.slice(-1))).toBe(text)
  })
})

it('digits stay apart from superscripts and fractions when compatibility forms are folded', () => {
  expect(separateDigits('15² 1½ m² CO₂ 10⁻³').normalize('NFKC')).toBe('15 2 1 1⁄2 m2 CO2 10−3')
})
