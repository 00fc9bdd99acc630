import { randomUUID } from 'node:crypto'
import { TuttiError } from '../domain/errors.ts'
import type { RunId, Owner } from '../domain/events.ts'
import { omitUndefined } from '../shared/json.ts'
import type { RunStatus } from '../domain/store.ts'
import { hashToken, newToken } from '../accounts/account-tokens.ts'
import { SealedSqlStore } from '../storage/sql/sql-store.ts'
import { fixed, insert, limited, rowRecord, sql, where, type Query, type Script } from '../storage/sql/query.ts'
import { newSigningSecret } from './signature.ts'
import { firstOf, nextTime } from './timing.ts'
import type { Firing, FiringStatus, NewSchedule, Schedule, ScheduleChange, Secrets } from './types.ts'

interface StoredSchedule extends Omit<NewSchedule, 'timing'> {
  readonly secrets: Secrets
}

/** A due time of a schedule, with the payload that a program sent. */
interface Due {
  readonly runId: RunId
  readonly at: number
  readonly body?: string
}

const MAX_SCHEDULES = 100
/** Maximum of past firings kept per schedule. */
const REMEMBERED = 50
/** Maximum of open firings per owner. Many wait for an approval, and all owners share the storage. */
const MAX_OPEN_FIRINGS = 100
const FULL = `${MAX_OPEN_FIRINGS} answers of your schedules and hooks are not finished or wait for you`
const UNDER_WAY: readonly RunStatus[] = ['running', 'waiting']
const OPEN: readonly FiringStatus[] = ['due', 'running', 'sending']

/** Schedules and hooks of all owners. Their requests and secrets are encrypted. */
export class Schedules extends SealedSqlStore {
  /** @throws TuttiError `InvalidRequest` for a time that never comes; `LimitReached` */
  async add(
    owner: Owner,
    { timing, ...asked }: NewSchedule,
  ): Promise<{ readonly schedule: Schedule; readonly secrets: Secrets }> {
    const now = this.clock.now()
    const nextAt = await firstOf(timing, now)
    const scheduleId = randomUUID()
    const hook = 'hook' in timing ? (timing.hook === 'bearer' ? newToken('tuttihook_') : newSigningSecret()) : undefined
    const secrets: Secrets = omitUndefined({
      hook,
      webhook: asked.webhook === undefined ? undefined : newSigningSecret(),
    })
    const isHashed = 'hook' in timing && timing.hook === 'bearer'
    const content: StoredSchedule = {
      ...asked,
      secrets: isHashed ? omitUndefined({ webhook: secrets.webhook }) : secrets,
    }
    const row = {
      owner,
      scheduleId,
      timing: JSON.stringify(timing),
      asked: await this.seal.close(JSON.stringify(content), sealContext(scheduleId)),
      secretHash: isHashed ? hashToken(hook!) : null,
      nextAt,
      isPaused: 0,
      createdAt: now,
    }
    await this.sql.write(owner, function* () {
      const mine = yield sql`SELECT schedule_id FROM schedules ${where({ owner })}`
      if (mine.length >= MAX_SCHEDULES) {
        throw new TuttiError('LimitReached', `${MAX_SCHEDULES} schedules are the most; remove one first.`)
      }
      yield sql`${insert('schedules', row)} ON CONFLICT (schedule_id) DO NOTHING`
    })
    return { schedule: await this.get(owner, scheduleId), secrets }
  }

  /** Latest first. */
  async list(owner: Owner): Promise<readonly Schedule[]> {
    const rows = await this.sql.of(owner, sql`SELECT * FROM schedules ${where({ owner })} ORDER BY created_at DESC`)
    return Promise.all(rows.map((row) => this.toSchedule(row)))
  }

  /** @throws TuttiError `NotFound` if it does not exist or belongs to another user */
  async get(owner: Owner, scheduleId: string): Promise<Schedule> {
    const [row] = await this.sql.of(owner, sql`SELECT * FROM schedules ${where({ owner, schedule_id: scheduleId })}`)
    if (row === undefined) throw noSchedule(scheduleId)
    return this.toSchedule(row)
  }

