import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import { ruleText } from '../../shared/rule-text.ts'
import { noModelMessage } from '../../domain/model.ts'
import type { DatabaseSchema, Dialect } from '../../databases/schema.ts'
import type { Database } from '../../agents/sql/open.ts'
import type { SqlTools } from '../../agents/sql/databases.ts'
import { runRule } from '../threads/run-rule.ts'
import { findVerified } from '../../databases/glossary/apply-terms.ts'
import { isSchema } from '../../databases/glossary/tables.ts'
import type { Terms, Verified } from '../../databases/glossary/terms.ts'
import { periodAt } from '../language/periods.ts'
import { singular } from '../../databases/glossary/words.ts'
import { type Token, tokensOf } from '../language/tokens.ts'
import {
  joinWords,
  type Linked,
  type LinkedQuery,
  type LinkedRefusal,
  type LinkOptions,
  type Lookup,
  type Place,
  type ValueHit,
} from './types.ts'
import { hasUnfoldedLetters, equalsAny, lowerCase } from '../../databases/glossary/case-folding.ts'
import { concatNames, quoteIdentifier, quoteLiteral } from '../../databases/glossary/dialect.ts'

export interface ProposedQuery {
  readonly kind: 'query'
  readonly database: Database
  readonly sql: string
  readonly explanation: string
  readonly confidence?: number
  /** The rules' own reading, which gives a better wording for the answer. */
  readonly linked?: LinkedQuery
  /** A remark on the origin of the query. */
  readonly remark?: string
}

export type Proposal = ProposedQuery | Omit<LinkedRefusal, 'unknown'>

/** Proposes a query for a question: a verified one, or one built from its words. */
export async function propose(
  task: AgentTask,
  ctx: ActorContext,
  tools: SqlTools,
  databases: readonly Database[],
): Promise<Proposal> {
  const today = String(ctx.request.context['current_date'])
  const { databases: meant, question } = namedDatabases(withoutForm(task.text), databases)
  const verified = verifiedProposal(question, today, meant)
  if (verified !== undefined) return verified
  const answers: { readonly database: Database; readonly linked: LinkedQuery }[] = []
  const refusals: LinkedRefusal[] = []
  for (const database of meant) {
    const { source, schema, terms } = database
    if (!isSchema(schema)) continue
    const linked = await linkInThread(question, schema, {
      lookup: valueLookup(ctx, tools, source.name, schema.dialect),
      today,
      terms,
    })
    if (linked === undefined) return { kind: 'refusal', reason: noModelMessage() }
    if (linked.kind === 'refusal') refusals.push(linked)
    else answers.push({ database, linked })
  }
  const [answer, rival] = answers
  if (answer === undefined) return refusalOf(refusals)
  if (rival !== undefined) {
    const names = answers.map(({ database }) => `“${database.source.name}”`)
    return {
      kind: 'refusal',
      reason: `The databases ${joinWords(names, 'and')} can both answer this. Please name the one that is meant, as in “… in ${answer.database.source.name}?”`,
    }
  }
  const { sql, explanation, confidence } = answer.linked
  return { kind: 'query', sql, explanation, confidence, ...answer }
}

/** Returns whether the question could be answered, judged by the schema. */
export async function understands(text: string, ctx: ActorContext, databases: readonly Database[]): Promise<boolean> {
  const today = String(ctx.request.context['current_date'])
  const { databases: meant, question } = namedDatabases(withoutForm(text), databases)
  if (verifiedProposal(question, today, meant) !== undefined) return true
  for (const { schema, terms } of meant) {
    if (isSchema(schema) && (await runRule('fits', question, schema, { today, terms })) === true) return true
  }
  return false
}

/** The refusal with the fewest unknown words. */
function refusalOf(refusals: readonly LinkedRefusal[]): Proposal {
  const [best] = refusals.toSorted((a, b) => a.unknown.length - b.unknown.length)
  return (
    best ?? {
      kind: 'refusal',
      reason: 'Without a language model, only databases that tell their schema can be asked.',
    }
  )
}

