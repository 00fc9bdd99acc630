import { TuttiError } from '../domain/errors.ts'
import { insert, sql, queryRows, type Script } from '../storage/sql/query.ts'
import { SqlStore } from '../storage/sql/sql-store.ts'
import type { Grantee } from './permissions.ts'
import { changeAccounts, type Change } from './account-changes.ts'

/** What can be limited. Cost is in millionths of a US dollar, so that sums are exact. */
export const MEASURES = ['cost', 'tokens', 'runs'] as const
export type Measure = (typeof MEASURES)[number]
export const PERIODS = ['day', 'month'] as const
export type Period = (typeof PERIODS)[number]

/**
 * The maximum per UTC day or month. A quota of `everyone` applies to each user separately; the user's own quota
 * overrides it.
 */
export interface Quota {
  readonly to: Grantee
  readonly measure: Measure
  readonly period: Period
  readonly most: number
}

/** A quota, and how much of it is used or reserved. */
export interface QuotaUse extends Quota {
  readonly used: number
  /** When it is reset. */
  readonly endsAt: number
}

export interface Consumer {
  readonly userId: string
  readonly groups: readonly string[]
}

/** The amount to reserve: exactly this much, at most this much, or `share`: a part of the remaining quota. */
export type RequestedAmount = { readonly exactly: number } | { readonly atMost: number } | 'share'

const LOCK = 'quotas'
const QUOTAS = sql`SELECT grantee AS "to", measure, period, most FROM quotas`
/** `share` is a quarter of the remaining quota, and at least a twentieth of the whole quota. */
const SHARE_OF_REST = 4
const SHARE_OF_ALL = 20

/**
 * Quotas with reservation: a run reserves the maximum that it may use before it begins, so that parallel runs cannot
 * overdraw a quota.
 */
export class Quotas extends SqlStore {
  async list(): Promise<readonly Quota[]> {
    return this.sql.all<Quota>(sql`${QUOTAS} ORDER BY grantee, measure, period`)
  }

  /** @throws TuttiError `InvalidRequest` if the quota is not valid */
  async set(
    by: string,
    { to, measure, period, most }: Omit<Quota, 'most'> & { readonly most: number | undefined },
  ): Promise<void> {
    if (most !== undefined && !(Number.isSafeInteger(most) && most >= 0)) {
      throw new TuttiError('InvalidRequest', 'A limit must be a whole number of 0 or more.')
    }
    const change: Change = { by, action: 'set limit', target: to, detail: { measure, period, most } }
    const set = function* (): Script<void> {
      yield sql`DELETE FROM quotas WHERE grantee = ${to} AND measure = ${measure} AND period = ${period}`
      if (most !== undefined) yield insert('quotas', { grantee: to, measure, period, most })
    }
    await changeAccounts({ sql: this.sql, clock: this.clock }, change, set, { lock: LOCK })
  }

  /** The quotas that apply to a user, and their use. */
  async listFor(consumer: Consumer): Promise<readonly QuotaUse[]> {
    const now = this.clock.now()
    return this.sql.write(LOCK, () => applicableLimits(consumer, now))
  }

  /**
   * Reserves the amounts in all quotas that apply to a user, or in none.
   * @param id of the run
   * @returns how much was granted of each limited measure
   * @throws TuttiError `LimitReached` naming the quota and when it is reset
   */
  async reserve(
    id: string,
    consumer: Consumer,
    requested: Readonly<Partial<Record<Measure, RequestedAmount>>>,
  ): Promise<Readonly<Partial<Record<Measure, number>>>> {
    const now = this.clock.now()
    return this.sql.write(LOCK, function* (): Script<Partial<Record<Measure, number>>> {
      const before = yield* findReservation(id)
      if (before !== undefined) return before
      const limits = yield* applicableLimits(consumer, now)
      const granted: Partial<Record<Measure, number>> = {}
      for (const measure of MEASURES) {
        const requestedAmount = requested[measure]
        const applicable = limits.filter((limit) => limit.measure === measure)
        if (requestedAmount === undefined || applicable.length === 0) continue
        granted[measure] = Math.min(...applicable.map((limit) => grantOf(limit, requestedAmount)))
      }
      for (const place of countedFor(consumer, requested, now)) {
        const isHeld = limits.some(({ usedBy, measure, periodKey }) => {
          return usedBy === place.grantee && measure === place.measure && periodKey === place.period
        })
        // Without a quota nothing is reserved. The actual use is still counted by `settle`.
        const amount = isHeld ? granted[place.measure]! : 0
        if (amount > 0) yield* consume(place, amount)
        yield insert('quota_reservations', { reservationId: id, ...place, amount })
      }
      return granted
    })
  }

  /** IDs of the runs that hold a reservation in the user's quotas. */
  async openRuns({ userId, groups }: Consumer): Promise<readonly string[]> {
    const mine = [`user:${userId}`, ...groups.map((group) => `group:${group}`)]
    const rows = await this.sql.all<{ id: string }>(
      sql`SELECT DISTINCT reservation_id AS id FROM quota_reservations WHERE measure = 'runs' AND grantee IN ${mine}`,
    )
    return rows.map(({ id }) => id)
  }

  /** Replaces the reservation of a run by its actual use. A measure that is absent was not used. Idempotent. */
  async settle(id: string, used: Readonly<Partial<Record<Measure, number>>> = {}): Promise<void> {
    await this.sql.write(LOCK, () => settleReservation(id, used))
  }
}

