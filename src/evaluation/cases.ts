import { z } from 'zod'
import { TuttiError } from '../domain/errors.ts'
import { problemTexts } from '../domain/schema-problems.ts'
import type { RunState } from '../domain/state.ts'
import { createSecrets } from '../domain/secrets.ts'

const text = z.string().trim().min(1)
const texts = z.union([text.transform((one) => [one]), z.array(text).min(1)])
const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** Requirements of a right answer; all must hold. */
const expectationSchema = z
  .strictObject({
    /** The whole answer, ignoring whitespace, case and a final full stop. */
    exact: text.optional(),
    /** Each occurs in the answer or its table. */
    contains: texts.optional(),
    /** None occurs. */
    excludes: texts.optional(),
    /** Each is stated, rounded to the decimal places given here. */
    number: z.union([z.number().transform((one) => [one]), z.array(z.number()).min(1)]).optional(),
    /** The rows. Columns may be in any order, with others between them. */
    table: z.array(z.array(cell).min(1)).optional(),
    /** Whether the order of the rows matters. */
    ordered: z.boolean().optional(),
    /** Each is the beginning of a cited source, or part of its location. */
    citation: texts.optional(),
    /** The question has no answer, and the response must state that it is not answered. */
    refusal: z.literal(true).optional(),
    /** It suffices that a shown passage contains this, even if no answer is given. */
    passage: z.literal(true).optional(),
    /** The expected content, which a model compares with the answer. */
    judge: text.optional(),
  })
  .refine(
    (given) => Object.keys(given).some((key) => key !== 'ordered' && key !== 'passage'),
    'name at least one expectation',
  )
export type Expectation = Readonly<z.output<typeof expectationSchema>>

/** One expectation, or alternatives of which one suffices. */
const expected = z.union([
  expectationSchema.transform((one) => [one]),
  z.array(expectationSchema).min(1, 'name at least one reading'),
])

const turnSchema = z.strictObject({ question: text, expect: expected.optional() })
export type Turn = Readonly<z.output<typeof turnSchema>>

const caseSchema = z
  .strictObject({
    id: text.optional(),
    /** Cases of a set are counted together. */
    set: text.default('all'),
    question: text.optional(),
    expect: expected.optional(),
    /** Replaces `question` and `expect`: questions of one conversation, in order. */
    turns: z.array(turnSchema).min(1).optional(),
    /** Databases, APIs, documents and files of MCP servers. They replace those of the command line. */
    db: texts.optional(),
    api: texts.optional(),
    docs: texts.optional(),
    mcp: texts.optional(),
    context: z.record(z.string(), z.unknown()).default({}),
    strategy: text.optional(),
    /**
     * How the expected values were determined, one entry per alternative: a query, or a place in a document. For
     * readers.
     */
    reference: texts.optional(),
  })
  .refine(({ question, turns }) => (question === undefined) !== (turns === undefined), 'name either question or turns')
  .refine(
    ({ expect, turns }) => (turns === undefined ? expect !== undefined : expect === undefined),
    'set expect next to question, or in turns',
  )
  .refine(
    ({ turns = [] }) => turns.length === 0 || turns.some((turn) => turn.expect !== undefined),
    'set expect for at least one turn',
  )
/** A case as written in a file. */
export type CaseInput = z.input<typeof caseSchema>

/** One question, or several of one conversation, with expectations. */
export interface EvalCase extends Omit<Readonly<z.output<typeof caseSchema>>, 'id' | 'question' | 'expect' | 'turns'> {
  readonly id: string
  readonly turns: readonly Turn[]
}

/**
 * Parses cases: one JSON object per line, empty lines are skipped.
 * @param file name for messages
 * @throws TuttiError `InvalidRequest` that names the line
 */
export function parseCases(content: string, file: string): EvalCase[] {
  const lineOf = new Map<string, number>()
  const cases = content
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line, i) => (line.trim() === '' ? [] : [parseCase(line, i + 1, file)]))
  for (const { id, line } of cases) {
    const earlier = lineOf.get(id)
    if (earlier !== undefined) throw wrong(file, line, `the id "${id}" is that of line ${earlier}`)
    lineOf.set(id, line)
  }
  if (cases.length === 0) throw new TuttiError('InvalidRequest', `There is no case in ${file}.`)
  return cases.map(({ line: _line, ...rest }) => rest)
}

function parseCase(line: string, number: number, file: string): EvalCase & { readonly line: number } {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw wrong(file, number, `no JSON: ${(error as Error).message}`)
  }
  const parsed = caseSchema.safeParse(value)
  if (!parsed.success) throw wrong(file, number, problemTexts(parsed.error, 'the case').join('; '))
  const { id = String(number), question, expect, turns, ...rest } = parsed.data
  return { ...rest, id, line: number, turns: turns ?? [{ question: question!, expect }] }
}

function wrong(file: string, line: number, what: string): TuttiError {
  return new TuttiError('InvalidRequest', `${file}, line ${line}: ${what}.`)
}

/** Set by the run itself, from the current time. */
const OF_THE_CLOCK = new Set(['current_datetime_utc', 'current_date_start_hour', 'current_date_end_hour'])

type Expected = NonNullable<CaseInput['expect']>

/**
 * Makes a case of a run: the earlier questions of its conversation that the run knew, its question and its date. Secrets are masked.
 */
export function caseOfRun(state: RunState, expect: Expected): CaseInput {
  const { runId, request, recollection } = state
  const earlier = (recollection?.recent ?? []).flatMap(({ role, text }) =>
    role === 'user' ? [{ question: text }] : [],
  )
  const context = Object.fromEntries(Object.entries(request.context).filter(([key]) => !OF_THE_CLOCK.has(key)))
  const content =
    earlier.length === 0
      ? { question: request.question, expect }
      : { turns: [...earlier, { question: request.question, expect }] }
  const one: CaseInput = {
    id: runId.slice(0, 8),
    set: 'runs',
    ...content,
    context,
    ...(request.strategy === 'pipeline' ? {} : { strategy: request.strategy }),
  }
  return createSecrets().value(one)
}
