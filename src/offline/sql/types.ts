import type { Terms } from '../../databases/glossary/terms.ts'
import type { Place, ValueHit, ValueLookup as Lookup } from '../../databases/glossary/value-lookup.ts'

export type { Place, ValueHit, Lookup }

/** A question translated to one SELECT statement. */
export interface LinkedQuery {
  readonly kind: 'query'
  readonly sql: string
  /** What the query computes, in one sentence. */
  readonly explanation: string
  /** 0 to 1; each assumption lowers it. */
  readonly confidence: number
  readonly shape: 'figure' | 'grouped' | 'top' | 'rows'
  readonly assumptions: readonly string[]
  readonly columns: readonly AnswerColumn[]
  /** Noun for the rows of a plain list. */
  readonly noun?: { readonly one: string; readonly many: string }
  /** Condition on the rows in the words of the question, with a leading space; empty if there is none. */
  readonly where: string
  /** Row limit of a list. */
  readonly limit?: number
}

export interface AnswerColumn {
  readonly name: string
  readonly role: 'label' | 'number' | 'money' | 'percent'
  /** Title in words: `revenue`, `number of customers`. */
  readonly title: string
}

/** A question that was not understood well enough to answer. */
export interface LinkedRefusal {
  readonly kind: 'refusal'
  /** Names the unknown words and questions that work. */
  readonly reason: string
  /** Words that match nothing in the database. */
  readonly unknown: readonly string[]
  /** True if the question asks to change data. It must not be passed to other agents. */
  readonly isChange?: true
}

/** The reason if the question asks for a column without a table or value. */
export const NO_SUBJECT = 'I do not see of what a column is asked.'

export type Linked = LinkedQuery | LinkedRefusal

export interface LinkOptions {
  readonly lookup: Lookup
  /** Current date as YYYY-MM-DD, the base of “this year”. */
  readonly today: string
  readonly terms?: Terms
  /** Row limit of lists. Default: 100. */
  readonly maxRows?: number
}

/** Thrown during linking if a question cannot be answered reliably. */
export class LinkRefusal extends Error {
  override readonly name = 'Refused'
  readonly unknown: readonly string[]

  constructor(reason: string, unknown: readonly string[] = []) {
    super(reason)
    this.unknown = unknown
  }
}

/** Refuses the question with a reason for the user. */
export function declineQuestion(reason: string, unknown: readonly string[] = []): never {
  throw new LinkRefusal(reason, unknown)
}

/** `a`, `a or b`, `a, b or c`. */
export function joinWords(items: readonly string[], conjunction: 'and' | 'or' = 'or'): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`
}
