import { TuttiError } from '../../domain/errors.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import { fullName } from '../../databases/glossary/tables.ts'
import { nearestNames, similarity } from './similar-names.ts'

/** A query that was not run, or failed. */
export interface FailedQuery {
  readonly sql: string
  readonly reason: string
  /** The phase that failed: the safety check, the database's own check, or the execution. */
  readonly phase: 'check' | 'plan' | 'run'
  readonly latencyMs: number
  /** The rule of the safety check that it broke. */
  readonly rule?: string
}

/** Rules of the safety check that concern tables and columns; the others concern the words of the statement. */
const RULES_ON_NAMES: ReadonlySet<string> = new Set(['table', 'column', 'server'])

/** The error that the model is given with the name at fault and names like it. */
export function describeQueryError(failed: FailedQuery, schema: DatabaseSchema): TuttiError {
  const { sql, reason, phase, latencyMs, rule } = failed
  const isOfGrammar = rule === 'node' || rule === 'parse'
  const namesData = rule === undefined || RULES_ON_NAMES.has(rule)
  const message = [
    `The previous SQL query failed to execute (${phase}).`,
    `Error details: ${reason}`,
    ...(isOfGrammar ? ['Write it in the dialect of the database; LIMIT takes the first rows.'] : []),
    ...(!namesData ? [] : suggestNames(sql, reason, schema)),
    'Failing query:',
    sql,
    'Generate a corrected read-only SQL query that addresses the error and try again using only the authorised tables.',
  ].join('\n')
  if (phase === 'run') return new TuttiError('QueryError', message, { details: { error: reason, latencyMs } })
  return new TuttiError('QueryBlocked', message, { details: { rule: rule ?? phase, error: reason, latencyMs } })
}

/** More queries are not run. */
export function tooManyFailures(max: number): TuttiError {
  const reason = `the queries of ${max} turns in a row failed or were blocked, which is the limit.`
  return new TuttiError('LimitReached', `Not run: ${reason} Answer with what you have, and say what is missing.`)
}

const NAME = /[\p{L}_][\p{L}\p{N}_$]*(?:\.[\p{L}_][\p{L}\p{N}_$]*)*/gu

/** The first name of the error that the query has and the schema does not; of a qualified one, also where another table has it. */
function suggestNames(sql: string, reason: string, { tables }: DatabaseSchema): readonly string[] {
  const columns = tables.flatMap((table) => table.columns.map(({ name }) => `${fullName(table)}.${name}`))
  const names = [...tables.map(fullName), ...columns]
  const known = new Set(names.map(lastPart))
  const words = new Set((sql.toLowerCase().match(NAME) ?? []).flatMap((word) => [word, lastPart(word)]))
  const isUnknown = (word: string): boolean => word.includes('.') || !known.has(word.toLowerCase())
  const name = reason.match(NAME)?.find((word) => words.has(word.toLowerCase()) && isUnknown(word))
  if (name === undefined) return []
  const near = nearestNames(name, names, (a, b) => Math.max(similarity(a, b), similarity(lastPart(a), lastPart(b))))
  return near.length === 0 ? [] : [`Nearest names to ${name}: ${near.join(', ')}`]
}

function lastPart(name: string): string {
  return name.split('.').at(-1)!.toLowerCase()
}
