import { MAX_RULE_TEXT, ruleText } from '../core/rule-text.ts'
import { given } from '../core/given.ts'
import type { DatabaseSchema } from '../databases/schema.ts'
import { timesIn } from '../language/periods.ts'
import { findCancelled } from './plan/cancelled.ts'
import type { Catalogue } from '../terms/catalogue.ts'
import { changeIn } from '../language/clause-starts.ts'
import { knownWords, valuesAmong } from './parse/known-words.ts'
import { withWords } from '../terms/value-lookup.ts'
import { keepTo } from './parse/given-period.ts'
import { emptyReading, parse } from './parse/parse.ts'
import { keepToFigure, pairIn, type Pair } from './parse/pair.ts'
import type { Parser } from './parse/parser.ts'
import { refuseTwoSentences } from './parse/second-question.ts'
import type { Planned } from './plan/planned.ts'
import { planCompared } from './plan/plan-compared.ts'
import { planPair } from './plan/plan-pair.ts'
import { planReading, type Understood } from './plan/plan.ts'
import { attributesOf, type Reading } from './reading.ts'
import { listed, Refused, RefusedChange, refuse } from './refusal.ts'
import { findFlags, findNone } from '../terms/flags.ts'
import { NO_TERMS, type Terms } from '../terms/terms.ts'
import { findSales } from '../terms/sales.ts'
import { answerSchemaQuestion } from './parse/schema-questions.ts'
import type { PlanContext } from './plan/scope.ts'
import { normalise } from './words/tokens.ts'
import type { Linked, LinkedQuery, LinkedSchemaAnswer, LinkOptions } from './types.ts'

export { listed } from './refusal.ts'
export { nameFit, type NameFit } from './parse/name-fit.ts'
export { ofThings } from './plan/explain.ts'
export type * from './types.ts'

const LONGEST_QUESTION = 1000

/**
 * Turns a question into one SELECT by matching its words against the schema, without a model. It refuses, naming what it did
 * not understand, unless every word of the question has been accounted for. Errors of the lookup pass through.
 */
export async function linkQuestion(question: string, schema: DatabaseSchema, options: LinkOptions): Promise<Linked> {
  try {
    const text = normalise(ruleText(question))
    if (question.length > MAX_RULE_TEXT || text.length > LONGEST_QUESTION) {
      const length = Math.max(question.length, text.length)
      refuse(
        `Without a language model, a question to a database may have up to ${LONGEST_QUESTION} characters, and this has ${length}. Please ask a shorter one.`,
      )
    }
    const pair = pairIn(text, options.today)
    return pair === undefined ? await link(question, schema, options) : await linkPair(pair, schema, options)
  } catch (error) {
    if (error instanceof RefusedChange)
      return { kind: 'refusal', reason: await insteadOf(error.message, question, schema, options) }
    if (error instanceof Refused) return { kind: 'refusal', reason: error.message }
    throw error
  }
}

/** What can be asked instead of a change of which the times are not named: what is understood when it is tried. */
async function insteadOf(
  word: string,
  question: string,
  schema: DatabaseSchema,
  options: LinkOptions,
): Promise<string> {
  const figure = question
    .replace(/[\s?.!]+$/, '')
    .replace(new RegExp(`\\b${word}\\b(?: (?:of|in))?(?: the)?\\s*`, 'i'), '')
    .trim()
  const year = Number(options.today.slice(0, 4))
  const understood: string[] = []
  for (const form of [`${figure} ${year - 1} vs ${year}`, `${figure} per year`, figure]) {
    if (understood.length === 0 || form !== figure)
      if ((await linkQuestion(form, schema, options)).kind === 'query') understood.push(`“${form}”`)
  }
  if (understood.length > 0) return `“${word}”: I do not see between which times. Please ask for ${listed(understood)}.`
  return `“${word}”: I can tell it of one figure of two times that are named, and do not understand such a figure here.`
}

/**
 * The answer to a question about the schema itself (which tables there are, what columns one has), for which no model is
 * needed. Undefined for any other question.
 */