  /**
   * Pauses or resumes a schedule. Firings missed while paused are not made up for.
   * @throws TuttiError `NotFound`; `InvalidRequest` if its time has passed
   */
  async pause(owner: Owner, scheduleId: string, isPaused: boolean): Promise<void> {
    const { timing, isPaused: wasPaused } = await this.get(owner, scheduleId)
    if (isPaused === wasPaused) return
    const nextAt = isPaused ? undefined : await firstOf(timing, this.clock.now())
    const change = sql`UPDATE schedules SET is_paused = ${isPaused ? 1 : 0}, next_at = ${nextAt}`
    await this.sql.of(owner, sql`${change} ${where({ owner, schedule_id: scheduleId })}`)
  }

  /**
   * Changes the request or timing. Secrets and the paused state are kept.
   * @throws TuttiError `NotFound`; `InvalidRequest` for a time that never comes, and for a change between hook and time
   */
  async edit(owner: Owner, scheduleId: string, { timing, request }: ScheduleChange): Promise<void> {
    const before = await this.get(owner, scheduleId)
    if (timing !== undefined && 'hook' in timing !== 'hook' in before.timing) {
      throw new TuttiError(
        'InvalidRequest',
        'A hook cannot get a time, and a schedule cannot become a hook. Create another one.',
      )
    }
    const when = JSON.stringify(timing ?? before.timing)
    const isMoved = when !== JSON.stringify(before.timing)
    const nextAt = isMoved ? await firstOf(timing!, this.clock.now()) : undefined
    const content: StoredSchedule = {
      request: request ?? before.request,
      ...omitUndefined({ webhook: before.webhook }),
      secrets: await this.secretsOf(scheduleId),
    }
    const sealed = await this.seal.close(JSON.stringify(content), sealContext(scheduleId))
    // Reads the paused state within the update: another request may have changed it.
    const reschedule = isMoved
      ? sql`, next_at = CASE WHEN is_paused = 1 THEN NULL ELSE CAST(${nextAt} AS bigint) END`
      : sql``
    const change = sql`UPDATE schedules SET timing = ${when}, asked = ${sealed}${reschedule}`
    await this.sql.of(owner, sql`${change} ${where({ owner, schedule_id: scheduleId })}`)
  }

  /** Deletes a schedule. Runs that it started continue, and its answers are kept. @throws TuttiError `NotFound` */
  async remove(owner: Owner, scheduleId: string): Promise<void> {
    await this.get(owner, scheduleId)
    await this.sql.write(owner, function* () {
      yield sql`DELETE FROM schedule_runs ${where({ owner, schedule_id: scheduleId })}`
      yield sql`DELETE FROM schedules ${where({ owner, schedule_id: scheduleId })}`
    })
  }

  /**
   * Makes a schedule due now. Idempotent per run ID.
   * @param body payload that a program sent
   * @throws TuttiError `NotFound`; `LimitReached` if too many firings are open
   */
  async fire(owner: Owner, scheduleId: string, runId: RunId = randomUUID(), body?: string): Promise<RunId> {
    const sealed = body === undefined ? undefined : await this.seal.close(body, sealContext(runId))
    const due: Due = { runId, at: this.clock.now(), ...omitUndefined({ body: sealed }) }
    await this.sql.write(owner, function* () {
      const existing = yield sql`SELECT run_id FROM schedule_runs ${where({ owner, run_id: runId })}`
      if (existing.length > 0) return
      const schedules = yield sql`SELECT schedule_id FROM schedules ${where({ owner, schedule_id: scheduleId })}`
      if (schedules.length === 0) throw noSchedule(scheduleId)
      if (yield* isFull(owner)) throw new TuttiError('LimitReached', `${FULL}; see to those first.`)
      yield* firing(owner, scheduleId, due)
    })
    return runId
  }

