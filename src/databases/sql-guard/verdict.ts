import type { JoinedSelect } from './joins.ts'

/** The rule of the SQL guard that rejected a query, for tests and logs; the reason is for users and models. */
export type GuardRule =
  | 'length' // longer, deeper or with more operators than the parser is trusted with
  | 'nul' // a NUL character, where some databases stop reading
  | 'encoding' // half a surrogate pair: parser and database would read different characters
  | 'character' // a character outside quotes that parser and database may read differently
  | 'comment' // an executable, hinting, nested or unfinished comment
  | 'literal' // a literal whose end the parser and the database may see at different positions
  | 'ambiguous' // parser and text disagree on how many SELECT, FROM or JOIN there are
  | 'parse'
  | 'statement-count'
  | 'statement-kind'
  | 'node' // a part of the grammar that is not allowed
  | 'table'
  | 'column'
  | 'function'
  | 'operator'
  | 'type'
  | 'size' // a call that would build a huge value or a huge number of rows
  | 'lock'
  | 'into'
  | 'variable'

export type Verdict =
  | {
      readonly allowed: true
      readonly tables: readonly string[]
      readonly functions: readonly string[]
      /** Its SELECTs over several tables; absent if the tree is unknown. */
      readonly joins?: readonly JoinedSelect[]
    }
  | {
      readonly allowed: false
      readonly reason: string
      readonly rule: GuardRule
      /** The name or keyword that was rejected, if it is one. */
      readonly name?: string
      /** The position of the error, if the parser reports it. */
      readonly at?: number
    }

type RejectedPlace = Pick<Extract<Verdict, { allowed: false }>, 'name' | 'at'>

const MAX_REASON = 600

/** Thrown inside the SQL guard to reject a query; `createSqlGuard` converts it to a `Verdict`. Other errors propagate. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly rule: GuardRule
  readonly place: RejectedPlace

  constructor(rule: GuardRule, reason: string, place: RejectedPlace) {
    super(reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason)
    this.rule = rule
    this.place = place
  }
}

/** Rejects the query. `reason` is a full sentence that names the problem and says what is allowed. */
export function rejectQuery(rule: GuardRule, reason: string, place: RejectedPlace = {}): never {
  throw new Refusal(rule, reason, place)
}

const MAX_NAMED_CHARACTERS = 400

/** `a, b, c … and 12 more`, so that a reason stays readable on a database with a thousand tables. */
export function listNames(names: Iterable<string>): string {
  const sorted = [...new Set(names)].sort()
  if (sorted.length === 0) return 'none'
  let room = MAX_NAMED_CHARACTERS
  const visible = sorted.filter((name) => (room -= name.length + 2) > 0)
  const hidden = sorted.length - visible.length
  return hidden === 0 ? visible.join(', ') : `${visible.join(', ')} and ${hidden} more`
}

/** A name as it is shown in a reason: one line, no control characters, at most 80 characters. */
export function printableName(name: string): string {
  const clean = name.replace(/[\p{C}\s]+/gu, ' ')
  return `"${clean.length > 80 ? `${clean.slice(0, 80)}…` : clean}"`
}
