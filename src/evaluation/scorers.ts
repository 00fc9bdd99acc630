import { z } from 'zod'
import type { Citation } from '../domain/answer.ts'
import type { RunResponse } from '../domain/response.ts'
import { separateDigits } from '../shared/superscripts.ts'
import type { Table } from '../domain/table.ts'
import type { Expectation } from './cases.ts'

/** An expectation, and whether it holds. */
export const checkSchema = z.object({
  scorer: z.enum(['exact', 'contains', 'excludes', 'number', 'table', 'citation', 'refusal', 'judge']),
  expected: z.string(),
  passed: z.boolean(),
  /** Why it does not hold, or the reason that a judging model gave. */
  why: z.string().optional(),
})
export type Check = Readonly<z.output<typeof checkSchema>>

/** All checks that need no model. */
export function checksOf(expectation: Expectation, response: RunResponse): Check[] {
  const { exact, contains = [], excludes = [], number = [], table, ordered = false, citation = [] } = expectation
  const notices = response.notices.map(({ text }) => text)
  const visibleText = plain([response.answer, ...notices, ...tablesOf(response).map(tableText)].join('\n'))
  const check = (scorer: Check['scorer'], wanted: string, passed: boolean, why: string): Check => {
    return { scorer, expected: wanted, passed, ...(passed ? {} : { why }) }
  }
  return [
    ...(exact === undefined
      ? []
      : [check('exact', exact, bare(withoutMarks(response.answer)) === bare(exact), 'the answer is another one')]),
    ...contains.map((text) => check('contains', text, holds(visibleText, text), `“${text}” is not in the answer`)),
    ...excludes.map((text) =>
      check('excludes', text, !visibleText.includes(plain(text)), `“${text}” is in the answer`),
    ),
    ...number.map((value) => check('number', String(value), states(response, value), `${value} is not stated`)),
    ...(table === undefined
      ? []
      : [
          check(
            'table',
            `${table.length} ${table.length === 1 ? 'row' : 'rows'}`,
            tablesOf(response).some((given) => isTable(given, table, ordered)),
            'no table of the answer has these rows',
          ),
        ]),
    ...citation.map((place) => check('citation', place, response.citations.some(cites(place)), 'it is not cited')),
  ]
}

/** The tables that the reader sees: the one of the answer, or else those of the agents. */
function tablesOf({ data, agentResults }: RunResponse): readonly Table[] {
  return data !== undefined
    ? [data]
    : agentResults.flatMap(({ status, tabular }) => (status === 'succeeded' ? (tabular ?? []) : []))
}

function tableText({ columns, rows }: Table): string {
  return rows.map((row) => columns.map((column) => String(row[column] ?? '')).join(' | ')).join('\n')
}

/** Normalises case, whitespace, dashes and quotes. */
function plain(text: string): string {
  return separateDigits(text)
    .normalize('NFKC')
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[‐‑–—−]/g, '-')
    .replace(/\s+/g, ' ')
    .toLowerCase()
}

/** Whether a text contains another. A number at its ends must match as a whole: “page 1” is not in “page 12”. */
function holds(shown: string, text: string): boolean {
  const normalized = plain(text)
  const literal = normalized.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
  const [before, behind] = [
    /^\d/.test(normalized) ? String.raw`(?<!\d|\d[.,])` : '',
    /\d$/.test(normalized) ? String.raw`(?![.,]?\d)` : '',
  ]
  return new RegExp(before + literal + behind, 'u').test(shown)
}

function bare(text: string): string {
  return plain(text)
    .replace(/[.!]?$/, '')
    .trim()
}