/** A verified query of this question, unless a relative time in it counts from another day. */
function verifiedProposal(question: string, today: string, databases: readonly Database[]): Proposal | undefined {
  for (const database of databases) {
    const pair = findVerified(database.terms, question) ?? withOtherNumber(database.terms, question)
    if (pair === undefined || (pair.day === undefined && dependsOnToday(question, today))) continue
    const explanation = 'A person has verified this query for this question.'
    const sql = pair.sql.trim().replace(/;\s*$/, '')
    return { kind: 'query', database, sql, explanation, confidence: 1, remark: savedSentence(pair) }
  }
  return undefined
}

/** “Which three customers owe …” and “Which customer owes …” where “Which five customers owe …” is verified and ends with LIMIT 5. */
function withOtherNumber(terms: Terms, question: string): Verified | undefined {
  const wordsOf = (text: string): Token[] => tokensOf(text).filter(({ kind }) => kind !== 'mark')
  const questionWords = wordsOf(question)
  for (const pair of terms.verified) {
    const own = wordsOf(pair.question)
    const limit = /\blimit\s(\d+)[\s;]*$/i.exec(pair.sql)
    const at = own.findIndex(({ value }) => value !== undefined && value === Number(limit?.[1]))
    if (at < 0) continue
    // One row is asked for in the singular, of the noun and its verb.
    const isOne =
      questionWords.length === own.length - 1 && questionWords[at]!.lower === singular(own[at + 1]?.lower ?? '')
    const number = isOne ? 1 : (questionWords[at]?.value ?? 0)
    const rest = own.toSpliced(at, 1)
    const others = isOne ? questionWords : questionWords.toSpliced(at, 1)
    const isSame = (token: Token, other: Token | undefined): boolean =>
      token.lower === other?.lower || (isOne && [...token.forms].some((form) => other?.forms.has(form)))
    if (!Number.isInteger(number) || number < 1 || rest.length !== others.length) continue
    if (rest.every((token, i) => isSame(token, others[i])))
      return { ...pair, sql: pair.sql.replace(/\blimit\s\d+[\s;]*$/i, `LIMIT ${number}`) }
  }
  return undefined
}

function savedSentence(pair: Verified): string {
  const day = pair.day === undefined ? '' : `; it counts from ${pair.day}`
  return `This is the result of a saved query that a person has verified for this question${day}.`
}

/** Whether the question names a time that is another one on another day, such as “last month”. */
export function dependsOnToday(question: string, today: string): boolean {
  const tokens = tokensOf(question)
  const read = (day: string): string => JSON.stringify(tokens.map((_, at) => periodAt(tokens, at, day)))
  return read(today) !== read(`${Number(today.slice(0, 4)) + 4}${today.slice(4)}`)
}

/** Removes the requested presentation: a table is shown with a chart anyway. */
function withoutForm(question: string): string {
  return question.replace(/,?\s(?:as|in) (?:an? )?(?:(?:bar|line|pie) )?(?:chart|graph|table)(?=[.?!\s]*$)/i, '')
}

