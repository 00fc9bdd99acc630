import { useWords } from '../../locales/words.tsx'
import type { Schedule } from './schedules-page.tsx'

/** When a schedule asks, and when next, in words. */
export function useScheduleText({ cron, zone, at, hook, nextAt, isPaused }: Schedule): string {
  const { words, formats } = useWords()
  if (hook !== undefined) return hook === 'signed' ? words.schedules.whenSigned : words.schedules.whenCalled
  const moment = (time: string): string => formats.date(Date.parse(time))
  if (at !== undefined)
    // A paused schedule has no next time, but is not over.
    return nextAt === undefined && !isPaused
      ? words.schedules.wasAt({ when: moment(at) })
      : words.schedules.onceAt({ when: moment(at) })
  const days = parseDailyCron(cron ?? '')
  const often =
    days === undefined
      ? words.schedules.byCron({ cron: cron ?? '', zone: zone ?? '' })
      : words.schedules.at[days.kind]({ time: days.time, zone: zone ?? '' })
  return nextAt === undefined ? often : `${often} · ${words.schedules.next({ when: moment(nextAt) })}`
}

export type Days = 'daily' | 'weekdays' | 'weekly' | 'monthly'

/** A cron line that says a time on certain days; undefined for all others. */
export function parseDailyCron(cron: string): { kind: Days; time: string } | undefined {
  const [, minute = '', hour = '', day = '', weekday = ''] =
    /^(\d{1,2}) (\d{1,2}) (\*|1) \* (\*|1-5|MON-FRI|1|MON)$/i.exec(cron.trim()) ?? []
  if (minute === '') return undefined
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (day === '1') return weekday === '*' ? { kind: 'monthly', time } : undefined
  const kind = weekday === '*' ? 'daily' : /-/.test(weekday) ? 'weekdays' : 'weekly'
  return { kind, time }
}

/** The cron line of a time, such as `08:30`, on certain days. */
export function cronOf(kind: Days, time: string): string {
  const [hour = '8', minute = '0'] = time.split(':').map((part) => String(Number(part)))
  const days = { daily: '* * *', weekdays: '* * MON-FRI', weekly: '* * MON', monthly: '1 * *' }
  return `${minute} ${hour} ${days[kind]}`
}
