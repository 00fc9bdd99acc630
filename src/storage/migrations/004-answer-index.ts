import { sql, type Kysely } from 'kysely'
import type { Compilable, Tables } from '../schema.ts'

/** Finds the latest piece of an answer without going through the log, for readers who come back in the midst of it. */
export function addAnswerIndex({ schema }: Kysely<Tables>): readonly Compilable[] {
  return [
    schema
      .createIndex('events_of_answers')
      .on('events')
      .columns(['run_id', 'seq'])
      .where(sql.ref('type'), '=', sql.lit('answer.delta')),
  ]
}
