import { z } from 'zod'
import { ANSWER_FORMATS } from '../domain/answer-format.ts'
import { TuttiError } from '../domain/errors.ts'
import { VERDICTS, type Verdict } from './verdict.ts'

const verdict = z.enum(['right', 'declined', 'wrong', 'failed'])
const check = z.object({
  scorer: z.enum(['exact', 'contains', 'excludes', 'number', 'table', 'citation', 'refusal', 'judge']),
  expected: z.string(),
  passed: z.boolean(),
  why: z.string().optional(),
})
const turn = z.object({
  question: z.string(),
  answer: z.string(),
  /** How it is to be read; as text when absent. */
  format: z.enum(ANSWER_FORMATS).optional(),
  /** The run that answered it, where it is kept. */
  runId: z.string().optional(),
  /** Absent when nothing is expected of the turn. */
  verdict: verdict.optional(),
  checks: z.array(check).readonly(),
  notes: z.array(z.string()).readonly(),
  /** Model calls that reached a provider. */
  calls: z.number(),
  costUsd: z.number(),
  latencyMs: z.number(),
  /** Each agent, and what came of it. */
  agents: z.array(z.string()).readonly().optional(),
  /** What sources were asked, such as SQL. */
  detail: z.array(z.string()).readonly().optional(),
})
export const caseResultSchema = z.object({
  id: z.string(),
  set: z.string(),
  verdict,
  reference: z.array(z.string()).readonly().optional(),
  /** Why there are no answers. */
  error: z.string().optional(),
  turns: z.array(turn).readonly(),
})
const runSchema = z.object({
  version: z.literal(1),
  files: z.array(z.string()).readonly(),
  /** ISO 8601. */
  startedAt: z.string(),
  strategy: z.string().optional(),
  models: z.record(z.string(), z.string()),
  cases: z.array(caseResultSchema).readonly(),
})

export type TurnResult = Readonly<z.output<typeof turn>>
export type CaseResult = Readonly<z.output<typeof caseResultSchema>>
/** An evaluation as it is printed with `--json`, and read again to compare. */
export type EvalRun = Readonly<z.output<typeof runSchema>>

/** @throws TuttiError `InvalidRequest` when the text is no evaluation */
export function parseRun(text: string, file: string): EvalRun {
  try {
    return runSchema.parse(JSON.parse(text))
  } catch {
    throw new TuttiError(
      'InvalidRequest',
      `${file} is no evaluation; write one with "tutti eval FILE --json > ${file}".`,
    )
  }
}

/** How many cases came to what, and what they took. */
export interface Totals extends Readonly<Record<Verdict, number>> {
  readonly cases: number
  /** Of all cases, 0 to 1. */
  readonly score: number
  readonly calls: number
  readonly costUsd: number
  /** Half of the cases took less. */
  readonly medianMs: number
  /** 19 of 20 did; of fewer cases than that, what the slowest took. */
  readonly slowMs: number
  /** What the fastest took. */
  readonly fastMs: number
}

/** Of fewer cases nobody can say what 19 of 20 took. */
export const ENOUGH_CASES = 20

/** What of a case is counted. */
export interface CountedCase extends Pick<CaseResult, 'set' | 'verdict'> {
  readonly turns: readonly Pick<TurnResult, 'calls' | 'costUsd' | 'latencyMs'>[]
}

export function sumTotals(cases: readonly CountedCase[]): Totals {
  const count = (wanted: Verdict): number => cases.filter((one) => one.verdict === wanted).length
  const sum = (of: 'calls' | 'costUsd'): number =>
    cases.flatMap(({ turns }) => turns).reduce((all, one) => all + one[of], 0)
  const times = cases.map(({ turns }) => turns.reduce((all, one) => all + one.latencyMs, 0)).sort((a, b) => a - b)
  const right = count('right')
  return {
    cases: cases.length,
    right,
    declined: count('declined'),
    wrong: count('wrong'),
    failed: count('failed'),
    score: cases.length === 0 ? 0 : right / cases.length,
    calls: sum('calls'),
    costUsd: sum('costUsd'),
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    slowMs: times[Math.floor(times.length * 0.95)] ?? 0,
    fastMs: times[0] ?? 0,
  }
}

/** Sets in their order, each with its totals. */
export function totalsBySet(cases: readonly CountedCase[]): { readonly set: string; readonly totals: Totals }[] {
  const sets = [...new Set(cases.map(({ set }) => set))]
  return sets.map((set) => ({ set, totals: sumTotals(cases.filter((one) => one.set === set)) }))
}

/** A case that came to something else in a later run; one side is absent when only the other run has the case. */
export interface Change {
  readonly id: string
  readonly set: string
  readonly before?: Verdict
  readonly after?: Verdict
}

/** What differs between two runs, in the order of the later one; what is gone comes last. */
export function changesBetween(before: EvalRun, after: EvalRun): Change[] {
  const key = ({ set, id }: CaseResult): string => JSON.stringify([set, id])
  const earlier = new Map(before.cases.map((one) => [key(one), one]))
  const later = new Set(after.cases.map(key))
  return [
    ...after.cases.flatMap((one) => {
      const { verdict: was } = earlier.get(key(one)) ?? {}
      const change = { id: one.id, set: one.set, after: one.verdict }
      return was === one.verdict ? [] : [was === undefined ? change : { ...change, before: was }]
    }),
    ...before.cases.flatMap((one) => (later.has(key(one)) ? [] : [{ id: one.id, set: one.set, before: one.verdict }])),
  ]
}

/** Those that came out worst first; among equals as they were. */
export function worstFirst<T>(entries: readonly T[], of: (entry: T) => Verdict | undefined): T[] {
  const rank = (entry: T): number => VERDICTS.indexOf(of(entry) ?? 'right')
  return [...entries].sort((a, b) => rank(b) - rank(a))
}
