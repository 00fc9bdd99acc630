import { expect, it } from 'vitest'
import { questionParts } from './question-parts.ts'

/** What each part asks as it stands alone; nothing where the whole is one question, or could not be taken apart with certainty. */
it.each<readonly [string, readonly string[]]>([
  [
    'How much does the washer weigh and what does it cost?',
    ['How much does the washer weigh', 'what does the washer cost?'],
  ],
  ['Who leads the lessons and when?', ['Who leads the lessons', 'when leads the lessons']],
  [
    'Where is the season ticket sold and what is its price?',
    ['Where is the season ticket sold', 'what is the season ticket’s price?'],
  ],
  [
    'What is the charge of the scaffold, and how tall is it?',
    ['What is the charge of the scaffold', 'how tall is the scaffold?'],
  ],
  ['What is the notice period and who signs?', ['What is the notice period', 'who signs?']],
  ['Are dogs allowed and is smoking permitted?', ['Are dogs allowed', 'is smoking permitted?']],
  ['Who is liable, and by when are invoices due?', ['Who is liable', 'by when are invoices due?']],
  [
    'What is the deposit and the notice period of the hire?',
    ['What is the deposit of the hire', 'What is the notice period of the hire'],
  ],
  [
    'What is the notice period during probation and after probation?',
    ['What is the notice period during probation', 'What is the notice period after probation'],
  ],
  [
    'What is the notice period during probation and after it?',
    ['What is the notice period during probation', 'What is the notice period after probation'],
  ],
  ['What is paid before and after probation?', ['What is paid before probation', 'What is paid after probation']],
  ['What is the fee for dogs and for cats?', ['What is the fee for dogs', 'What is the fee for cats']],
  ['What is the fee for dogs and cats?', []],
  ['Wann kommt er und wie viele Wohnungen gibt es?', ['Wann kommt er', 'wie viele Wohnungen gibt es?']],
  ['¿Cuánto cuesta el desayuno y quién es el guarda?', ['¿Cuánto cuesta el desayuno', 'quién es el guarda?']],
  ['Wann ist die Küche offen und was kostet sie?', []],
  ['What is the policy on returns and refunds?', []],
  ['What happens when goods are damaged and the customer complains?', []],
  ['Which shops are open and are near the station?', []],
  ['May hens be kept, and how many?', []],
  ['What does the notice say?', []],
])('%s', (question, parts) => {
  expect(questionParts(question).map((part) => part.question)).toEqual(parts)
})
