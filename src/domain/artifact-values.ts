import { latestAttempt } from './attempts.ts'
import type { Provenance } from './provenance.ts'
import type { Result } from './result.ts'
import type { RunState } from './state.ts'
import type { Table } from './table.ts'

/** A value of at least so many characters of JSON is kept once and shown by reference. */
export const LARGE_VALUE = 4_096

/** Characters of a value that mean it. */
const HEAD = 400

/**
 * Placeholder for a value that is too long to show in full, such as a table with many rows; `ctx.artifacts.open` opens
 * it.
 */
export interface ArtifactValue {
  /** `result:KEY` of a job, or `shared:NAME` of the blackboard. */
  readonly ref: string
  readonly kind: 'text' | 'table' | 'list' | 'object'
  /** Size as JSON, in characters. */
  readonly size: number
  /** How it begins. */
  readonly head: string
}

interface Found {
  readonly value: unknown
  readonly provenance?: Provenance
}

/** The large values of the run, from attempts that were not superseded; each value once. */
export function artifactValuesIn(state: RunState): ArtifactValue[] {
  const jobs = [...state.jobs.values()].filter(
    ({ supersededBy, isOutdated }) => supersededBy === undefined && isOutdated !== true,
  )
  const refs = [...jobs.map(({ key }) => `result:${key}`), ...[...state.shared.keys()].map((name) => `shared:${name}`)]
  return refs.flatMap((ref) => {
    const shown = valueOrReference(ref, valueAt(state, ref)?.value)
    return isArtifactValue(shown, ref) ? [shown] : []
  })
}

/** Resolves a reference, for a job to its latest attempt. Undefined if there is no value. */
export function valueAt(state: RunState, ref: string): Found | undefined {
  const name = ref.slice(ref.indexOf(':') + 1)
  if (ref.startsWith('shared:')) return state.shared.get(name)
  const result = ref.startsWith('result:') ? latestAttempt(state, name)?.result : undefined
  return result === undefined ? undefined : { value: contentOf(result), provenance: result.provenance }
}

/** The value, or its `ArtifactValue` if it is large. */
export function valueOrReference(ref: string, value: unknown): unknown {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)) ?? ''
  if (text.length < LARGE_VALUE) return value
  const head = isTable(value) ? [value.columns, ...value.rows].map((row) => JSON.stringify(row)).join('\n') : text
  const shown: ArtifactValue = { ref, kind: kindOf(value), size: text.length, head: firstLines(head) }
  return shown
}

/** The data of a result, or its text if it has none. */
function contentOf({ tabular, data, answer }: Result): unknown {
  const content = { answer, tabular, data }
  const given = Object.entries(content).filter(([, value]) => value !== undefined)
  return given.length === 1 ? given[0]![1] : Object.fromEntries(given)
}

function isArtifactValue(shown: unknown, ref: string): shown is ArtifactValue {
  return typeof shown === 'object' && shown !== null && 'ref' in shown && shown.ref === ref && 'head' in shown
}

function kindOf(value: unknown): ArtifactValue['kind'] {
  if (typeof value === 'string') return 'text'
  return Array.isArray(value) ? 'list' : isTable(value) ? 'table' : 'object'
}

function isTable(value: unknown): value is Table {
  return (
    typeof value === 'object' && value !== null && 'columns' in value && 'rows' in value && Array.isArray(value.rows)
  )
}

/** Cut at the end of a line if possible. */
function firstLines(text: string): string {
  const cut = text.slice(0, HEAD)
  const end = cut.lastIndexOf('\n')
  return `${end > 0 ? cut.slice(0, end) : cut}…`
}
