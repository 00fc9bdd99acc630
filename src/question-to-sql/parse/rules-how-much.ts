import { asMatch } from '../../terms/amounts.ts'
import { MONEY_VERBS, SALE_VERBS } from '../words/lexicon.ts'
import { isForm, skip, word, type Parser } from './parser.ts'
import { refuse } from '../refusal.ts'
import { amountOfVerb } from './rules-amount.ts'
import { addFigure, addMeasure, moneyOrUnits } from './measures.ts'

/** `how much did we earn`, `how much was refunded`: the verb says which money. */
export function howMuch(p: Parser): boolean {
  const after = skip(p, p.at + 2, 'money in total of')
  if (p.reading.ranking !== undefined && after >= p.tokens.length) {
    p.at = after
    return true
  }
  const made = amountOfVerb(p, after)
  if (made !== undefined) {
    p.used.add(made.at)
    return addMeasure(p, { kind: 'column', aggregate: 'sum', match: asMatch(made.attribute, word(p, made.at)) }, after)
  }
  if (addFigure(p, moneyOrUnits(p, after, 'sum'))) return true
  p.at = after
  // The verb that makes it money must follow: earn, spend, sell, make.
  const verb = p.tokens.findIndex(
    (_, i) => i >= after && isForm(p, i, [...MONEY_VERBS, ...SALE_VERBS, 'make', 'pay', 'bring', 'take', 'owe']),
  )
  if (verb < 0)
    return refuse(
      'I do not see what “how much” is about. Ask for example “how much revenue” or name a column to add up.',
    )
  if (isForm(p, verb, ['buy', 'purchase', 'spend']) && /^(we|i)$/.test(word(p, verb - 1)))
    return refuse(
      `I know what was sold, not what “${word(p, verb - 1)} ${word(p, verb)}”. Please name the column to add up.`,
    )
  if (isForm(p, verb, ['pay', 'take', 'owe']))
    return refuse(`I do not know which amount “${p.tokens[verb]?.text}” means. Please name the column to add up.`)
  return addMeasure(
    p,
    { kind: 'money', aggregate: 'sum', word: isForm(p, verb, ['spend']) ? 'amount spent' : 'revenue' },
    after,
  )
}