export function linkSchemaQuestion(
  question: string,
  schema: DatabaseSchema,
  terms: Terms = NO_TERMS,
): LinkedSchemaAnswer | undefined {
  if (schema.tables.length === 0 || question.length > LONGEST_QUESTION) return undefined
  const { catalogue, tokens, names } = knownWords(question, schema, { terms })
  try {
    return answerSchemaQuestion(catalogue, tokens, names)
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

/** Each figure is asked for by itself, of its own time, and then set against the other. */
async function linkPair(pair: Pair, schema: DatabaseSchema, options: LinkOptions): Promise<Linked> {
  const { period: _, ...unbound } = options
  // A time that was found for the whole is not that of each.
  const isTold = pair.questions.some((question) => timesIn(question, options.today).length > 0)
  const asked: Understood[] = []
  const readings: Reading[] = []
  for (const question of pair.questions) {
    const one = await understand(question, schema, isTold ? unbound : options, (reading) =>
      keepToFigure(reading, pair, readings),
    )
    if ('reading' in one) asked.push(one)
  }
  const [early, late] = asked
  if (early === undefined || late === undefined)
    return refuse('I can compare two figures of the data. Please ask for each of them by itself.')
  const planned = early.reading.groups.length > 0 ? planCompared([early, late]) : planPair(pair, [early, late])
  return told(planned, new Set([...asked.flatMap(({ context }) => [...context.assumptions]), ...pair.assumptions]))
}

async function link(question: string, schema: DatabaseSchema, options: LinkOptions): Promise<Linked> {
  const asked = await understand(question, schema, options)
  return 'kind' in asked ? asked : told(planReading(asked.context, asked.reading), asked.context.assumptions)
}

/** @param keep looks at what was read before anything else does */
async function understand(
  question: string,
  schema: DatabaseSchema,
  options: LinkOptions,
  keep: (reading: Reading) => void = () => {},
): Promise<Understood | LinkedSchemaAnswer> {
  if (schema.tables.length === 0) refuse(`${schema.name} has no tables to ask about.`)
  const known = knownWords(question, schema, options)
  const { text, tokens, catalogue, names } = known
  if (tokens.length === 0) refuse('There is no question.')
  refuseWrites(text)
  const lookup = withWords(options.lookup, options.terms ?? NO_TERMS)
  refuseMails(text, catalogue)
  refuseTwoSentences(text)
  const about = answerSchemaQuestion(catalogue, tokens, names)
  if (about !== undefined) return about
  await findFlags(catalogue, tokens, names, lookup)
  const sales = findSales(catalogue)
  const values = await valuesAmong(known, { ...options, lookup })
  const parser: Parser = {
    tokens,
    names,
    catalogue,
    sales,
    values,
    today: options.today,
    reading: emptyReading(),
    at: 0,
    clause: undefined,
    anchor: undefined,
    counting: false,
    used: new Set(),
  }
  refuseTimes(text, parser)
  const reading = parse(parser)
  keep(reading)
  if (options.period !== undefined) keepTo(reading, options.period)
  const cancelled = await findCancelled(sales, reading, lookup)
  const days = reading.measures.find((m) => m.kind === 'days')
  const context: PlanContext = {
    ...given({ date: days?.from, cancelled }),
    keepsAll: reading.keepsCancelled === true,
    catalogue,
    sales,
    none: await findNone(attributesOf(reading.conditions, 'missing'), lookup),
    hints: tokens.filter((t) => t.kind === 'word').map((t) => t.lower),
    maxRows: options.maxRows ?? 100,
    assumptions: new Set(reading.notes),
    grouped: new Set(),
  }
  return { context, reading }
}

/** Each assumption makes it less certain. */
function told(planned: Planned, assumptions: ReadonlySet<string>): LinkedQuery {
  const confidence = Math.max(0.5, 0.95 - 0.1 * assumptions.size)
  return { kind: 'query', ...planned, confidence, assumptions: [...assumptions] }
}

/** Times that are no days, unless the data have a name for them: a column `fiscal_year`, a product “Winter 2024”. */
function refuseTimes(text: string, { tokens, names, values, today }: Parser): void {
  for (const time of timesIn(text, today)) {
    if (!('reason' in time)) continue
    const isNamed = tokens.some(({ start, end }, at) => {
      return start >= time.start && end <= time.end && (values.has(at) || names.attributesAt(at) !== undefined)
    })
    if (!isNamed) refuse(time.reason)
  }
}

const MAILS =
  /\b(e-?mails?|mails?)(?! address)\s+(?:(?:that|which|did|have|has|do|does|were|was|are|is|we|i|you|they|came|come|ever)\s+)*(?:from|about|regarding|concerning|since|received?|sent|got|get|gotten)\b/i

/** A column of addresses holds no mails: “the mails from our supplier” are in a mailbox. */
function refuseMails(text: string, { database, entities }: Catalogue): void {
  const said = MAILS.exec(text)?.[1]
  if (said === undefined || entities.some(({ noun }) => /\b(?:e-?mail|mail|message)\b/i.test(noun))) return
  refuse(`${database} holds no mails, so “${said}” cannot be looked up there. For addresses, say “e-mail address”.`)
}

/** Only reading is done here, whatever the question asks for. */
function refuseWrites(text: string): void {
  const verb = changeIn(text)
  if (verb !== undefined) {
    refuse(`“${verb}” would change data. I only read: ask for a list, a count or a figure.`)
  }
}
