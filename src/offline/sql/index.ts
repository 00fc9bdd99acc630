import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import type { Outcome } from '../../domain/result.ts'
import { type Table, tableFromArrays } from '../../domain/table.ts'
import { type Attempt, failedAttempts } from '../../agents/sql/attempts.ts'
import { describeDatabases, type OpenedDatabases, remarksOn } from '../../agents/sql/open.ts'
import type { SqlParts } from '../../agents/sql/agent.ts'
import type { SqlSource } from '../../agents/sql/source.ts'
import type { StandIn } from '../../agents/stand-in.ts'
import { isSchema } from '../../databases/glossary/tables.ts'
import { omitUndefined } from '../../shared/json.ts'
import { tableAnswerText } from '../../agents/plain-answer.ts'
import { propose, type ProposedQuery, understands } from './propose.ts'
import { formatNumber, isExactNumber } from '../../shared/exact-number.ts'
import { isYearColumn, localeProfile } from '../../shared/locale.ts'
import { capital } from './resolve.ts'
import { type AnswerColumn, joinWords, type LinkedQuery } from './types.ts'

export { linkQuestion } from './link.ts'
export { dependsOnToday } from './propose.ts'
export type { LinkOptions } from './types.ts'

/** Answers a question over databases without a model: by a verified query, or by one that the words of the question make. */
async function answerSql(task: AgentTask, ctx: ActorContext, { sources, tools }: SqlParts): Promise<Outcome> {
  const today = String(ctx.request.context['current_date'])
  const readSchema = async ({ name }: SqlSource) => (await ctx.call(tools.schema, { database: name })).schema
  const opened = await describeDatabases(sources, today, readSchema, (sentence) => ctx.note('ERROR', sentence))
  const remarks = remarksOn(opened)
  const proposal = await propose(task, ctx, tools, opened.databases)
  if (proposal.kind === 'refusal' && proposal.isChange === true)
    return { status: 'failed', error: { type: 'QueryBlocked', message: proposal.reason } }
  if (proposal.kind === 'refusal') return ctx.decline(proposal.reason, { remarks })
  const outcome = await runQuery(proposal, ctx, tools)
  const { remark } = proposal
  const all = [...remarks, ...(remark === undefined || outcome.status === 'failed' ? [] : [remark])]
  return all.length === 0 ? outcome : { ...outcome, remarks: all }
}

export const sqlStandIn: StandIn<SqlParts> = {
  answer: answerSql,
  async understands(text, ctx, { sources }) {
    return (await understands(text, ctx, (await opened(ctx, sources)).databases)) ? {} : undefined
  },
  async offers(ctx, { sources }) {
    const { databases: read, failed } = await opened(ctx, sources)
    const databases = read.map(({ source: { name }, schema, terms }) => {
      const verified = terms.verified.map(({ question }) => question)
      return {
        name,
        terms,
        ...omitUndefined({
          schema: isSchema(schema) ? schema : undefined,
          questions: verified.length > 0 ? verified : undefined,
        }),
      }
    })
    return { databases, unreachable: failed.map(({ name }) => name) }
  },
}

/** The databases that answer; a question to one that does not will report the reason. */
async function opened(ctx: ActorContext, sources: readonly SqlSource[]): Promise<OpenedDatabases> {
  const today = String(ctx.request.context['current_date'])
  const readSchema = (source: SqlSource) => source.schema(ctx.signal)
  return describeDatabases(sources, today, readSchema, () => {})
}

async function runQuery(
  { sql, database, linked, explanation, confidence }: ProposedQuery,
  ctx: ActorContext,
  tools: SqlParts['tools'],
): Promise<Outcome> {
  const { name } = database.source
  const sources = [{ kind: 'database' as const, name, detail: sql }]
  const startedAt = ctx.now()
  const attemptOf = (more: Pick<Attempt, 'success'> & Partial<Attempt>): Attempt => ({
    attempt: 1,
    database: name,
    query: sql,
    latencyMs: ctx.now() - startedAt,
    ...more,
  })
  const fail = (error: string, isBlocked: boolean): Outcome => {
    const attempt = attemptOf({ success: false, error, ...(isBlocked ? { blocked: true } : {}) })
    const { latencyMs } = attempt
    const heading = isBlocked ? 'SQL agent query was blocked' : 'SQL agent attempt failed'
    ctx.note('ERROR', heading, { attempt: 1, query: sql, error, latencyMs })
    return { ...failedAttempts([attempt]), data: { attempts: [attempt] }, sources }
  }
  const verdict = await database.source.check(sql, ctx.signal)
  if (!verdict.allowed) return fail(verdict.reason, true)
  const { result } = await ctx.call(tools.query, { database: name, sql })
  if (!result.success)
    return fail(
      `${result.error ?? 'The database gave no reason.'}${metricOf(database, linked)}`,
      result.blocked === true,
    )
  const table = tableFromArrays(result.columns, result.data, result.truncated)
  const attempts = [attemptOf({ success: true })]
  const { latencyMs } = attempts[0]!
  ctx.note('TOOL', 'SQL agent attempt succeeded', { attempt: 1, query: sql, rowCount: table.rowCount, latencyMs })
  const { locale } = ctx.request
  return {
    answer: linked === undefined ? tableAnswerText(table, locale, sql) : describeAnswer(linked, table, locale),
    tabular: table,
    data: { sql, database: name, explanation, assumptions: linked?.assumptions ?? [], attempts },
    sources,
    ...omitUndefined({ confidence }),
  }
}