/** Removes citation marks, whose numbers are not part of the answer. */
function withoutMarks(answer: string): string {
  return answer.replace(/\s*\[\d+\](?!\()/g, '')
}

const NUMBER = /(?<![\w.,-])[-−]?(?:\d{1,3}(?:[,\u00A0\u202F’]\d{2,3})+|\d+)(?:\.\d+)?(?![\d]|[-/]\d)/g

/** The numbers in a text. Ignores dates, and digits within words. */
export function numbersIn(text: string): number[] {
  const found = text.replace(/\bRs\.(?=\d)/g, '').matchAll(NUMBER)
  return [...found].map(([digits]) => Number(digits.replace('−', '-').replace(/[,\u00A0\u202F’]/g, '')))
}

/** Whether an answer states a number: in its text, or in a table with a single row. */
function states({ answer, data }: RunResponse, expected: number): boolean {
  const cells = data?.rowCount === 1 ? Object.values(data.rows[0] ?? {}).flatMap(numberOfCell) : []
  return [...numbersIn(withoutMarks(answer)), ...cells].some((given) => isNear(given, expected))
}

function numberOfCell(cell: unknown): number[] {
  const number = typeof cell === 'number' ? cell : typeof cell === 'string' && cell.trim() !== '' ? Number(cell) : NaN
  return Number.isFinite(number) ? [number] : []
}

/** Compares two numbers, rounded to the decimal places of the one that has fewer. Never rounds to an integer. */
function isNear(given: number, expected: number): boolean {
  const places = Math.min(placesOf(given), placesOf(expected))
  return Math.abs(given - expected) <= (places === 0 ? 1e-6 : 0.5000001 * 10 ** -places)
}

function placesOf(value: number): number {
  return String(value).split('.')[1]?.length ?? 0
}

/** Whether the table has the expected columns with the same rows. */
function isTable({ columns, rows }: Table, expected: NonNullable<Expectation['table']>, ordered: boolean): boolean {
  if (rows.length !== expected.length) return false
  const width = expected[0]?.length ?? 0
  if (expected.some((row) => row.length !== width)) return false
  const choose = (chosen: readonly string[]): boolean => {
    const actualRows = rows.map((row) => chosen.map((column) => row[column] ?? null))
    const expectedRows = expected.map((row) => row.slice(0, chosen.length))
    if (!sameRows(actualRows, expectedRows, ordered)) return false
    if (chosen.length === width) return true
    return columns.some((column) => !chosen.includes(column) && choose([...chosen, column]))
  }
  return expected.length === 0 || choose([])
}

function sameRows(
  given: readonly (readonly unknown[])[],
  wanted: readonly (readonly unknown[])[],
  ordered: boolean,
): boolean {
  const left = [...given]
  return wanted.every((row, i) => {
    if (ordered) return sameRow(given[i]!, row)
    const at = left.findIndex((other) => sameRow(other, row))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

function sameRow(given: readonly unknown[], wanted: readonly unknown[]): boolean {
  return wanted.every((cell, i) => sameCell(given[i], cell))
}

function sameCell(given: unknown, wanted: unknown): boolean {
  if (wanted === null) return given === null || given === undefined
  const [number] = typeof wanted === 'number' ? numberOfCell(given) : []
  if (typeof wanted === 'number') return number !== undefined && isNear(number, wanted)
  return plain(String(given ?? '')).trim() === plain(String(wanted)).trim()
}

function cites(place: string): (citation: Citation) => boolean {
  return ({ source: { name, url = '', passage } }) => {
    const { page, section = '' } = passage ?? {}
    return holds(plain(`${name}${page === undefined ? '' : `, page ${page}`} ${section} ${url}`), place)
  }
}

/**
 * Verdict on an answer. `declined`: not answered, and the response states this. `wrong`: another answer was given,
 * which is worse. `failed`: there is no answer to judge.
 */
export type Verdict = (typeof VERDICTS)[number]

/** From best to worst. A case of several turns gets the worst of their verdicts. */
export const VERDICTS = ['right', 'declined', 'failed', 'wrong'] as const

/** Computes the verdict on one expectation from its checks. */
export function readingVerdict(expectation: Expectation, response: RunResponse, checks: readonly Check[]): Verdict {
  const { status, isAnswered } = response.metadata
  if (status !== 'finished') return 'failed'
  if (expectation.refusal === true) {
    const rest = checks.filter(({ scorer }) => scorer !== 'refusal')
    return !isAnswered && rest.every(({ passed }) => passed) ? 'right' : 'wrong'
  }
  // The answer contains something that it must not.
  if (checks.some(({ scorer, passed }) => scorer === 'excludes' && !passed)) return 'wrong'
  // Declined even if the expected text occurs in the passages that are shown instead of an answer.
  if (!isAnswered && expectation.passage !== true) return 'declined'
  if (checks.every(({ passed }) => passed)) return 'right'
  return isAnswered && !isPartial(response, checks) ? 'wrong' : 'declined'
}

/** Whether one part is right and the rest was not answered. */
function isPartial({ status }: RunResponse, checks: readonly Check[]): boolean {
  return status === 'partly' && checks.some(({ passed, scorer }) => passed && scorer !== 'excludes')
}