/** “… in shop?”, “from the database shop”: which database is meant. */
const PLACE =
  /,?\s(?:in|from|on|of|using)\s(?:the\s)?(?:database\s)?["“']?([\p{L}\p{N}_.-]{1,100})["”']?(?:\sdatabase)?[?!.]?$/iu

/** The databases that a question names, or else all, and the question without their names. */
function namedDatabases(
  question: string,
  databases: readonly Database[],
): { readonly databases: readonly Database[]; readonly question: string } {
  const place = databases.length < 2 ? null : PLACE.exec(ruleText(question).trim())
  const name = place?.[1]?.replace(/\.$/, '').toLowerCase()
  const matching = databases.filter(({ source }) => source.name.toLowerCase() === name)
  if (place === null || matching.length === 0) return { databases, question }
  return { databases: matching, question: question.trim().slice(0, place.index) }
}

/** `linkQuestion` off the event loop, with look-ups made here; undefined when it takes too long. */
async function linkInThread(
  question: string,
  schema: DatabaseSchema,
  { lookup, ...options }: LinkOptions,
): Promise<Linked | undefined> {
  const found: unknown[] = []
  for (;;) {
    const step = (await runRule('link', question, schema, { ...options, found })) as LinkStep | undefined
    if (step === undefined) return undefined
    if ('linked' in step) return step.linked
    found.push(await lookup(step.needs.terms, step.needs.columns))
  }
}

type LinkStep =
  | { readonly linked: Linked }
  | { readonly needs: { readonly terms: readonly string[]; readonly columns: Parameters<LinkOptions['lookup']>[1] } }

/** Columns per query, and characters of search terms per column: the SQL guard limits the length of literals. */
const COLUMNS_PER_QUERY = 12
const CHARS_PER_COLUMN = 900
/** Extra characters for a term with non-ASCII letters, which needs a longer pattern on SQLite. */
const CHARS_PER_PATTERN = CHARS_PER_COLUMN / 8
/** Rows per column and term: a value may be spelled in several ways. */
const HITS_PER_TERM = 3

/** Looks up words of the question in the data with the guarded query tool: whole cells, ignoring case. */
function valueLookup(ctx: ActorContext, tools: SqlTools, database: string, dialect: Dialect): Lookup {
  /** Returns pairs of column index and value. */
  const ask = async (terms: readonly string[], columns: readonly Place[]): Promise<(readonly [number, string])[]> => {
    const sql = columns.map((column, n) => `SELECT * FROM (${columnQuery(column, n, terms, dialect)}) AS c${n}`)
    const { result } = await ctx.call(tools.query, { database, sql: sql.join('\nUNION ALL\n') })
    if (result.success) return result.data.map(([n, value]) => [Number(n), String(value)])
    ctx.note('TOOL', 'Words could not be looked up', { columns, terms, error: result.error })
    return []
  }
  return async (terms, columns) => {
    const hits = new Map(terms.map((term): [string, ValueHit[]] => [lowerCase(term), []]))
    for (let at = 0; at < columns.length; at += COLUMNS_PER_QUERY) {
      const part = columns.slice(at, at + COLUMNS_PER_QUERY)
      for (const batch of togetherOf([...hits.keys()], dialect))
        for (const [n, value] of await ask(batch, part))
          for (const term of batch) if (isAlike(term, value)) hits.get(term)!.push({ ...part[n]!, value })
    }
    return terms.map((term) => hits.get(lowerCase(term))!)
  }
}

/** Some servers treat letters with and without accents as equal, or ignore trailing spaces. */
const LOOSE = new Intl.Collator('en', { sensitivity: 'base' })
const isAlike = (a: string, b: string): boolean => LOOSE.compare(a.trim(), b.trim()) === 0

/** Groups the terms into queries, such that no server treats two terms of a query as equal. */
function togetherOf(terms: readonly string[], dialect: Dialect): string[][] {
  const groups: { readonly terms: string[]; room: number }[] = []
  for (const term of terms) {
    // A backslash in a literal differs between servers; the SQL guard rejects it.
    if (term.includes('\\')) continue
    const pattern = dialect === 'sqlite' && hasUnfoldedLetters(term) ? CHARS_PER_PATTERN : 0
    const length = quoteLiteral(term, dialect).length + 2 + pattern
    let group = groups.find(({ room, terms: others }) => room >= length && !others.some((one) => isAlike(one, term)))
    if (group === undefined) groups.push((group = { terms: [], room: CHARS_PER_COLUMN }))
    group.terms.push(term)
    group.room -= length
  }
  return groups.map((group) => group.terms)
}

function quotedTable(table: string, dialect: Dialect): string {
  return table
    .split('.')
    .map((part) => quoteIdentifier(part, dialect))
    .join('.')
}

function columnQuery(place: Place, index: number, terms: readonly string[], dialect: Dialect): string {
  const { table, column, second } = place
  const names = [column, ...(second === undefined ? [] : [second])].map((name) => quoteIdentifier(name, dialect))
  const name = concatNames(
    names.map((sql) => ({ sql, nullable: false })),
    dialect,
  )
  const from = quotedTable(table, dialect)
  // Comparing an enum, array or uuid column with a text would fail the whole query.
  const value = dialect === 'postgres' ? `CAST(${name} AS text)` : name
  return `SELECT DISTINCT ${index} AS n, ${value} AS v FROM ${from} WHERE ${equalsAny(value, terms, dialect)} LIMIT ${HITS_PER_TERM * terms.length}`
}
