import type { Schemas } from '../../../client/api-types.ts'
import type { Words } from '../../locales/texts.ts'

export type EvalCase = Schemas['EvalCase']
export type CaseResult = Schemas['CaseResult']
export type Verdict = CaseResult['verdict']

export const VERDICTS = ['right', 'declined', 'wrong', 'failed'] as const

export interface CaseSet<T> {
  readonly set: string
  readonly cases: readonly T[]
}

/** The cases of each set. */
export function groupBySet<T extends { readonly set: string }>(cases: readonly T[]): CaseSet<T>[] {
  const names = [...new Set(cases.map(({ set }) => set))]
  return names.map((set) => ({ set, cases: cases.filter((one) => one.set === set) }))
}

/** The question of a case: the last one with an expectation. */
export function questionOfCase({ turns }: EvalCase): { question: string; expect: readonly object[] } {
  const { question, expect = [] } = turns.findLast((turn) => turn.expect !== undefined) ?? turns.at(-1)!
  return { question, expect }
}

/** The turn that decided the result: the first with the same verdict. */
export function decisiveTurn({ turns, verdict }: CaseResult): CaseResult['turns'][number] | undefined {
  return turns.find((turn) => turn.verdict === verdict) ?? turns.at(-1)
}

/** What the checks of a result expected. */
export function expectedText(result: CaseResult): string {
  const checks = decisiveTurn(result)?.checks ?? []
  return [...new Set(checks.map(({ expected }) => expected))].join(' · ')
}

/** The expectation in words; one of several readings is enough. */
export function expectationText(expect: readonly object[], words: Words): string {
  const names: Readonly<Record<string, string>> = words.evaluations.expectation
  return expect
    .map((reading) =>
      Object.entries(reading)
        .filter(([name]) => name !== 'ordered')
        .map(([name, value]) => {
          if (name === 'refusal') return names[name]
          if (name === 'table') return `${names[name]} (${(value as unknown[]).length})`
          return `${names[name] ?? name} ${[value].flat().join(', ')}`
        })
        .join(' · '),
    )
    .join(` ${words.evaluations.or} `)
}
