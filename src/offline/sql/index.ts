import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import type { Outcome } from '../../domain/result.ts'
import { tableFromArrays } from '../../domain/table.ts'
import { failedAttempts } from '../../agents/sql/attempts.ts'
import { describeDatabases, type OpenedDatabases, remarksOn } from '../../agents/sql/open.ts'
import type { SqlParts } from '../../agents/sql/agent.ts'
import type { SqlSource } from '../../agents/sql/source.ts'
import type { StandIn } from '../../agents/stand-in.ts'
import { omitUndefined } from '../../shared/json.ts'
import { tableAnswerText } from '../../agents/plain-answer.ts'
import { describeAnswer } from './describe-answer.ts'
import { propose, type ProposedQuery, understands } from './propose.ts'

/*
 * From question to query: `propose.ts` chooses the database, or a verified query of the same question. `link.ts` then
 * takes three steps:
 * 1. `items.ts` cuts the question into names (`names.ts`), values (found by `lookup.ts`), periods and words (`words.ts`).
 * 2. `read.ts` reads the items and fills a `Reading` (`reading.ts`): subject, figure, groups, conditions, rank.
 * 3. `build-query.ts` joins the tables of the reading and writes one SELECT statement.
 * A word that has no place in the reading refuses the question; so does a name with several meanings (`resolve.ts`).
 * `describe-answer.ts` puts the result into a sentence.
 */
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
    const databases = read.map(({ source: { name }, schema, terms }) => ({
      name,
      terms,
      schema,
      questions: terms.verified.map(({ question }) => question),
    }))
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
  const verdict = await database.source.check(sql, ctx.signal)
  const { result } = verdict.allowed
    ? await ctx.call(tools.query, { database: name, sql })
    : { result: { success: false as const, blocked: true, error: verdict.reason } }
  const latencyMs = ctx.now() - startedAt
  const attempt = { attempt: 1, database: name, query: sql, latencyMs }
  if (!result.success) {
    const error = result.error ?? 'The database gave no reason.'
    const isBlocked = result.blocked === true
    const heading = isBlocked ? 'SQL agent query was blocked' : 'SQL agent attempt failed'
    ctx.note('ERROR', heading, { attempt: 1, query: sql, error, latencyMs })
    const failed = { ...attempt, success: false, error, ...(isBlocked ? { blocked: true } : {}) }
    return { ...failedAttempts([failed]), data: { attempts: [failed] }, sources }
  }
  const table = tableFromArrays(result.columns, result.data, result.truncated)
  ctx.note('TOOL', 'SQL agent attempt succeeded', { attempt: 1, query: sql, rowCount: table.rowCount, latencyMs })
  const { locale } = ctx.request
  const assumptions = linked?.assumptions ?? []
  return {
    answer: linked === undefined ? tableAnswerText(table, locale) : describeAnswer(linked, table, locale),
    tabular: table,
    data: { sql, database: name, explanation, assumptions, attempts: [{ ...attempt, success: true }] },
    sources,
    ...omitUndefined({ confidence }),
  }
}
