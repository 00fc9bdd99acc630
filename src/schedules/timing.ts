import { toTuttiError, TuttiError } from '../domain/errors.ts'
import { omitUndefined } from '../shared/json.ts'

/** When a question is asked: repeatedly by a cron expression of five fields, once at a time, or when a program calls. */
export type Timing =
  | { readonly cron: string; readonly zone: string }
  /** Milliseconds since the epoch. */
  | { readonly at: number }
  | { readonly hook: HookKind }

/** How a program authenticates: it sends the secret itself, or a signature. */
export const HOOK_KINDS = ['bearer', 'signed'] as const
export type HookKind = (typeof HOOK_KINDS)[number]

/**
 * The first time after a moment, both in milliseconds since the epoch; undefined if there is none. If clocks are put
 * forward, a skipped time counts as the first moment after the gap. If they are put back, a repeated time counts once,
 * but `*` and steps run in both hours.
 * @throws TuttiError `InvalidRequest` if the cron line or time zone is not valid
 */
export async function nextAfter(timing: Timing, after: number): Promise<number | undefined> {
  if ('hook' in timing) return undefined
  if ('at' in timing) return timing.at > after ? timing.at : undefined
  const { cron, zone } = timing
  // The library would accept a date as well.
  if (!/^(?:@[a-z]+|\S+(?:\s+\S+){4})$/i.test(cron.trim())) throw noCron(cron)
  if (!isZone(zone)) {
    throw new TuttiError('InvalidRequest', `There is no time zone "${zone}"; write one such as Europe/Berlin.`)
  }
  const { Cron } = await import('croner')
  try {
    const next = new Cron(cron.trim(), { timezone: zone, mode: '5-part', paused: true }).nextRun(new Date(after))
    return next?.getTime()
  } catch (cause) {
    throw noCron(cron, cause)
  }
}

/** The first time from now on. @throws TuttiError `InvalidRequest`, also if there is none */
export async function firstOf(timing: Timing, now: number): Promise<number | undefined> {
  const next = await nextAfter(timing, now)
  if (next !== undefined || 'hook' in timing) return next
  throw new TuttiError('InvalidRequest', 'That time is in the past or never comes; choose a later one.')
}

/**
 * The time after this one. Returns a `flaw` if the timing is no longer valid, for example after its time zone was
 * removed.
 */
export async function nextTime(timing: Timing, now: number): Promise<{ following?: number; flaw?: string }> {
  try {
    return omitUndefined({ following: await nextAfter(timing, now) })
  } catch (thrown) {
    return { flaw: `${toTuttiError(thrown).message} The schedule is paused, and it was not asked.` }
  }
}

function noCron(cron: string, cause?: unknown): TuttiError {
  const message = `"${cron}" is no cron line: write minute, hour, day of the month, month and day of the week, such as "0 8 * * MON-FRI".`
  return new TuttiError('InvalidRequest', message, { cause })
}

/** Whether a time zone exists, such as Europe/Berlin. */
export function isZone(zone: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
