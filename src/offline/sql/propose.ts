import type { ActorContext, AgentTask } from '../../domain/actor.ts'
import { ruleText } from '../../shared/rule-text.ts'
import { noModelMessage } from '../../domain/model.ts'
import type { DatabaseSchema } from '../../databases/schema.ts'
import type { Database } from '../../agents/sql/open.ts'
import type { SqlTools } from '../../agents/sql/databases.ts'
import { runRule } from '../rule-worker/run-rule.ts'
import { findVerified } from '../../databases/glossary/apply-terms.ts'
import type { Terms, Verified } from '../../databases/glossary/terms.ts'
import { periodAt } from '../language/periods.ts'
import { singular } from '../../databases/glossary/words.ts'
import { type Token, tokensOf } from '../language/tokens.ts'
import { valueLookup } from './lookup.ts'
import { joinWords, type Linked, type LinkedQuery, type LinkedRefusal, type LinkOptions } from './types.ts'

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
    const linked = await linkInThread(question, schema, {
      lookup: valueLookup(ctx, tools, source.name, schema.dialect),
      today,
      terms,
    })
    if (linked === undefined) return refusal(noModelMessage())
    if (linked.kind === 'refusal') refusals.push(linked)
    else answers.push({ database, linked })
  }
  const [answer, rival] = answers
  if (answer === undefined) {
    const [best] = refusals.toSorted((a, b) => a.unknown.length - b.unknown.length)
    return best ?? refusal('Without a language model, only databases that tell their schema can be asked.')
  }
  if (rival !== undefined) {
    const names = joinWords(
      answers.map(({ database }) => `“${database.source.name}”`),
      'and',
    )
    return refusal(
      `The databases ${names} can both answer this. Please name the one that is meant, as in “… in ${answer.database.source.name}?”`,
    )
  }
  const { sql, explanation, confidence } = answer.linked
  return { kind: 'query', sql, explanation, confidence, ...answer }
}

function refusal(reason: string): Proposal {
  return { kind: 'refusal', reason }
}

/** Returns whether the question could be answered, judged by the schema. */
export async function understands(text: string, ctx: ActorContext, databases: readonly Database[]): Promise<boolean> {
  const today = String(ctx.request.context['current_date'])
  const { databases: meant, question } = namedDatabases(withoutForm(text), databases)
  if (verifiedProposal(question, today, meant) !== undefined) return true
  for (const { schema, terms } of meant) {
    if ((await runRule('fits', question, schema, { today, terms })) === true) return true
  }
  return false
}

/** A verified query of this question, unless a relative time in it counts from another day. */
function verifiedProposal(question: string, today: string, databases: readonly Database[]): Proposal | undefined {
  for (const database of databases) {
    const pair = findVerified(database.terms, question) ?? withOtherNumber(database.terms, question)
    if (pair === undefined || (pair.day === undefined && dependsOnToday(question, today))) continue
    const explanation = 'A person has verified this query for this question.'
    const sql = pair.sql.trim().replace(/;\s*$/, '')
    const day = pair.day === undefined ? '' : `; it counts from ${pair.day}`
    const remark = `This is the result of a saved query that a person has verified for this question${day}.`
    return { kind: 'query', database, sql, explanation, confidence: 1, remark }
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

/** `linkQuestion` off the event loop, with its look-up made here; undefined when it takes too long. */
async function linkInThread(
  question: string,
  schema: DatabaseSchema,
  { lookup, ...options }: LinkOptions,
): Promise<Linked | undefined> {
  const first = await runRule('link', question, schema, options)
  if (first === undefined || 'kind' in first) return first
  const found = await lookup(first.terms, first.columns)
  return (await runRule('link', question, schema, { ...options, found })) as Linked | undefined
}
