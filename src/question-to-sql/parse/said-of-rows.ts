import { refuse } from '../refusal.ts'
import { MONEY_VERBS, RELATION_VERBS, SALE_VERBS } from '../words/lexicon.ts'
import { isParticiple } from '../../terms/words.ts'
import { isFirst, isForm, word, type Parser } from './parser.ts'

const REQUEST = /^(?:tell|give|show|find|display|return|fetch|see|want|need|know)$/
const ASKER = /^(?:i|we|you|me|us|please|to|and|also|then|,)$/
const BE = /^(?:is|are|was|were)$/
const NOW = /^(?:now|here|currently|just)$/

/** “I want the guests who …” asks; “guests who want …” says which: a filler that is said of the rows stops the question. */
export function refuseSaidOfRows(p: Parser): void {
  const { at } = p
  const [said, before, next] = [word(p, at), word(p, at - 1), word(p, at + 1)]
  const isVerb = REQUEST.test(said) && !isFirst(p) && !ASKER.test(before)
  const isState = NOW.test(said) && BE.test(before) && (said === 'here' || next === '' || NOW.test(next))
  const isHere = said === 'here' && p.names.entitiesAt(at - 1).length > 0
  if (isVerb || isState || isHere)
    refuse(`I do not see which of them “${p.tokens[at]?.text}” tells. Please say it by a column, a value or a date.`)
}

/** “Rooms that have all amenities”: each of them, not any. “All” says nothing only of what is asked for. */
export function refuseForAll(p: Parser): void {
  const noun = p.tokens.findIndex((_, i) => p.names.entitiesAt(i).length > 0 || p.values.has(i))
  for (const [at, { lower }] of p.tokens.entries()) {
    const isPlaced = /^(?:in|at|to|from|on|for)$/.test(word(p, at - 1))
    const verb = isPlaced ? at - 2 : at - 1
    const isTied =
      isForm(p, verb, [...RELATION_VERBS, ...SALE_VERBS, ...MONEY_VERBS]) ||
      isParticiple(word(p, verb)) ||
      (isPlaced ? BE : /^(?:has|had|with|by|that|which)$/).test(word(p, verb))
    const isWhole = isPlaced && (word(p, at + 1) === '' || p.tokens[at + 1]?.kind === 'comma')
    if (lower === 'all' && noun >= 0 && noun < verb && isTied && !isWhole)
      refuse(
        `“all ${word(p, at + 1)}”: I can tell what is tied to any of them, not to each. Please ask for one of them.`,
      )
  }
}
