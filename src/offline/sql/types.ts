import type { Terms } from '../../databases/glossary/terms.ts'
import type { Place, ValueHit, ValueLookup as Lookup } from '../../databases/glossary/value-lookup.ts'

export type { Place, ValueHit, Lookup }

/** A question that became one SELECT. */
export interface LinkedQuery {
  readonly kind: 'query'
  readonly sql: string
  /** One sentence: what the query computes. */
  readonly explanation: string
  /** 0 to 1; each assumption lowers it. */
  readonly confidence: number
  readonly shape: 'figure' | 'grouped' | 'top' | 'rows'
  readonly assumptions: readonly string[]
  readonly columns: readonly AnswerColumn[]
  /** What the rows of a list are. */
  readonly noun?: { readonly one: string; readonly many: string }
  /** What holds of the rows, as the question said it, beginning with a blank; empty where nothing. */
  readonly where: string
  /** How many were asked for; more rows mean that the last are equal. */
  readonly top?: number
  /** Rows at which a list is cut. */
  readonly limit?: number
}

export interface AnswerColumn {
  readonly name: string
  readonly role: 'label' | 'number' | 'money' | 'percent'
  /** What it is, in words: `revenue`, `number of customers`. */
  readonly title: string
}

/** A question that was not understood well enough to answer. */
export interface LinkedRefusal {
  readonly kind: 'refusal'
  /** Names what was not understood, and questions that work. */
  readonly reason: string
  /** Words that nothing in the database accounts for. */
  readonly unknown: readonly string[]
  /** Values of the data that the question names. */
  readonly near: readonly ValueHit[]
  /** It asks for a change of data, which nobody else is to be asked. */
  readonly isChange?: true
}

/** The reason where a column is asked for and no table or value is named. */
export const NO_SUBJECT = 'I do not see of what a column is asked.'

export type Linked = LinkedQuery | LinkedRefusal

export interface LinkOptions {
  readonly lookup: Lookup
  /** YYYY-MM-DD; what “this year” is counted from. */
  readonly today: string
  readonly terms?: Terms
  /** Row limit of lists; 100 unless told. */
  readonly maxRows?: number
}

/** Thrown inside linking where a question cannot be answered safely. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly unknown: readonly string[]

  constructor(reason: string, unknown: readonly string[] = []) {
    super(reason)
    this.unknown = unknown
  }
}

/** Stops with a reason that the person who asked will read. */
export function declineQuestion(reason: string, unknown: readonly string[] = []): never {
  throw new Refused(reason, unknown)
}

/** `a`, `a or b`, `a, b or c`. */
export function joinWords(items: readonly string[], conjunction: 'and' | 'or' = 'or'): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`
}
