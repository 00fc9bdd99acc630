import { expect, it } from 'vitest'
import { parseRequest, withTemporalContext } from './request.ts'

it('derives the day of a question from the time zone in its context, or UTC', () => {
  const lateEvening = Date.UTC(2026, 10, 28, 20)
  const dayIn = (context: Record<string, string>): unknown => {
    const request = parseRequest({ question: 'How many today?', context }, new Set())
    return withTemporalContext(request, lateEvening).context['current_date']
  }
  expect(dayIn({})).toBe('2026-11-28')
  expect(dayIn({ current_date_time_zone: 'Asia/Kolkata' })).toBe('2026-11-29')
  expect(() => dayIn({ current_date_time_zone: 'Mars/Olympus' })).toThrow('There is no time zone "Mars/Olympus"')
})
