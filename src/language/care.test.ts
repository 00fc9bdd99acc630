import { describe, expect, it } from 'vitest'
import { createRandom } from '../demo/random.ts'
import { careIn } from './care.ts'

describe('a question that asks for care', () => {
  it.each([
    [
      'How many active customers are there? Check your answer.',
      'Check your answer',
      'How many active customers are there?',
    ],
    [
      'If notes.txt has an order, read it, otherwise list; check your answer',
      'check your answer',
      'If notes.txt has an order, read it, otherwise list',
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
    'Explain step by step how to reset the router',
  ])('%s: nothing of a clause is left out', (question) => {
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
  'Which artists have the track Step By Step?',
  'Which step by step guide do we sell?',
  'Summarise the step by step plan in plan.pdf',
  "Which tracks have the title 'please. Verify it.'",
  'Tell Anna to review and check the totals',
  'Send Bob a mail: verify the numbers.',
  'Draft a mail to support, saying that they pack the boxes. Then check the totals.',
  'Draft a mail to support, saying that they should work step by step',
])('%s does not', (question) => expect(careIn(question)).toEqual({ rest: question }))

describe('care words anywhere', () => {
  const QUESTIONS = [
    'How many orders are open',
    'Which artists have the track Blue Moon',
    'What is the revenue by country in 2025',
    'List the customers who bought the guide for beginners',
    'Summarise the plan in plan.pdf',
  ]
  const SAID = [
    'step by step',
    'think step by step',
    'work it out step by step',
    'verify it',
    'check the totals',
    'check your answer carefully',
    'double-check',
    'make sure the figures are right',
  ]
  const DICTATED = [
    'Draft a mail to support',
    'Please send Bob a note',
    'Tell Anna',
    'How many? Then reply to Lena',
    'Let Tom know',
  ]
  const TURNS: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => text[0]!.toUpperCase() + text.slice(1),
    (text) => text.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  ]
  const BEHIND = [
    ' saying: ',
    ', saying that they should ',
    ': ',
    ' saying that they pack. Then ',
    ', telling him to ',
    '. ',
    ', ',
  ]

  it('take no word away that stands inside a clause, is quoted, named or dictated', () => {
    const random = createRandom(20_260)
    const cut: string[] = []
    for (let i = 0; i < 4_000; i++) {
      const words = random.pick(QUESTIONS).split(' ')
      const said = random.pick(TURNS)(random.pick(SAID))
      const [open, close] = random.pick(['""', "''", '“”', '‘’', '``', '«»'])
      const at = random.int(1, words.length)
      const asked = words.join(' ')
      const inside = [...words.slice(0, at), said, ...words.slice(at)].join(' ')
      const questions = [
        `${inside}?`,
        `${asked}? ${open}Well? ${said}${close}`,
        `${asked} with the title ${open}${said}.${close}`,
        `${asked} called Pack it. ${said}`,
        `${asked}, ${TURNS[2]!(said)}?`.replace(/, double-check/i, ' double-check'),
        `${random.pick(DICTATED)}${random.pick(BEHIND)}${said}.`,
      ]
      cut.push(...questions.filter((question) => careIn(question).rest !== question))
    }
    expect([...new Set(cut)]).toEqual([])
  })

  it('go where they are a sentence of their own at the beginning or the end', () => {
    for (const asked of QUESTIONS.slice(0, 3)) {
      for (const said of SAID) {
        expect(careIn(`${asked}? ${TURNS[1]!(said)}.`)).toEqual({ words: TURNS[1]!(said), rest: `${asked}?` })
        expect(careIn(`${TURNS[1]!(said)}: ${asked}?`)).toEqual({ words: TURNS[1]!(said), rest: `${asked}?` })
      }
    }
  })
})
