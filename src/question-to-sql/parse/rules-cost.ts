import { given } from '../../core/given.ts'
import { amountOf, asMatch } from '../../terms/amounts.ts'
import type { Attribute } from '../../terms/catalogue.ts'
import { phraseAt, skip, subjectEntity, word, type Rule } from './parser.ts'
import { addMeasure } from './measures.ts'
import { nounPhraseAt } from './noun-phrase.ts'
import { refuse } from '../refusal.ts'
import { refuseAmounts } from './rules-amount.ts'

const QUESTIONS = ['what did', 'how much did', 'what do', 'what does', 'what has', 'what have']

/** The sum of the amounts; the answer names them, since “cost” could mean something else. */
function costIn(attribute: Attribute) {
  return { kind: 'column', aggregate: 'sum', match: asMatch(attribute, 'cost') } as const
}

/** `what did the returns cost last quarter?`: the amounts of a table that has one amount; products have prices instead. */
export const costOfRule: Rule = (p) => {
  const question = p.at === 0 ? phraseAt(p, 0, ['what did', 'how much did']) : undefined
  const phrase = question === undefined ? undefined : nounPhraseAt(p, question.length)
  if (phrase === undefined || phrase.match.via !== undefined) return false
  const { match: entity, next: verb } = phrase
  const attribute = amountOf(entity.entity)
  if (word(p, verb) !== 'cost' || attribute === undefined) return false
  p.reading.conditions.push(...phrase.conditions)
  p.anchor = { entity: entity.entity }
  return addMeasure(p, costIn(attribute), skip(p, verb + 1, 'us in total altogether'))
}

/** `how many orders were returned …, and what did they cost?`: the amounts of what the clause is about, the returns. */
export const costRule: Rule = (p) => {
  const start = skip(p, p.at, ', and also')
  const question = phraseAt(p, start, QUESTIONS)
  if (question === undefined) return false
  const pronoun = start + question.length
  if (!/^(they|it|that|this|these|those)$/.test(word(p, pronoun))) return false
  const verb = skip(p, pronoun + 1, 'all')
  if (!/^cost(ed)?$/.test(word(p, verb))) return false
  const end = skip(p, verb + 1, 'us in total altogether')
  const counted = p.reading.counted === undefined ? undefined : subjectEntity(p)
  if (counted === undefined || end < p.tokens.length || p.reading.measures.length > 0) return false
  const clauses = p.reading.conditions.flatMap((c) => (c.kind === 'has' || c.kind === 'metric' ? [c] : []))
  const [clause, ...others] = clauses
  const isPlain = clause === undefined || (clause.kind === 'has' && clause.entity !== 'sale' && !clause.negated)
  const isDated = p.reading.conditions.some((c) => c.kind === 'date')
  if (!isPlain || others.length > 0 || (clause !== undefined && isDated) || p.reading.groups.length > 0)
    return refuse('I do not see what the cost is of. Please ask for the cost by itself.')
  const about = clause?.kind === 'has' && clause.entity !== 'sale' ? clause.entity : counted
  const attribute = amountOf(about)
  if (attribute === undefined) return refuseAmounts(about, `What ${about.nouns} cost`)
  p.clause = undefined
  p.reading.isJoined = true
  p.reading.measures.push({ ...costIn(attribute), ...given({ clause }) })
  p.at = end
  return true
}
