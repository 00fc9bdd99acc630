import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import type { Outcome } from '../../domain/result.ts'
import { tableFromArrays } from '../../domain/table.ts'
import { failedAttempts, type Attempt } from '../../agents/sql/attempts.ts'
import { describeDatabases, remarksOn, type OpenedDatabases } from '../../agents/sql/open.ts'
import type { SqlParts } from '../../agents/sql/agent.ts'
import type { SqlSource } from '../../agents/sql/source.ts'
import type { StandIn } from '../../agents/stand-in.ts'
import { isSchema } from '../../databases/glossary/tables.ts'
import { omitUndefined } from '../../shared/json.ts'
import { tableAnswerText } from '../../agents/plain-answer.ts'
import { propose, understands, type ProposedQuery } from './propose.ts'
import { describeAnswer } from './describe-answer.ts'

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
  if (proposal.kind === 'refusal') return ctx.decline(proposal.reason, { remarks, data: { near: proposal.near } })
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