/** The metric whose SQL may have failed, for its author. */
function metricOf({ terms, termsPath }: ProposedQuery['database'], linked: ProposedQuery['linked']): string {
  const name = Object.keys(terms.metrics).find((metric) => linked?.columns.some(({ title }) => title === metric))
  return name === undefined || termsPath === undefined ? '' : ` The metric ${name} is defined in ${termsPath}.`
}

/** Rows named in a sentence; the rest is in the table. */
const MAX_NAMED = 10

type Row = Table['rows'][number]

/**
 * The result in one plain sentence: a figure, or a list as “Rock (826.65), Latin (382.14), …”.
 * @param locale formats numbers (BCP 47)
 */
function describeAnswer(linked: LinkedQuery, table: Table, locale = 'en-US'): string {
  const { columns, where, noun } = linked
  const [row] = table.rows
  const isEmpty = row === undefined || (table.rowCount === 1 && columns.every(({ name }) => row[name] == null))
  if (isEmpty) return `No data was returned${where === '' ? '' : `: there is nothing${where}`}.`
  const cut = table.truncated === true ? ' The list was cut off.' : ''
  if (linked.shape === 'figure') return figures(linked, row, locale)
  const items = table.rows.slice(0, MAX_NAMED).map((one) => item(columns, one, locale))
  const rest = table.rowCount - items.length
  const isCut = table.rowCount === linked.limit
  const format = (count: number): string => new Intl.NumberFormat(locale).format(count)
  const remainder = rest <= 0 ? '' : `, and ${isCut ? 'at least ' : ''}${format(rest)} more`
  const isTied = linked.top !== undefined && table.rowCount > linked.top
  const tied = isTied
    ? `; ${isCut ? 'at least ' : ''}${table.rowCount} and not ${linked.top}, since the last of them are equal`
    : ''
  const titles = (isLabel: boolean): string[] =>
    columns.flatMap(({ role, title }) => ((role === 'label') === isLabel ? [title] : []))
  const head =
    linked.shape === 'rows' && noun !== undefined
      ? `${isCut ? 'The first ' : ''}${format(table.rowCount)} ${table.rowCount === 1 ? noun.one : noun.many}`
      : capital(`${joinWords(titles(false), 'and')} by ${joinWords(titles(true), 'and')}`.trim())
  return `${head}${where}: ${items.join('; ')}${remainder}${tied}.${cut}`
}

/** “The number of orders in 2025 is 351.” */
function figures({ columns, where }: LinkedQuery, row: Row, locale: string): string {
  const columnTexts = columns.map((column) => {
    const isMany = /^(?:sales|units sold)\b/.test(column.title)
    return `the ${column.title}${columns.length === 1 ? where : ''} ${isMany ? 'are' : 'is'} ${cell(row[column.name], column, locale)}`
  })
  const before = columns.length > 1 && where !== '' ? `${where.trim()}: ` : ''
  return `${capital(`${before}${joinWords(columnTexts, 'and')}`)}.`
}

function item(columns: readonly AnswerColumn[], row: Row, locale: string): string {
  const labels = columns.filter(({ role }, i) => role === 'label' || i === 0)
  const [first, ...others] = [...labels, ...columns.filter((one) => !labels.includes(one))]
  const rest = others.map((column) => cell(row[column.name], column, locale))
  return `${cell(row[first!.name], first!, locale)}${rest.length === 0 ? '' : ` (${rest.join(', ')})`}`
}

function cell(value: unknown, column: AnswerColumn, locale: string): string {
  if (value === null || value === undefined) return column.role === 'label' ? 'not given' : 'unknown'
  if (typeof value === 'object') return JSON.stringify(value)
  if (column.role === 'label' || !isExactNumber(value)) return String(value).replace(/[ T]00:00:00(?:\.0+)?Z?$/, '')
  if (isYearColumn(column.title, value)) return String(value)
  if (column.role === 'money') return localeProfile(locale).money(value)
  return `${formatNumber(new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }), value)}${column.role === 'percent' ? ' %' : ''}`
}
