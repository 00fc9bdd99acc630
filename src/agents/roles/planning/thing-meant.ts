import { startsClause } from '../../../language/clause-starts.ts'
import type { Clause } from '../../../language/clauses.ts'

const PRONOUN = /\b(?:it|that one|this one)\b/iu
/** What a text names so that it can be found again: a file, an address, a thing by its number. */
const THINGS =
  /(?<![\p{L}\p{N}])(?:[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]*[^\s"'<>.,;:!?)]|(?:[\p{L}\p{N}_~.-]*[/\\])*[\p{L}\p{N}_-]+\.\p{L}[\p{L}\p{N}]{0,7}(?![\p{L}\p{N}])|(?!(?:by|to|of|at|in|on|for|from|than|and|or|with|the|top|first|last)\b)\p{L}{3,30} (?:no\.? ?|number )?#?\d+(?![\p{L}\p{N}]|[.,]\d))/giu

/** The text with what its pronoun stands for in its place, where the one before names exactly one thing. */
export function withThingMeant(text: string, before: string): string {
  const things = new Set([...before.matchAll(THINGS)].map(([thing]) => thing))
  const [only] = things
  return only === undefined || things.size > 1 ? text : text.replace(PRONOUN, () => only)
}

/** “Before you show order 915, cancel it”: two requests, in an order that the first word says. */
const FRONTED = /^(?<when>before|after|once) (?:you )?(?<first>[^,]{3,200}), (?:please )?(?<second>[^]+)$/iu

/** A clause behind one that says when, as a request of its own, where both are requests. */
export function frontedIn(clause: Clause): readonly (Clause & { readonly isBefore?: boolean })[] {
  const { when, first, second } = FRONTED.exec(clause.text)?.groups ?? {}
  if (first === undefined || second === undefined || !startsClause(first) || !startsClause(second)) return [clause]
  const start = clause.start + clause.text.indexOf(first)
  const from = clause.end - second.length
  const isBefore = when!.toLowerCase() === 'before'
  return [
    { ...clause, text: first, start, end: start + first.length },
    { text: second, link: isBefore ? 'and' : 'then', start: from, end: clause.end, ...(isBefore && { isBefore }) },
  ]
}
