import { TuttiError } from '../../core/errors.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import { fullName } from '../../terms/tables.ts'
import { nearestNames } from './similar-names.ts'

/** A query that was not run, or failed. */
export interface FailedQuery {
  readonly sql: string
  readonly reason: string
  /** Where it failed: in the safety check, in the database's own check, or while it ran. */
  readonly phase: 'check' | 'plan' | 'run'
  readonly latencyMs: number
  /** The rule of the safety check that it broke. */
  readonly rule?: string
}

/** The error that the model is given, in the wording of SPEC P5, with the name at fault and names like it. */
export function queryError(failed: FailedQuery, schema: DatabaseSchema | undefined): TuttiError {
  const { sql, reason, phase, latencyMs, rule } = failed
  const message = [
    `The previous SQL query failed to execute (${phase}).`,
    `Error details: ${reason}`,
    ...(schema === undefined ? [] : nearest(sql, reason, schema)),
    'Failing query:',
    sql,
    'Generate a corrected read-only SQL query that addresses the error and try again using only the authorised tables.',
  ].join('\n')
  if (phase === 'run') return new TuttiError('QueryError', message, { details: { error: reason, latencyMs } })
  return new TuttiError('QueryBlocked', message, { details: { rule: rule ?? phase, error: reason, latencyMs } })
}

/** More queries are not run. */
export function tooManyFailures(most: number): TuttiError {
  const reason = `the queries of ${most} turns in a row failed or were blocked, which is the limit.`
  return new TuttiError('LimitReached', `Not run: ${reason} Answer with what you have, and say what is missing.`)
}

const NAME = /[\p{L}_][\p{L}\p{N}_$]*/gu

/** The first word of the error that the query has and the schema does not. */
function nearest(sql: string, reason: string, { tables }: DatabaseSchema): readonly string[] {
  const columns = tables.flatMap((table) => table.columns.map(({ name }) => `${fullName(table)}.${name}`))
  const known = new Map(
    [...tables.map(fullName), ...columns].map((name) => [name.split('.').at(-1)!.toLowerCase(), name]),
  )
  const words = new Set(sql.toLowerCase().match(NAME))
  const name = reason.match(NAME)?.find((word) => words.has(word.toLowerCase()) && !known.has(word.toLowerCase()))
  if (name === undefined) return []
  const near = new Set(nearestNames(name, known.keys()))
  const named = [...tables.map(fullName), ...columns].filter((one) => near.has(one.split('.').at(-1)!.toLowerCase()))
  return named.length === 0 ? [] : [`Nearest names to ${name}: ${named.slice(0, MAX_NAMED).join(', ')}`]
}

const MAX_NAMED = 8
