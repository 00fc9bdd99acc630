import type { ActorContext, AgentTask } from '../../core/actor.ts'
import { needsModel } from '../../core/without-model.ts'
import { toldBeside, withoutIntroduction } from '../../language/introduction.ts'
import { periodAtWord } from '../../language/periods.ts'
import { extractByPatterns } from '../../memory/patterns.ts'
import { fixedDays, verifiedFor } from '../../terms/apply.ts'
import type { Verified } from '../../terms/terms.ts'
import { contextLines, factLines } from '../context-lines.ts'
import { linkSchemaQuestion } from '../../question-to-sql/index.ts'
import { linkInThread } from './link.ts'
import { bestReading, type ReadBy } from './best-reading.ts'
import type { Attempt, Database, Proposal, SchemaProposal } from './proposal.ts'
import { generateSql } from './prompts.ts'
import { describeSchema, lookUpOf } from './schema-text.ts'
import { fullName, isSchema, tablesIn } from '../../terms/tables.ts'
import type { SqlTools } from './tools.ts'
import { valueLookup } from './value-lookup.ts'

/** The next query to try: from the model, told what failed before, or by rules when there is no model to be had. */
export async function proposeQuery(
  task: AgentTask,
  ctx: ActorContext,
  tools: SqlTools,
  databases: readonly Database[],
  attempts: readonly Attempt[],
): Promise<Proposal> {
  const aboutSchema = schemaProposal(task.text, databases)
  if (aboutSchema !== undefined) return aboutSchema
  const verified = attempts.length === 0 ? verifiedProposal(task, ctx, databases) : undefined
  if (verified !== undefined) return verified
  const shown = new Map(databases.map(({ source, schema }) => [source.name, seenIn(schema, source.name, attempts)]))
  const inVain: Attempt[] = []
  for (let lookUps = 0; lookUps <= MOST_LOOK_UPS; lookUps++) {
    const answered = await generate(task, ctx, databases, [...attempts, ...inVain], shown)
    if (answered.by === 'fallback') return proposeByRules(task, ctx, tools, databases)
    const { database: name, sql, explanation } = answered.value
    if (sql.trim() === '')
      return { kind: 'refusal', reason: explanation || 'The database cannot answer this question.' }
    const database = databases.find(({ source }) => source.name === name) ?? databases[0]!
    const { source, schema } = database
    const asked = isSchema(schema) ? lookUpOf(sql, schema) : undefined
    if (asked === undefined) return { kind: 'query', database, sql: withoutSemicolon(sql), explanation, by: 'model' }
    const before = shown.get(source.name)!
    const added = asked.filter((table) => !before.includes(table)).slice(0, MOST_LOOKED_UP)
    if (added.length === 0) {
      const about = { attempt: attempts.length + 1, success: false, latencyMs: 0 }
      inVain.push({ ...about, database: source.name, query: sql, error: NOTHING_MORE })
    }
    ctx.note('TOOL', 'Columns of further tables looked up', { database: source.name, tables: added })
    shown.set(source.name, [...before, ...added])
  }
  return { kind: 'refusal', reason: 'The model looked up columns again and again, and wrote no query.' }
}

const NOTHING_MORE = 'there is nothing more to look up of that; write the query, or leave sql empty'

/** A model may look up columns so often, of so many tables at once. */
const MOST_LOOK_UPS = 3
const MOST_LOOKED_UP = 20

/** Tables of queries that failed: their columns must be known to mend them. */
function seenIn(schema: Database['schema'], name: string, attempts: readonly Attempt[]): readonly string[] {
  const own = attempts.filter(({ database }) => database === name)
  return isSchema(schema) ? [...new Set(own.flatMap(({ query }) => tablesIn(query, schema).map(fullName)))] : []
}

