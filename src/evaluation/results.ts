import { z } from 'zod'
import { ANSWER_FORMATS } from '../domain/answer-status.ts'
import { TuttiError } from '../domain/errors.ts'
import { checkSchema, VERDICTS, type Verdict } from './scorers.ts'

const verdict = z.enum(VERDICTS)
const turn = z.object({
  question: z.string(),
  answer: z.string(),
  /** Format of the answer; default `text`. */
  format: z.enum(ANSWER_FORMATS).optional(),
  /** The run that answered it, if it is stored. */
  runId: z.string().optional(),
  /** Absent if the turn has no expectation. */
  verdict: verdict.optional(),
  checks: z.array(checkSchema).readonly(),
  notes: z.array(z.string()).readonly(),
  /** Model calls that reached a provider. */
  calls: z.number(),
  costUsd: z.number(),
  latencyMs: z.number(),
  /** Each agent with its status. */
  agents: z.array(z.string()).readonly().optional(),
  /** Queries sent to sources, such as SQL. */
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
/** An evaluation, as printed by `--json` and read again for comparison. */
export type EvalRun = Readonly<z.output<typeof runSchema>>

/** @throws TuttiError `InvalidRequest` if the text is not an evaluation */
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

/** Number of cases per verdict, with durations and cost. */
export interface Totals extends Readonly<Record<Verdict, number>> {
  readonly cases: number
  /** Score over all cases, 0 to 1. */
  readonly score: number
  readonly calls: number
  readonly costUsd: number
  /** p50 of the duration. */
  readonly medianMs: number
  /** p95 of the duration; the maximum if there are fewer than 20 cases. */
  readonly slowMs: number
}

/** The fields of a case that totals use. */
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
  }
}

/** Totals of each set, in the order of the sets. */
export function totalsBySet(cases: readonly CountedCase[]): { readonly set: string; readonly totals: Totals }[] {
  const sets = [...new Set(cases.map(({ set }) => set))]
  return sets.map((set) => ({ set, totals: sumTotals(cases.filter((one) => one.set === set)) }))
}

/** A case whose verdict differs between two runs. One side is absent if only the other run has the case. */
export interface Change {
  readonly id: string
  readonly set: string
  readonly before?: Verdict
  readonly after?: Verdict
}

/** Differences between two runs, in the order of the later one; removed cases come last. */
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

/** Sorts by verdict, worst first; stable. */
export function sortWorstFirst<T>(entries: readonly T[], of: (entry: T) => Verdict | undefined): T[] {
  const rank = (entry: T): number => VERDICTS.indexOf(of(entry) ?? 'right')
  return [...entries].sort((a, b) => rank(b) - rank(a))
}
