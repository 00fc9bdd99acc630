import { z } from 'zod'
import type { ActorContext } from '../../domain/actor.ts'
import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { ownData } from '../../domain/provenance.ts'
import type { Source } from '../../domain/result.ts'
import { tableFromArrays, type Table } from '../../domain/table.ts'
import { defineTool, loopTool, type LoopTool } from '../../domain/tool.ts'
import type { Verdict } from '../../databases/sql-guard/index.ts'
import { withJoins } from '../../databases/glossary/apply-terms.ts'
import { textOfOutput } from '../../tool-loop/result-text.ts'
import { attemptsIn, failedTurnsIn, QUERY } from './attempts.ts'
import { fanOutsIn } from './fan-out.ts'
import { rowsText } from './instructions.ts'
import type { Database } from './open.ts'
import type { RowCount } from './profile.ts'
import { describeQueryError, tooManyFailures } from './query-errors.ts'
import type { QueryPayload } from './source.ts'
import { databaseLabels, type Databases } from './databases.ts'

interface QueryOutput {
  readonly database: string
  readonly tabular: Table
  readonly latencyMs: number
  /** Facts about the result that the rows do not show. */
  readonly facts: readonly string[]
  readonly sources: readonly Source[]
}

/** For counting the rows of a result that was cut. */
const COUNT_TIMEOUT_MS = 2_000

/**
 * The tool that checks, plans and runs one query.
 * @param rowsOf the number of rows of a table, if known
 */
export function queryTool(
  ctx: ActorContext,
  databases: Databases,
  maxAttempts: number,
  rowsOf: (database: Database, table: string) => RowCount | undefined,
): LoopTool {
  const nextAttempt = (): number => attemptsIn(ctx.transcript, databases.names).length + 1
  const unusable = new Map<string, TuttiError>()

  const run = async (database: Database, sql: string, signal: AbortSignal): Promise<QueryOutput> => {
    const { source, schema } = database
    const { name } = source
    const startedAt = ctx.now()
    const fail = (reason: string, phase: 'check' | 'plan' | 'run', rule?: string): TuttiError => {
      const latencyMs = ctx.now() - startedAt
      const message = phase === 'run' ? 'SQL agent attempt failed' : 'SQL agent query was blocked'
      ctx.note('ERROR', message, { attempt: nextAttempt(), database: name, query: sql, error: reason, latencyMs })
      return describeQueryError({ sql, reason, phase, latencyMs, ...omitUndefined({ rule }) }, schema)
    }
    const verdict = await source.check(sql, signal)
    if (!verdict.allowed) throw fail(verdict.reason, 'check', verdict.rule)
    const payload = await source.query(sql, signal)
    if (!payload.success) {
      const reason = payload.error ?? 'The database gave no reason.'
      if (payload.error_code === 'ConfigurationError') throw new TuttiError('ConfigurationError', reason)
      throw fail(reason, payload.blocked === true ? 'plan' : 'run')
    }
    const tabular = tableFromArrays(payload.columns, payload.data, payload.truncated)
    const latencyMs = ctx.now() - startedAt
    ctx.note('TOOL', 'SQL agent attempt succeeded', {
      attempt: nextAttempt(),
      database: name,
      query: sql,
      rowCount: tabular.rowCount,
      latencyMs,
    })
    const total = payload.truncated === true ? await countRows(database, sql, signal) : undefined
    return {
      database: name,
      tabular,
      latencyMs,
      facts: [...fanOutFacts(database, verdict, rowsOf), ...sizeFacts(payload, total)],
      sources: [{ kind: 'database', name, detail: sql }],
    }
  }

  return loopTool(
    defineTool({
      name: QUERY,
      description: 'Runs one SELECT in a database and returns its rows as CSV, or why it failed.',
      effect: 'read',
      reach: 'inside', // queries pass the SQL guard and are sent to a server that the operator configured for them
      input: databases.input({ sql: z.string().min(1) }),
      provenance: ({ database }: QueryOutput) => databaseLabels(databases.named(database).source),
      errorProvenance: ownData(),
      run: async ({ database: name, sql }, { signal }) => {
        const database = databases.named(name)
        const known = unusable.get(database.source.name)
        if (known !== undefined) throw known
        if (failedTurnsIn(ctx.transcript, databases.names) >= maxAttempts) throw tooManyFailures(maxAttempts)
        try {
          return await run(database, withoutSemicolon(sql), signal)
        } catch (error) {
          // Another query would fail alike.
          if (TuttiError.is(error, 'ConfigurationError')) unusable.set(database.source.name, error)
          throw error
        }
      },
    }),
    { kind: 'database', name: databases.title },
    ({ tabular, facts }: QueryOutput, [id]) =>
      [`[${id}]`, ...facts.map((fact) => `Note: ${fact}`), textOfOutput({ tabular })].join('\n'),
  )
}

function withoutSemicolon(sql: string): string {
  return sql.trim().replace(/;\s*$/, '')
}

/** How many rows the query has in all; undefined where that takes too long. */
async function countRows({ source }: Database, sql: string, signal: AbortSignal): Promise<number | undefined> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(COUNT_TIMEOUT_MS)])
  const counted = await source.query(`SELECT COUNT(*) AS c FROM (${sql}) AS q`, inTime).catch(() => undefined)
  return counted?.success === true ? Number(counted.data[0]?.[0]) : undefined
}

function fanOutFacts(
  database: Database,
  verdict: Verdict,
  rowsOf: (database: Database, table: string) => RowCount | undefined,
): readonly string[] {
  const { schema, terms } = database
  if (!verdict.allowed || verdict.joins === undefined) return []
  return fanOutsIn(verdict.joins, withJoins(schema, terms)).map(({ aggregate, table, repeatedBy }) => {
    const [one, many] = [table, repeatedBy].map((name) => `${name}${rowsText(rowsOf(database, name))}`)
    return `${aggregate} takes a row of ${one} once for each of its rows in ${many}.`
  })
}

function sizeFacts({ row_count: rows, truncated }: QueryPayload, total: number | undefined): readonly string[] {
  if (rows === 0) return ['The query ran and found no rows.']
  if (truncated !== true) return []
  return [
    total === undefined ? `Only the first ${rows} rows are here.` : `These are the first ${rows} of ${total} rows.`,
  ]
}
