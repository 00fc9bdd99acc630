import { amountOf } from '../../terms/amounts.ts'
import { isMoney } from '../../terms/catalogue.ts'
import { phraseAt, skip, subjectEntity, word, type Rule } from './parser.ts'
import { nounPhraseAt } from './noun-phrase.ts'
import { listed, refuse } from '../refusal.ts'

const QUESTIONS = ['what did', 'how much did', 'what do', 'what does', 'what has', 'what have']

/** `what did the returns cost last quarter?`: the amounts of a table that has one amount; products have prices instead. */
export const costOfRule: Rule = (p) => {
  const question = p.at === 0 ? phraseAt(p, 0, ['what did', 'how much did']) : undefined
  const phrase = question === undefined ? undefined : nounPhraseAt(p, question.length)
  if (phrase === undefined || phrase.match.via !== undefined) return false
  const { match: entity, next: verb } = phrase
  const attribute = amountOf(entity.entity)
  if (word(p, verb) !== 'cost' || attribute === undefined) return false
  p.reading.cost = { attribute }
  p.reading.conditions.push(...phrase.conditions)
  p.anchor = { entity: entity.entity }
  p.at = skip(p, verb + 1, 'us in total altogether')
  return true
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
  if (!isPlain || others.length > 0 || (clause !== undefined && isDated))
    return refuse('I do not see what the cost is of. Please ask for the cost by itself.')
  const about = clause?.kind === 'has' && clause.entity !== 'sale' ? clause.entity : counted
  const attribute = amountOf(about)
  if (attribute === undefined) {
    const amounts = about.attributes.filter(isMoney).map((a) => a.column.name)
    return refuse(
      amounts.length === 0
        ? `${about.nouns} hold no amounts of money that I could add up.`
        : `What ${about.nouns} cost could be ${listed(amounts)}. Please name the column.`,
    )
  }
  p.reading.cost = { attribute, ...(clause?.kind === 'has' ? { clause } : {}) }
  p.clause = undefined
  p.at = end
  return true
}
