import { insert, rowRecord, sql } from './sql/query.ts'
import type { Script, SqlRunner } from './sql/script.ts'

/** Numbers of items that one sweep deleted, and when it ended. */
export interface Sweep {
  readonly at: number
  readonly runs: number
  readonly conversations: number
  readonly uploads: number
  readonly waiting: number
}

/** Sweeps that deleted something are kept this long; of the others only the last. */
const RETENTION_MS = 90 * 86_400_000
const MAX_LISTED = 20

export async function keepSweep(runner: SqlRunner, sweep: Sweep): Promise<void> {
  await runner.write('', function* (): Script<void> {
    yield sql`DELETE FROM sweeps WHERE at < ${sweep.at - RETENTION_MS} OR runs + conversations + uploads = 0`
    yield insert('sweeps', { ...sweep })
  })
}

/** The latest first. */
export async function sweepsOf(runner: SqlRunner): Promise<readonly Sweep[]> {
  const rows = await runner.all(sql`SELECT * FROM sweeps ORDER BY at DESC LIMIT ${MAX_LISTED}`)
  return rows.map((row) => rowRecord<Sweep>(row))
}
