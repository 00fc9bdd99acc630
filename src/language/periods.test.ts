import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_PERIODS, NO_TIMES, PERIODS, TODAY, UNREAD } from './periods.fixture.ts'
import { periodAt, periodAtWord, periodIn, periodOf, timesIn, unreadIn } from './periods.ts'
import { unreadAt } from './unread.ts'

describe('the golden table', () => {
  it.each(PERIODS)('%s', (phrase, from, before) => {
    const whole = periodOf(phrase, TODAY)
    expect([whole?.from, whole?.before]).toEqual([from, before])
    const within = periodIn(`the orders ${phrase}, by country`, TODAY)
    expect([within?.from, within?.before]).toEqual([from, before])
    const words = phrase.replaceAll(',', ' ,').split(' ')
    expect(periodAtWord([...words, 'please'], 0, TODAY)?.length).toBe(words.length)
  })

  it.each(NO_PERIODS)('%s is none', (phrase) => {
    expect(periodIn(phrase, TODAY)).toBeUndefined()
  })
})

describe('periods', () => {
  it.each([
    ['last month', '2024-03-31', '2024-02-01', '2024-03-01'],
    ['the last 3 months', '2024-05-31', '2024-03-01', '2024-06-01'],
    ['the past month', '2025-03-31', '2025-03-01', '2025-04-01'],
    ['the last 12 months', '2024-02-29', '2023-03-01', '2024-03-01'],
    ['last week', '2027-01-01', '2026-12-21', '2026-12-28'],
    ['last quarter', '2024-02-10', '2023-10-01', '2024-01-01'],
    ['yesterday', '2025-01-01', '2024-12-31', '2025-01-01'],
    ['yesterday', '2024-03-01', '2024-02-29', '2024-03-01'],
    ['in May', '2026-05-01', '2026-05-01', '2026-06-01'],
    ['the last 30 days', '2026-10-31', '2026-10-02', '2026-11-01'],
  ])('%s on %s', (phrase, today, from, before) => {
    expect(periodOf(phrase, today)).toMatchObject({ from, before })
  })

  it('finds the first of several, with the place of its words', () => {
    const text = 'compare returns in Q3 2025 with last year'
    const found = periodIn(text, TODAY)
    expect(found).toMatchObject({ from: '2025-07-01', text: 'in Q3 2025' })
    expect(text.slice(found!.start, found!.end)).toBe('in Q3 2025')
  })

  it('says what was chosen', () => {
    expect(periodOf('last month', TODAY)?.assumption).toBe('“last month” is 2026-10-01 to 2026-10-31')
    expect(periodOf('in March', TODAY)?.assumption).toBe('“March” is March 2026')
    expect(periodOf('from January to March', TODAY)?.assumption).toBe(
      '“from January to March” is 2026-01-01 to 2026-03-31',
    )
    expect(periodOf('from January to March 2024', TODAY)?.assumption).toBeUndefined()
    expect(periodOf('in March 2024', TODAY)?.assumption).toBeUndefined()
  })

  it('reads only full dates without knowing the day', () => {
    expect(periodIn('last month', 'soon')).toBeUndefined()
    expect(periodIn('last month', '2026-02-30')).toBeUndefined()
    expect(periodIn('in March', '')).toBeUndefined()
    expect(periodIn('since March 2024', '')).toMatchObject({ from: '2024-03-01' })
  })

  it('takes a bare year for one only where a time is due', () => {
    expect(periodOf('2024', TODAY)).toMatchObject({ from: '2024-01-01' })
    expect(periodIn('order 2025', TODAY)).toBeUndefined()
    expect(periodIn('orders between 2000 and 2050 euros', TODAY)).toBeUndefined()
  })

  it('takes two days named by one month for two', () => {
    expect(unreadIn('orders on 5 and 9 March 2024', TODAY)?.said).toBe('on 5 and 9 March 2024')
    expect(periodIn('orders between 5 and 9 March 2024', TODAY)).toMatchObject({ from: '2024-03-05' })
  })

  it('finds all of several', () => {
    const days = (text: string): unknown[] =>
      timesIn(text, TODAY).map((time) => ('reason' in time ? time.said : time.from))
    expect(days('revenue in 2023 and 2024')).toEqual(['2023-01-01', '2024-01-01'])
    expect(days('mails from March and from two weeks ago')).toEqual(['2026-03-01', 'from two weeks ago'])
    expect(days('the mail about "early 2024"')).toEqual([])
  })
})

describe('times that are no days', () => {
  it.each(UNREAD)('%s is named, alone and within a question', (phrase) => {
    const text = `How many orders came in ${phrase}, please?`
    expect(unreadIn(phrase, TODAY)?.said).toBe(phrase)
    expect(unreadIn(text, TODAY)?.said).toContain(phrase)
    expect(periodIn(text, TODAY)).toBeUndefined()
  })

  it.each(NO_TIMES)('%s speaks of no time', (text) => {
    expect(unreadIn(text, TODAY)).toBeUndefined()
  })

  it('passes over no text at whose beginning a time can be read', () => {
    const phrases = [...PERIODS.map(([phrase]) => phrase), ...UNREAD].join(' ')
    const words = [...new Set(phrases.toLowerCase().match(/[a-z]+/g)), 'last', 'the', 'first', 'so far', 'to date']
    const anyWords = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(anyWords, (some) => {
        const text = some.join(' ')
        const isTime = (periodAt(text, 0, TODAY, 'anywhere') ?? unreadAt(text, 0, TODAY)) !== undefined
        expect(timesIn(text, TODAY).length > 0 || !isTime).toBe(true)
      }),
      { numRuns: 3000, seed: 7 },
    )
  })

  it('says why', () => {
    expect(unreadIn('mails of 31 February', TODAY)?.reason).toBe('There is no such day: “31 February”.')
    expect(unreadIn('between 2025-03-10 and 2025-03-05', TODAY)?.reason).toMatch(/ends before it begins/)
    expect(unreadIn('revenue in the last fiscal year', TODAY)?.reason).toMatch(/fiscal year begins/)
  })
})