/** A counter. */
interface Place {
  readonly grantee: string
  readonly measure: Measure
  readonly period: string
}

interface Limit extends QuotaUse {
  /** Whose use it counts. A quota of `everyone` has one counter per user. */
  readonly usedBy: Grantee
  readonly periodKey: string
}

function* applicableLimits({ userId, groups }: Consumer, now: number): Script<readonly Limit[]> {
  const me: Grantee = `user:${userId}`
  const mine = ['everyone', me, ...groups.map((group) => `group:${group}`)]
  const quotas = yield* queryRows<Quota>(sql`${QUOTAS} WHERE grantee IN ${mine} ORDER BY grantee, measure, period`)
  const isOwn = ({ measure, period }: Quota): boolean =>
    quotas.some((own) => own.to === me && own.measure === measure && own.period === period)
  const limits: Limit[] = []
  for (const quota of quotas) {
    if (quota.to === 'everyone' && isOwn(quota)) continue
    const usedBy = quota.to === 'everyone' ? me : quota.to
    const { key: periodKey, endsAt } = periodAt(quota.period, now)
    const [row] = yield* queryRows<{ used: number }>(
      sql`SELECT used FROM quota_use WHERE grantee = ${usedBy} AND measure = ${quota.measure} AND period = ${periodKey}`,
    )
    limits.push({ ...quota, most: Number(quota.most), used: Number(row?.used ?? 0), usedBy, periodKey, endsAt })
  }
  return limits
}

/** @throws TuttiError `LimitReached` */
function grantOf(limit: Limit, want: RequestedAmount): number {
  const left = limit.most - limit.used
  const least = want !== 'share' && 'exactly' in want ? want.exactly : 1
  if (left < least) throw limitError(limit, least)
  if (want === 'share')
    return Math.min(left, Math.max(1, Math.ceil(left / SHARE_OF_REST), Math.ceil(limit.most / SHARE_OF_ALL)))
  return 'exactly' in want ? want.exactly : Math.min(left, want.atMost)
}

function limitError({ to, measure, period, most, used, endsAt }: Limit, needed: number): TuttiError {
  const limit = `the limit of ${formatAmount(measure, most)} per ${period}${to.startsWith('group:') ? ' of your group' : ''}`
  const isFull = used >= most
  const state = isFull
    ? `You reached ${limit}.`
    : `This needs ${formatAmount(measure, needed)}, and ${formatAmount(measure, most - used)} of ${limit} are left.`
  const resetAt = new Date(endsAt).toISOString().slice(0, 16).replace('T', ' at ')
  const message = `${state} It is reset on ${resetAt} UTC. Ask an admin for more.`
  return new TuttiError('LimitReached', message, { details: { endsAt } })
}

function formatAmount(measure: Measure, amount: number): string {
  if (measure === 'cost') return `$${(amount / 1e6).toFixed(2)}`
  return `${amount.toLocaleString('en-US')} ${amount === 1 ? measure.slice(0, -1) : measure}`
}

/** The counters of a user, also those without a quota: for the user and their groups, by day and month. */
function countedFor(
  { userId, groups }: Consumer,
  requested: Readonly<Partial<Record<Measure, RequestedAmount>>>,
  now: number,
): readonly Place[] {
  const me: Grantee = `user:${userId}`
  return MEASURES.filter((measure) => requested[measure] !== undefined).flatMap((measure) =>
    [me, ...groups.map((group): Grantee => `group:${group}`)].flatMap((grantee) =>
      PERIODS.map((period) => ({ grantee, measure, period: periodAt(period, now).key })),
    ),
  )
}

/** The amounts granted earlier to the same run, so that `reserve` is idempotent. */
function* findReservation(id: string): Script<Partial<Record<Measure, number>> | undefined> {
  const rows = yield* queryRows<{ measure: Measure; amount: number }>(
    sql`SELECT measure, amount FROM quota_reservations WHERE reservation_id = ${id}`,
  )
  // At least 1 is granted of a limited measure; rows with 0 are only counters.
  const limited = rows.filter(({ amount }) => Number(amount) > 0)
  return rows.length === 0 ? undefined : Object.fromEntries(limited.map((row) => [row.measure, Number(row.amount)]))
}

function* settleReservation(id: string, actual: Readonly<Partial<Record<Measure, number>>>): Script<void> {
  const deletion = sql`DELETE FROM quota_reservations WHERE reservation_id = ${id} RETURNING grantee, measure, period, amount`
  const rows = yield* queryRows<{ grantee: string; measure: Measure; period: string; amount: number }>(deletion)
  for (const { amount, ...place } of rows) {
    const difference = (actual[place.measure] ?? 0) - Number(amount)
    if (difference !== 0) yield* consume(place, difference)
  }
}

function* consume(place: Place, more: number): Script<void> {
  yield sql`${insert('quota_use', { ...place, used: more })}
    ON CONFLICT (grantee, measure, period) DO UPDATE SET used = quota_use.used + excluded.used`
}

/** The UTC day or month of a time, and when the next one begins. */
function periodAt(period: Period, now: number): { readonly key: string; readonly endsAt: number } {
  const date = new Date(now)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (period === 'day') return { key: date.toISOString().slice(0, 10), endsAt: Date.UTC(year, month, day + 1) }
  return { key: date.toISOString().slice(0, 7), endsAt: Date.UTC(year, month + 1, 1) }
}
