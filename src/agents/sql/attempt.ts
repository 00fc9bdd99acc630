import type { ActorContext, AgentTask } from '../../core/actor.ts'
import { ruleText } from '../../core/rule-text.ts'
import { tableFromArrays, type Table } from '../../core/table.ts'
import type { Figures } from '../../databases/gate/index.ts'
import { isConstant } from '../../terms/reads-table.ts'
import { cutIn, doubtOfLacks, lacksIn, NOTHING, type Lacks } from './held/lacks.ts'
import { agrees, doubtOfSecond, secondReading, type SecondReading } from './held/second-reading.ts'
import type { Attempt, ProposedQuery } from './proposal.ts'
import { reviewSql } from './prompts.ts'
import { describeSchema } from './schema-text.ts'
import { fullName, isSchema, tablesIn } from '../../terms/tables.ts'
import type { SqlTools } from './tools.ts'

export interface Tried {
  readonly attempt: Attempt
  /** Present when it succeeded. */
  readonly table?: Table
  /** What of the question its query does not say. */
  readonly lacks?: Lacks
  /** What the rules come to, where that is another result. */
  readonly second?: SecondReading
}

/** A model that knows no table makes the figures up: `SELECT 4217 AS customers`. */
const NO_TABLE = 'it reads nothing of a table, so its figures would come from nowhere; select from the listed tables'

/**
 * Safety check, execution. A query that is doubtful by its form, lacks something of the question, or comes after an error, is
 * reviewed before; one whose result is doubtful after, and then run again if the review changed it.
 */
export async function tryQuery(
  task: AgentTask,
  ctx: ActorContext,
  tools: SqlTools,
  proposal: ProposedQuery,
  number: number,
): Promise<Tried> {
  const startedAt = ctx.now()
  const { source } = proposal.database
  const done = (query: string, end: Partial<Attempt>, table?: Table): Tried => {
    const base = { attempt: number, database: source.name, query, success: table !== undefined }
    const attempt: Attempt = { ...base, latencyMs: ctx.now() - startedAt, ...end }
    tell(ctx, attempt, table)
    return { attempt, ...(table === undefined ? {} : { table }) }
  }
  const run = async (sql: string): Promise<Tried | QueryFailure> => {
    const { result } = await ctx.call(tools.query, { database: source.name, sql })
    if (result.success) return done(sql, {}, tableFromArrays(result.columns, result.data, result.truncated))
    const error = `${result.error ?? 'The database gave no reason.'}${metricOf(proposal)}`
    return { failure: { error, ...(result.blocked === true ? { blocked: true } : {}) } }
  }

  const refused = await blockedBy(ctx, proposal, proposal.sql, task.text)
  if (refused !== undefined) return done(proposal.sql, refused)
  const lacksOf = (sql: string): Promise<Lacks> =>
    lacksIn({ ...task, text: ruleText(task.text) }, ctx, tools, proposal, sql)
  const first = await lacksOf(proposal.sql)
  const doubts = [number > 1 ? 'The query before it failed.' : doubtOfQuery(proposal.sql), doubtOfLacks(first)]
  const second = await secondReading(task, ctx, tools, proposal)
  const isDoubted = doubts.some((doubt) => doubt !== undefined)
  const before = joined([...doubts, isDoubted && second ? doubtOfSecond(second) : undefined])
  const sql = before === '' ? proposal.sql : await reviewed(task, ctx, proposal, before)
  const tried = await run(sql)
  if ('failure' in tried) return done(sql, tried.failure)
  const held = async (one: Tried, own: string): Promise<Tried> => {
    const lacks = own === proposal.sql ? first : await lacksOf(own)
    const isSame = second && agrees(second, one.table!)
    const { unanswered } = lacks
    // Two that came to the same by themselves: what words it lacks is no matter.
    if (isSame === true) return { ...one, lacks: { ...NOTHING, unanswered } }
    // What is half of an answer is told as such.
    const isOther = isSame === false && unanswered.length === 0
    return { ...one, lacks: cutIn(lacks, one.table!), ...(isOther && second ? { second } : {}) }
  }
  const isOther = second && agrees(second, tried.table!) === false
  const after = joined(isDoubted ? [] : [doubtOfResult(tried.table!), isOther ? doubtOfSecond(second) : undefined])
  const better = after === '' ? sql : await reviewed(task, ctx, proposal, after)
  const again = better === sql ? undefined : await run(better)
  // What the first look gave still stands.
  return again === undefined || 'failure' in again ? held(tried, sql) : held(again, better)
}

function joined(doubts: readonly (string | undefined)[]): string {
  return doubts.filter((doubt) => doubt !== undefined).join(' ')
}

/** Whose SQL it may be that failed: that of a metric, for the person who wrote it. */
function metricOf({ database, linked }: ProposedQuery): string {
  const { terms, termsPath } = database
  const name = Object.keys(terms.metrics).find((metric) => linked?.columns.some(({ title }) => title === metric))
  return name === undefined || termsPath === undefined ? '' : ` The metric ${name} is defined in ${termsPath}.`
}

interface QueryFailure {
  readonly failure: Partial<Attempt>
}

