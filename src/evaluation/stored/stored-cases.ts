import type { Clock } from '../../shared/clock.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Owner } from '../../domain/events.ts'
import type { Seal } from '../../accounts/types.ts'
import { fixed, insert, rowRecord, sql, where, type SqlRunner } from '../../storage/sql/query.ts'
import type { EvalCase } from '../cases.ts'

const MAX_CASES = 1_000

interface Row {
  readonly owner: Owner
  readonly setName: string
  readonly caseId: string
  readonly sealed: string
}

/** Cases of users, in sets. Questions and expectations are encrypted. */
export class StoredCases {
  private readonly sql: SqlRunner
  private readonly clock: Clock
  private readonly seal: Seal

  constructor(runner: SqlRunner, clock: Clock, seal: Seal) {
    this.sql = runner
    this.clock = clock
    this.seal = seal
  }

  /** Ordered by set, then in the order in which they were added. */
  async list(owner: Owner): Promise<readonly EvalCase[]> {
    const order = fixed('ORDER BY set_name, created_at, place, case_id')
    const rows = await this.sql.of<object>(owner, sql`SELECT * FROM eval_cases ${where({ owner })} ${order}`)
    return Promise.all(rows.map(async (row) => this.decrypt(rowRecord(row))))
  }

  /** Stores cases; replaces those with the same set and ID. @throws TuttiError `LimitReached` */
  async save(owner: Owner, cases: readonly EvalCase[]): Promise<void> {
    const createdAt = this.clock.now()
    const rows = await Promise.all(
      cases.map(async (one, place) => {
        const sealed = await this.seal.close(JSON.stringify(one), sealContext(owner, one.set, one.id))
        return { owner, setName: one.set, caseId: one.id, place, sealed, createdAt }
      }),
    )
    await this.sql.write(owner, function* () {
      for (const row of rows) {
        yield sql`${insert('eval_cases', row)} ON CONFLICT (owner, set_name, case_id) DO UPDATE SET sealed = excluded.sealed`
      }
      const existing = yield sql`SELECT case_id FROM eval_cases ${where({ owner })}`
      if (existing.length > MAX_CASES) {
        throw new TuttiError('LimitReached', `${MAX_CASES} cases are the most; remove a set first.`)
      }
    })
  }

  /** Removes a set, or one case of it. Results of earlier evaluations are kept. @throws TuttiError `NotFound` */
  async remove(owner: Owner, set: string, caseId?: string): Promise<void> {
    const isMeant = where({ owner, set_name: set, case_id: caseId })
    const deleted = await this.sql.of(owner, sql`DELETE FROM eval_cases ${isMeant} RETURNING case_id`)
    if (deleted.length > 0) return
    const target = caseId === undefined ? 'set' : `case ${caseId} in the set`
    throw new TuttiError('NotFound', `There is no ${target} ${set}.`)
  }

  /** Decrypts a row. */
  async decrypt({ owner, setName, caseId, sealed }: Row): Promise<EvalCase> {
    return JSON.parse(await unsealText(this.seal, sealed, sealContext(owner, setName, caseId))) as EvalCase
  }
}

/** Decrypts a value. @throws TuttiError `StorageError` if it was encrypted with another key */
export async function unsealText(seal: Seal, sealed: string, place: string): Promise<string> {
  const text = await seal.open(sealed, place)
  if (text !== undefined) return text
  throw new TuttiError('StorageError', 'A case was encrypted with another key; start with the key that was used then.')
}

function sealContext(owner: Owner, set: string, id: string): string {
  return `case ${JSON.stringify([owner, set, id])}`
}