  /** Creates firings for due schedules: one each, however many times were missed and however many processes run. */
  async fireDue(): Promise<void> {
    const now = this.clock.now()
    const rows = await this.sql.all(sql`SELECT * FROM schedules WHERE next_at <= ${now} AND is_paused = 0`)
    for (const row of rows) {
      const { owner, scheduleId, timing, nextAt } = rowRecord<Required<Schedule>>(row, ['timing'])
      const { following, flaw } = await nextTime(timing, now)
      const due: Due = { runId: randomUUID(), at: nextAt }
      await this.sql.write(owner, function* () {
        const condition = where({ schedule_id: scheduleId, next_at: nextAt, is_paused: 0 })
        const next = sql`next_at = ${following}, is_paused = ${flaw === undefined ? 0 : 1}`
        const moved = yield sql`UPDATE schedules SET ${next} ${condition} RETURNING schedule_id`
        if (moved.length === 0) return
        const full = (yield* isFull(owner)) ? `${FULL}; it was not asked.` : undefined
        yield* firing(owner, scheduleId, due, flaw ?? full)
      })
    }
  }

  /** Firings to work on next: by owner in turn, oldest first. Excludes those that wait for their run. */
  async listOpen(runId?: RunId): Promise<readonly Firing[]> {
    const isOpen = where({ status: OPEN, run_id: runId })
    return this.records(
      sql`SELECT ${COLUMNS} FROM (
        SELECT *, row_number() OVER (PARTITION BY owner, status ORDER BY due_at, run_id) AS turn FROM schedule_runs
        ${isOpen} AND try_at <= ${this.clock.now()} AND NOT (status = 'running' AND EXISTS (
          SELECT 1 FROM runs WHERE runs.run_id = schedule_runs.run_id AND runs.status IN ${UNDER_WAY}))
      ) AS turns ORDER BY turn, due_at, run_id ${limited(200)}`,
    )
  }

  /** Latest first. */
  async listFirings(owner: Owner, scheduleId: string): Promise<readonly Firing[]> {
    const condition = where({ owner, schedule_id: scheduleId })
    return this.recordsOf(owner, sql`${FIRINGS} ${condition} ORDER BY due_at DESC, run_id LIMIT ${REMEMBERED}`)
  }

  /** Payload that a program sent. */
  async payloadOf({ runId }: Firing): Promise<string | undefined> {
    const [row] = await this.sql.all<{ body: string | null }>(
      sql`SELECT body FROM schedule_runs ${where({ run_id: runId })}`,
    )
    return row?.body == null ? undefined : this.unseal(row.body, sealContext(runId), 'A schedule')
  }

  /** Moves a firing to its next status. Returns false if another process has done so. */
  settle(firing: Firing, status: FiringStatus, note?: string): Promise<boolean> {
    return this.change(
      firing,
      sql`status = ${status}, tries = 0, try_at = ${this.clock.now()}, note = ${note}, failure = NULL`,
    )
  }

  /** Deletes a firing whose schedule was deleted. */
  async forget({ runId }: Firing): Promise<void> {
    await this.sql.all(sql`DELETE FROM schedule_runs ${where({ run_id: runId })}`)
  }

  /**
   * Claims a step and sets when it may be tried again. Returns true for exactly one of several processes. Keeps the
   * note.
   */
  attempt(firing: Firing, again: number): Promise<boolean> {
    return this.change(firing, sql`tries = ${firing.tries + 1}, try_at = ${again}`)
  }

  /** Stores why an attempt failed, until the next one. */
  recordFailure(firing: Firing, failure: string): Promise<boolean> {
    return this.change(firing, sql`failure = ${failure}`)
  }