async function blockedBy(
  ctx: ActorContext,
  { database, by }: ProposedQuery,
  sql: string,
  question: string,
): Promise<Partial<Attempt> | undefined> {
  const verdict = await database.source.check(sql, ctx.signal)
  // A server that tells no tables has its queries judged by their words.
  const readsTable = isSchema(database.schema) && verdict.allowed ? verdict.tables.length > 0 : /\bFROM\b/i.test(sql)
  if (verdict.allowed && by === 'model' && (!readsTable || isConstant(sql))) return { error: NO_TABLE, blocked: true }
  const invented = by === 'model' && verdict.allowed ? inventedBy(verdict.figures, question) : undefined
  if (invented !== undefined) return { error: invented, blocked: true }
  if (verdict.allowed) return undefined
  const { reason, rule } = verdict
  return { error: reason, blocked: true, ...(rule === 'statement-kind' ? { final: true } : {}) }
}

/** Why figures of a query are the model's own; numbers of the question are the user's. */
function inventedBy(figures: Figures | undefined, question: string): string | undefined {
  if (figures === undefined) return undefined
  if (figures.isMadeUp) return NO_TABLE
  const asked = new Set((question.match(/\d[\d.,]*/g) ?? []).map((n) => Number(n.replace(/,/g, ''))))
  const own = figures.numbers.find((n) => ![0, 1, 100].includes(Number(n)) && !asked.has(Number(n)))
  return own === undefined
    ? undefined
    : `it computes with the number ${own}, which is neither in the tables nor in the question; select what the tables hold`
}

/** The query after the model's second look. A correction that the safety check refuses is not taken. */
async function reviewed(task: AgentTask, ctx: ActorContext, proposal: ProposedQuery, doubt: string): Promise<string> {
  if (proposal.by === 'rules') return proposal.sql
  const { schema, terms } = proposal.database
  const { value } = await ctx.ask(reviewSql, {
    question: task.text,
    dialect: isSchema(schema) ? schema.dialect : 'unknown',
    description: isSchema(schema)
      ? describeSchema(schema, task.text, terms, tablesIn(proposal.sql, schema).map(fullName))
      : schema.text,
    sql: proposal.sql,
    doubt,
  })
  const corrected = value.sql.trim().replace(/;\s*$/, '')
  if (value.correct || corrected === '' || corrected === proposal.sql) return proposal.sql
  const refused = await blockedBy(ctx, proposal, corrected, task.text)
  const taken = refused === undefined
  ctx.note('DECISION', taken ? 'Review corrected the query' : 'Review made a query that is not allowed; not taken', {
    problems: value.problems,
    before: proposal.sql,
    after: corrected,
    ...(taken ? {} : { reason: refused.error }),
  })
  return taken ? corrected : proposal.sql
}

function tell(ctx: ActorContext, { attempt, query, error, latencyMs, blocked }: Attempt, table?: Table): void {
  if (table !== undefined) {
    return ctx.note('TOOL', 'SQL agent attempt succeeded', { attempt, query, rowCount: table.rowCount, latencyMs })
  }
  const message = blocked === true ? 'SQL agent query was blocked' : 'SQL agent attempt failed'
  ctx.note('ERROR', message, { attempt, query, error, latencyMs })
}

/** How queries go wrong without an error, by what such a query looks like. */
const RISKS: readonly (readonly [form: RegExp, doubt: string])[] = [
  [/\bNOT\s+IN\s*\(\s*(?:SELECT|WITH)\b/i, 'NOT IN of a subquery finds nothing when that holds a NULL.'],
  [/\bUNION\b(?!\s+ALL\b)/i, 'UNION drops rows that are equal.'],
  [/\b(?:CROSS|NATURAL|FULL)\s+(?:OUTER\s+)?JOIN\b/i, 'The join may pair rows that do not belong together.'],
  [
    /\bFROM\s+[\w".`]+(?:\s+(?:AS\s+)?(?!(?:LEFT|INNER|JOIN|WHERE|GROUP|ORDER|LIMIT)\b)\w+)?\s*,/i,
    'Tables are joined by a comma.',
  ],
  [/\bBETWEEN\b/i, 'BETWEEN takes in both of its bounds, and of a time only the first moment of the last day.'],
]
const JOIN = /\bJOIN\b/gi
/** Of rows that a join may have repeated. */
const ADDS_UP = /\b(?:SUM|AVG|TOTAL)\s*\(|\bCOUNT\s*\(\s*(?!DISTINCT\b)/i

/** Why a query wants a second look before it runs; undefined for an ordinary one. Texts in it count as words of it, which costs a look. */
export function doubtOfQuery(sql: string): string | undefined {
  const risk = RISKS.find(([form]) => form.test(sql))
  if (risk !== undefined) return risk[1]
  const joins = sql.match(JOIN)?.length ?? 0
  return joins > 1 && ADDS_UP.test(sql) ? 'With several joins a row may be counted several times.' : undefined
}

/** Why a result wants a second look at its query: it is empty, or holds nothing but empty cells or zeros. */
export function doubtOfResult({ rows }: Table): string | undefined {
  if (rows.length === 0) return 'It found no rows.'
  const cells = rows.flatMap((row) => Object.values(row))
  if (cells.every((cell) => cell === null)) return 'All that it found is NULL.'
  if (cells.every((cell) => cell === null || Number(cell) === 0)) return 'All that it found is zero.'
  return undefined
}
