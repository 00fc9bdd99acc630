import { expect, test } from 'vitest'
import { cronOf, parseDailyCron, type Days } from './schedule-times.ts'

test('a choice is restored from its cron line', () => {
  for (const kind of ['daily', 'weekdays', 'weekly', 'monthly'] satisfies Days[]) {
    for (const time of ['00:00', '08:05', '23:59']) expect(parseDailyCron(cronOf(kind, time))).toEqual({ kind, time })
  }
})

test('all other lines stay lines', () => {
  for (const cron of ['*/5 * * * *', '0 8 * * SUN', '0 8 1 * MON', '0 8 2 * *', '0 8 * 1 *', '0,30 8 * * *', '', 'x']) {
    expect(parseDailyCron(cron)).toBeUndefined()
  }
})
