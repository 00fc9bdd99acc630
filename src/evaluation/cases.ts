import { z } from 'zod'
import { TuttiError } from '../domain/errors.ts'
import type { Attached } from '../domain/request.ts'
import type { RunState } from '../domain/state.ts'
import { createSecrets } from '../domain/secrets.ts'

const text = z.string().trim().min(1)
const texts = z.union([text.transform((one) => [one]), z.array(text).min(1)])
const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** What a right answer holds; all of it must be so. */
const expectationSchema = z
  .strictObject({
    /** The whole answer, but for white space, case and the full stop. */
    exact: text.optional(),
    /** Each is in the answer or its table. */
    contains: texts.optional(),
    /** None of these is. */
    excludes: texts.optional(),
    /** Each is stated, to the places that it is written with. */
    number: z.union([z.number().transform((one) => [one]), z.array(z.number()).min(1)]).optional(),
    /** The rows, their columns in whatever order and beside others. */
    table: z.array(z.array(cell).min(1)).optional(),
    /** The rows must come in this order. */
    ordered: z.boolean().optional(),
    /** Each is the beginning of a source that the answer cites, or part of its place. */
    citation: texts.optional(),
    /** Nothing answers this, and that must be said. */
    refusal: z.literal(true).optional(),
    /** It is enough that this is among passages that are shown, where none is called an answer. */
    passage: z.literal(true).optional(),
    /** What a right answer says, for a model to judge by. */
    judge: text.optional(),
  })
  .refine(
    (given) => Object.keys(given).some((key) => key !== 'ordered' && key !== 'passage'),
    'name at least one thing that is expected',
  )
export type Expectation = Readonly<z.output<typeof expectationSchema>>

/** One, or several readings of which one is enough. */
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
    /** In place of `question` and `expect`: what is asked one after the other, in one conversation. */
    turns: z.array(turnSchema).min(1).optional(),
    /** Databases, APIs, documents and files of MCP servers, in place of those of the command line. */
    db: texts.optional(),
    api: texts.optional(),
    docs: texts.optional(),
    mcp: texts.optional(),
    context: z.record(z.string(), z.unknown()).default({}),
    strategy: text.optional(),
    /** How the expected values were found, one for each reading: a query, a place in a document. For readers. */
    reference: texts.optional(),
  })
  .refine(({ question, turns }) => (question === undefined) !== (turns === undefined), 'name either question or turns')
  .refine(
    ({ expect, turns }) => (turns === undefined ? expect !== undefined : expect === undefined),
    'say what is expected: beside question, or in turns',
  )
  .refine(
    ({ turns = [] }) => turns.length === 0 || turns.some((turn) => turn.expect !== undefined),
    'say what is expected of at least one turn',
  )
/** A case as it may be written. */
export type CaseInput = z.input<typeof caseSchema>

/** One question, or several of one conversation, and what the answers must hold. */
export interface EvalCase extends Omit<Readonly<z.output<typeof caseSchema>>, 'id' | 'question' | 'expect' | 'turns'> {
  readonly id: string
  readonly turns: readonly Turn[]
}

/**
 * Reads cases, one JSON object a line; empty lines are skipped.
 * @param file its name, for messages
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
  if (!parsed.success) throw wrong(file, number, parsed.error.issues.flatMap((issue) => problems(issue)).join('; '))
  const { id = String(number), question, expect, turns, ...rest } = parsed.data
  return { ...rest, id, line: number, turns: turns ?? [{ question: question!, expect }] }
}

/** An alternative of a union is wrong in ways of its own; the nearest one tells what is meant. */
function problems(issue: z.core.$ZodIssue, path: readonly PropertyKey[] = []): string[] {
  const here = [...path, ...issue.path]
  const inner = issue.code === 'invalid_union' ? issue.errors : []
  const nearest = [...inner].sort((a, b) => depth(b) - depth(a))[0]
  if (nearest !== undefined) return nearest.flatMap((one) => problems(one, here))
  return [`${here.length === 0 ? 'the case' : here.join('.')}: ${issue.message}`]
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(...issues.map(({ path, code }) => path.length + (code === 'invalid_type' ? 0 : 0.5)))
}

function wrong(file: string, line: number, what: string): TuttiError {
  return new TuttiError('InvalidRequest', `${file}, line ${line}: ${what}.`)
}

/** Given by the run itself, and another at every time. */
const OF_THE_CLOCK = new Set(['current_datetime_utc', 'current_date_start_hour', 'current_date_end_hour'])

type Expected = NonNullable<CaseInput['expect']>

/**
 * A run as a case: its question after those of its conversation that the run was told of, its sources, the day that it took
 * for today. What is secret in them is masked.
 */
export function caseOfRun(state: RunState, expect: Expected): CaseInput {
  const { runId, request, recollection } = state
  const earlier = (recollection?.recent ?? []).flatMap(({ role, text }) =>
    role === 'user' ? [{ question: text }] : [],
  )
  const context = Object.fromEntries(Object.entries(request.context).filter(([key]) => !OF_THE_CLOCK.has(key)))
  const of = (kind: Attached['kind']): string[] =>
    (request.attached ?? []).flatMap((one) => {
      if (one.kind !== kind) return []
      return [one.name === undefined ? one.address : `${one.name}=${one.address}`]
    })
  const sources = { db: of('database'), api: of('api'), docs: of('documents'), mcp: of('mcp') }
  const asked =
    earlier.length === 0
      ? { question: request.question, expect }
      : { turns: [...earlier, { question: request.question, expect }] }
  const one: CaseInput = {
    id: runId.slice(0, 8),
    set: 'runs',
    ...asked,
    ...Object.fromEntries(Object.entries(sources).filter(([, addresses]) => addresses.length > 0)),
    context,
    ...(request.strategy === 'pipeline' ? {} : { strategy: request.strategy }),
  }
  return createSecrets().value(one)
}