  /** The schedule of a hook, and the secret that its caller must know. */
  async findHook(scheduleId: string): Promise<{ schedule: Schedule; hash?: string; secret?: string } | undefined> {
    const [row] = await this.sql.all<object>(sql`SELECT * FROM schedules ${where({ schedule_id: scheduleId })}`)
    if (row === undefined) return undefined
    const { secretHash } = rowRecord<{ secretHash?: string }>(row)
    const schedule = await this.toSchedule(row)
    if (!('hook' in schedule.timing) || schedule.isPaused) return undefined
    return { schedule, ...omitUndefined({ hash: secretHash, secret: (await this.secretsOf(scheduleId)).hook }) }
  }

  async secretsOf(scheduleId: string): Promise<Secrets> {
    const [row] = await this.sql.all<{ asked: string }>(
      sql`SELECT asked FROM schedules ${where({ schedule_id: scheduleId })}`,
    )
    return row === undefined ? {} : (await this.unsealContent(row.asked, scheduleId)).secrets
  }

  /** Decrypts a row of these tables without its secrets, for the export of a user's data. */
  async decryptRow(row: object): Promise<Readonly<Record<string, unknown>>> {
    const { scheduleId, runId, asked, body } = rowRecord<Due & { scheduleId: string; asked?: string }>(row)
    const { secrets: _, ...plain } = asked === undefined ? {} : await this.unsealContent(asked, scheduleId)
    const { asked: _asked, ...rest } = row as { asked?: string }
    return {
      ...rest,
      ...plain,
      ...(body === undefined ? {} : { body: await this.unseal(body, sealContext(runId), 'A schedule') }),
    }
  }

  private change({ runId, status, tries }: Firing, to: Query): Promise<boolean> {
    const condition = where({ run_id: runId, status, tries })
    return this.hasRows(sql`UPDATE schedule_runs SET ${to} ${condition} RETURNING run_id`)
  }

  private async toSchedule(row: object): Promise<Schedule> {
    const record = rowRecord<Omit<Schedule, 'isPaused'> & { asked: string; isPaused: number }>(row, ['timing'])
    const { scheduleId, owner, timing, nextAt, createdAt } = record
    const { request, webhook } = await this.unsealContent(record.asked, scheduleId)
    const isPaused = record.isPaused === 1
    return { scheduleId, owner, timing, request, ...omitUndefined({ webhook, nextAt }), isPaused, createdAt }
  }

  private async unsealContent(sealed: string, scheduleId: string): Promise<StoredSchedule> {
    return JSON.parse(await this.unseal(sealed, sealContext(scheduleId), 'A schedule')) as StoredSchedule
  }
}

const COLUMNS = fixed('run_id, schedule_id, owner, due_at, status, tries, try_at, note, failure')
const FIRINGS = sql`SELECT ${COLUMNS} FROM schedule_runs`

function* isFull(owner: Owner): Script<boolean> {
  const open =
    yield sql`SELECT run_id FROM schedule_runs ${where({ owner, status: OPEN })} ${limited(MAX_OPEN_FIRINGS)}`
  return open.length >= MAX_OPEN_FIRINGS
}

/** @param note why it is refused */
function* firing(owner: Owner, scheduleId: string, { runId, at, body }: Due, note?: string): Script<void> {
  const status: FiringStatus = note === undefined ? 'due' : 'refused'
  const row = { runId, scheduleId, owner, dueAt: at, status, tries: 0, tryAt: at, body, note }
  yield sql`${insert('schedule_runs', row)} ON CONFLICT (run_id) DO NOTHING`
  const condition = where({ owner, schedule_id: scheduleId })
  yield sql`DELETE FROM schedule_runs ${condition} AND status NOT IN ('due', 'running', 'sending') AND run_id NOT IN (
    SELECT run_id FROM schedule_runs ${condition} ORDER BY due_at DESC, run_id LIMIT ${REMEMBERED})`
}

function sealContext(id: string): string {
  return `schedule ${id}`
}

function noSchedule(scheduleId: string): TuttiError {
  return new TuttiError('NotFound', `There is no schedule ${scheduleId}.`)
}