/** @param shown tables by database that are described in any case */
function generate(
  task: AgentTask,
  ctx: ActorContext,
  databases: readonly Database[],
  attempts: readonly Attempt[],
  shown: ReadonlyMap<string, readonly string[]>,
) {
  const { context, systemPrompt } = ctx.request
  return ctx.ask(generateSql, {
    question: task.text,
    databases: databases.map(({ source, schema, terms }) => ({
      name: source.name,
      description: isSchema(schema) ? describeSchema(schema, task.text, terms, shown.get(source.name)) : schema.text,
    })),
    context: [...contextLines(context), ...factLines(task)],
    earlierAttempts: attempts.map(({ database, query, error }) => ({ database, sql: query, error: error ?? '' })),
    findings: task.inputs().flatMap(({ actor, result }) => {
      return result.answer === undefined ? [] : [`${actor}: ${result.answer}`]
    }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
  })
}

/** A pair that a person has found right, for this very question; not where a time in it counts from another day. */
function verifiedProposal(task: AgentTask, ctx: ActorContext, databases: readonly Database[]): Proposal | undefined {
  const today = String(ctx.request.context['current_date'])
  for (const database of databases) {
    const pair = verifiedFor(database.terms, task.text)
    if (pair === undefined || (pair.day === undefined && dependsOnToday(task.text, today))) continue
    const explanation = 'A person has found this query right for this question.'
    const sql = withoutSemicolon(pair.sql)
    return { kind: 'query', database, sql, explanation, by: 'rules', confidence: 1, remark: savedSentence(pair) }
  }
  return undefined
}

function savedSentence(pair: Verified): string {
  const fixed = fixedDays(pair)
  const days = [
    ...(pair.day === undefined ? [] : [`counts from ${pair.day}`]),
    ...(fixed.length === 0 ? [] : [`always goes by ${fixed.join(' and ')}, which the question does not name`]),
  ]
  return `This is what a saved query gives that somebody has found right for this question${days.length === 0 ? '' : `; it ${days.join(', and ')}`}.`
}

/** “Last month” is another one next month. */
export function dependsOnToday(question: string, today: string): boolean {
  const words = question.split(/\s+/)
  const read = (day: string): string => JSON.stringify(words.map((_, at) => periodAtWord(words, at, day)))
  return read(today) !== read(`${Number(today.slice(0, 4)) + 4}${today.slice(4)}`)
}

/** “Which tables are there?” needs neither a model nor a query. */
function schemaProposal(question: string, databases: readonly Database[]): SchemaProposal | undefined {
  for (const { source, schema, terms } of databases) {
    const linked = isSchema(schema) ? linkSchemaQuestion(question, schema, terms) : undefined
    if (linked !== undefined) return { ...linked, database: source.name }
  }
  return undefined
}

function withoutSemicolon(sql: string): string {
  return sql.trim().replace(/;\s*$/, '')
}

/** Reads the question against every database and takes the reading that accounts best for its words. */
export async function proposeByRules(
  task: AgentTask,
  ctx: ActorContext,
  tools: SqlTools,
  databases: readonly Database[],
): Promise<Proposal> {
  const today = String(ctx.request.context['current_date'])
  const period = task.facts.period === undefined ? {} : { period: task.facts.period }
  const asked = withoutIntroduction(task.text)
  const readings: (ReadBy & { database: Database })[] = []
  for (const database of databases) {
    const { source, schema, terms } = database
    if (!isSchema(schema)) continue
    const lookup = valueLookup(ctx, tools, source.name, schema.dialect)
    const linked = await linkInThread(asked, schema, { lookup, today, terms, ...period })
    if (linked === undefined) return { kind: 'refusal', reason: needsModel() }
    readings.push({ database, schema: { ...schema, name: source.name }, terms, linked })
  }
  const best = bestReading(asked, today, readings)
  if (best === undefined) {
    return { kind: 'refusal', reason: 'Without a language model, only databases that tell their schema can be asked.' }
  }
  const { linked, also } = best
  const { database } = best.reading
  if (linked.kind === 'refusal') return linked
  if (linked.kind === 'schema') return { ...linked, database: database.source.name }
  const { sql, explanation, confidence } = linked
  const assumptions = [...linked.assumptions, ...unheeded(ctx.request.question)]
  return {
    kind: 'query',
    database,
    sql,
    explanation,
    by: 'rules',
    confidence,
    linked: { ...linked, assumptions },
    also,
  }
}

/** What somebody told of themself and is not kept: “I am in charge of Germany” may be meant for a filter. */
function unheeded(question: string): string[] {
  const things = toldBeside(question).filter((thing) => Object.keys(extractByPatterns(thing)).length === 0)
  return things.map((thing) => `“${thing}” limits nothing`)
}
