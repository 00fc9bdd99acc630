import { describe, expect, it } from 'vitest'
import { isTurnedRound } from './directions.ts'

const NAMES = ['Anna Brandt', 'Petra Vogel', 'Carl Jensen', 'Norvik']
/** Infinitive, past and participle. */
const VERBS = [
  ['replace', 'replaced', 'replaced'],
  ['hire', 'hired', 'hired'],
  ['visit', 'visited', 'visited'],
  ['invite', 'invited', 'invited'],
] as const
const PAIRS = NAMES.flatMap((a) => NAMES.flatMap((b) => (a === b ? [] : [[a, b] as const])))

/** All say that `a` does it to `b`. */
function said(a: string, b: string, [, past, participle]: (typeof VERBS)[number]): string[] {
  return [
    `${a} ${past} ${b} on 1 March 2021.`,
    `In 2021 ${a} finally ${past} ${b}.`,
    `${b} was ${participle} by ${a} in 2021.`,
    `${b} had been ${participle} by ${a} before.`,
    `It was ${a} who ${past} ${b}.`,
    `${a.split(' ').at(-1)} ${past} ${b.split(' ').at(-1)} in 2021.`,
  ]
}

function asked(a: string, b: string, [verb, past, participle]: (typeof VERBS)[number]): string[] {
  return [
    `When did ${a} ${verb} ${b}?`,
    `Why did ${a} ${verb} ${b}?`,
    `When was ${b} ${participle} by ${a}?`,
    `Who ${past} ${b}?`,
    `Whom did ${a} ${verb}?`,
    `Who was ${participle} by ${a}?`,
  ]
}

describe('of two names and a verb', () => {
  it('the same direction is none turned round, in any wording, and the other one is', () => {
    const wrong = PAIRS.flatMap(([a, b]) =>
      VERBS.flatMap((verb) =>
        asked(a, b, verb).flatMap((question) =>
          [
            ...said(a, b, verb).filter((text) => isTurnedRound(question, [text])),
            ...said(b, a, verb).filter((text) => !isTurnedRound(question, [text])),
          ].map((text) => `${question} ${text}`),
        ),
      ),
    )
    expect(wrong).toEqual([])
  })

  it.each([
    ['When did Anna Brandt meet Petra Vogel?', 'Petra Vogel meets Anna Brandt on Monday.'],
    ['When did Anna Brandt replace Petra Vogel?', 'Carl Jensen left in 2021.'],
    ['When did Anna Brandt replace Petra Vogel?', 'The successor of Petra Vogel was Anna Brandt.'],
    ['How long does Norvik turned last?', 'Norvik is turned twice a week.'],
    ['Who is replacing Anna Brandt?', 'Petra Vogel is replacing Anna Brandt.'],
  ])('nothing is known of a direction: %s %s', (question, text) => {
    expect(isTurnedRound(question, [text])).toBe(false)
  })

  it('one sentence that says it as asked is enough', () => {
    const both = ['Petra Vogel replaced Anna Brandt in 2021.', 'Anna Brandt replaced Petra Vogel in 2024.']
    expect(isTurnedRound('When did Anna Brandt replace Petra Vogel?', both)).toBe(false)
  })
})
