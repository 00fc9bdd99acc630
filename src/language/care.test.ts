import { describe, expect, it } from 'vitest'
import { careIn } from './care.ts'

describe('a question that asks for care', () => {
  it.each([
    [
      'How many active customers are there? Check your answer.',
      'Check your answer',
      'How many active customers are there?',
    ],
    ['How many customers are there? Verify it.', 'Verify it', 'How many customers are there?'],
    [
      'How many customers are there? Please double-check this carefully!',
      'double-check this carefully',
      'How many customers are there?',
    ],
    ['Verify how many active customers there are', 'Verify', 'how many active customers there are'],
    ['Work out step by step how many customers there are', 'Work out step by step', 'how many customers there are'],
    ['How many orders are in each status, step by step?', 'step by step', 'How many orders are in each status?'],
    ['Step by step: what is our revenue?', 'Step by step', 'what is our revenue?'],
    ['Double-check: how many customers do we have?', 'Double-check', 'how many customers do we have?'],
    [
      'Make sure the answer is right: how many customers do we have?',
      'Make sure the answer is right',
      'how many customers do we have?',
    ],
    [
      'What is our revenue by country, and double-check the figures.',
      'double-check the figures',
      'What is our revenue by country.',
    ],
    [
      'Think step by step. Who reports to the Head of Sales?',
      'Think step by step',
      'Who reports to the Head of Sales?',
    ],
  ])('%s', (question, words, rest) => expect(careIn(question)).toEqual({ words, rest }))

  it.each([
    'Prove that there are 78 active customers',
    'Verify that no invoice was paid twice',
    'Check whether the returns policy covers damaged goods',
  ])('%s: nothing of a claim is left out', (question) => {
    expect(careIn(question)).toEqual({ words: expect.any(String), rest: question })
  })
})

it.each([
  'How many checks were paid in 2025?',
  'List the verified customers',
  'How many orders were checked?',
  'Check the stock of beans',
  'Check how many orders are open',
  'What is the status check of order 915?',
  'Where is the step-by-step guide for the grinder?',
  'Which documents say "verify it"?',
  'What does “Check your answer.” mean in the handbook?',
  'Which products are on the double shelf?',
  'Verify it.',
  'Step by step',
])('%s does not', (question) => expect(careIn(question)).toEqual({ rest: question }))
