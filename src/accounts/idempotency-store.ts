import { randomUUID } from 'node:crypto'
import { sleep } from '../shared/clock.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Owner } from '../domain/events.ts'
import { insert, rowRecord, sql, queryRows, type Script } from '../storage/sql/query.ts'
import { SealedSqlStore } from '../storage/sql/sql-store.ts'
import { hashToken } from './account-tokens.ts'

/** The response to a request. */
export interface StoredResponse {
  readonly status: number
  /** Media type. */
  readonly type?: string
  /** Absent if it was too large to keep. */
  readonly body?: string
}

/** The exclusive right to work on a request. */
export interface Claim {
  /** Keeps the response for repeated requests. */
  keep(answer: StoredResponse): Promise<void>
  /** Keeps no response: the request may be sent again. */
  release(): Promise<void>
}

interface AnswerRow {
  readonly asked: string
  readonly holder: string
  readonly heldUntil: number
  readonly answer?: string
}

export const RETENTION_MS = 24 * 3_600_000
/** Lease of a claim. The holder renews it every third of this time; an expired claim can be taken over. */
const LEASE_MS = 60_000
const POLL_MS = 100
const SWEEP_MS = 3_600_000
/** Maximum of responses kept per owner and day. They do not count towards the storage quota. */
export const MAX_RESPONSES = 1_000
export const MAX_RESPONSE_BYTES = 262_144
const FULL = `You reached the limit of ${MAX_RESPONSES} requests with an Idempotency-Key per day. Send this one without.`

/** Keeps the responses to requests with an idempotency key, encrypted, for a day. */
export class IdempotencyStore extends SealedSqlStore {
  private sweptAt = -Infinity

  /**
   * Claims a request. If another process works on the same request, waits for its response.
   * @param id of the request, the same each time that it is sent
   * @param asked everything that identifies the request; its hash is kept
   * @throws TuttiError `KeyReused` if another request has that ID; `LimitReached`; the signal's reason
   */
  async begin(
    owner: Owner,
    id: string,
    asked: string,
    signal: AbortSignal,
  ): Promise<{ readonly answer: StoredResponse } | { readonly claim: Claim }> {
    await this.sweep()
    const place = `answer ${owner} ${id}`
    const holder = randomUUID()
    const hash = hashToken(asked)
    // The hash is encrypted, so that passwords cannot be guessed from a copy of the database.
    const sealed = await this.seal.close(hash, place)
    for (;;) {
      const row = await this.claim(owner, id, sealed, holder)
      if (row === undefined) return { claim: this.createClaim(owner, id, holder, place) }
      if ((await this.seal.open(row.asked, place)) !== hash) {
        throw new TuttiError('KeyReused', 'This Idempotency-Key was used for another request. Use a new one.')
      }
      const answer = row.answer === undefined ? undefined : await this.seal.open(row.answer, place)
      if (answer !== undefined) return { answer: JSON.parse(answer) as StoredResponse }
      if (Number(row.heldUntil) < this.clock.now() && (await this.takeOver(owner, id, row.holder, holder))) {
        return { claim: this.createClaim(owner, id, holder, place) }
      }
      await sleep(this.clock, POLL_MS, signal)
    }
  }

  /** Tries to claim the request. Returns the row of the other holder, or undefined if the claim succeeded. */
  private claim(owner: Owner, id: string, asked: string, holder: string): Promise<AnswerRow | undefined> {
    const now = this.clock.now()
    const heldUntil = now + LEASE_MS
    return this.sql.write(owner, function* (): Script<AnswerRow | undefined> {
      yield sql`DELETE FROM kept_answers WHERE owner = ${owner} AND at < ${now - RETENTION_MS}`
      const [found] = yield* queryRows<object>(sql`SELECT * FROM kept_answers WHERE owner = ${owner} AND id = ${id}`)
      if (found === undefined) {
        const all = yield sql`SELECT id FROM kept_answers WHERE owner = ${owner}`
        if (all.length >= MAX_RESPONSES) throw new TuttiError('LimitReached', FULL)
        yield insert('kept_answers', { owner, id, asked, holder, heldUntil, at: now })
        return undefined
      }
      const row = rowRecord<AnswerRow>(found)
      return row.holder === holder ? undefined : row
    })
  }

  /** Takes over an expired claim. The previous holder may or may not have completed the request. */
  private takeOver(owner: Owner, id: string, dead: string, holder: string): Promise<boolean> {
    const heldUntil = this.clock.now() + LEASE_MS
    return this.sql.write(owner, function* (): Script<boolean> {
      yield sql`UPDATE kept_answers SET holder = ${holder}, held_until = ${heldUntil}
        WHERE owner = ${owner} AND id = ${id} AND holder = ${dead} AND answer IS NULL`
      const [mine] = yield sql`SELECT 1 FROM kept_answers WHERE owner = ${owner} AND id = ${id} AND holder = ${holder}`
      return mine !== undefined
    })
  }

  private createClaim(owner: Owner, id: string, holder: string, place: string): Claim {
    const { clock, seal, sql: runner } = this
    const mine = sql`owner = ${owner} AND id = ${id} AND holder = ${holder}`
    const write = (query: ReturnType<typeof sql>): Promise<void> =>
      runner.write(owner, function* (): Script<void> {
        yield query
      })
    let stop: () => void
    const renew = (): void => {
      stop = clock.timer(LEASE_MS / 3, () => {
        renew()
        // If the renewal fails, another process may take over the claim. `keep` then reports it.
        write(sql`UPDATE kept_answers SET held_until = ${clock.now() + LEASE_MS} WHERE ${mine}`).catch(() => undefined)
      })
    }
    renew()
    return {
      async keep(answer) {
        stop()
        const { body = '', ...rest } = answer
        const isKept = Buffer.byteLength(body) <= MAX_RESPONSE_BYTES
        const sealed = await seal.close(JSON.stringify(isKept ? answer : rest), place)
        await write(sql`UPDATE kept_answers SET answer = ${sealed}, at = ${clock.now()} WHERE ${mine}`)
      },
      async release() {
        stop()
        await write(sql`DELETE FROM kept_answers WHERE ${mine}`)
      },
    }
  }

  /** Deletes responses older than a day, of all owners, at most once an hour. */
  private async sweep(): Promise<void> {
    if (this.clock.now() - this.sweptAt < SWEEP_MS) return
    this.sweptAt = this.clock.now()
    await this.sql.all(sql`DELETE FROM kept_answers WHERE at < ${this.clock.now() - RETENTION_MS}`)
  }
}
