import { sql } from './sql/query.ts'
import type { Script, SqlRunner } from './sql/script.ts'

/** Is no version of the schema. */
const PROBE = -1

/**
 * Writes a row and deletes it again, durably: reads still work on a full or read-only disk.
 * @throws TuttiError `StorageError`
 */
export function assertWritable(runner: SqlRunner): Promise<void> {
  return runner.write('', function* (): Script<void> {
    yield sql`INSERT INTO tutti_schema (version) VALUES (${PROBE})`
    yield sql`DELETE FROM tutti_schema WHERE version = ${PROBE}`
  })
}
