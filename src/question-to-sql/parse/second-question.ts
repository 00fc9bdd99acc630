import { refuse } from '../refusal.ts'
import { entityAt } from './named-things.ts'
import { isFirst, skip, word, type Parser } from './parser.ts'

/** “… and who are the employees?”, “…, list the suppliers”, “… and the names of suppliers”: where its noun stands. */
function nounOfSecond(p: Parser, at: number): number | undefined {
  const joint = skip(p, at, 'and also but plus then , ; . ?')
  // A comma may have gone with what was read before it.
  if (at === 0 || (joint === at && word(p, at - 1) !== ',')) return undefined
  const start = skip(p, joint, 'please can could you i we want need to tell give show me us see get know find display')
  const asking = skip(p, start, 'who what which whose list')
  const noun = skip(p, asking, 'is are was were the a an all any our my of name names list there do we have')
  const names = p.tokens.slice(asking, noun).some(({ lower }) => /^names?$/.test(lower))
  return start > joint || asking > start || names ? noun : undefined
}

/** Whether a list of something else is asked for here, behind what has been read. */
export function isSecondQuestion(p: Parser, at: number): boolean {
  const noun = nounOfSecond(p, at)
  if (noun === undefined || entityAt(p, noun) === undefined) return false
  return !isFirst(p) || p.reading.ranking !== undefined
}

const TWO = 'These are two questions in one. Please ask each of them by itself.'

/** “… in Germany? And in France?” would be added up to one figure. */
export function refuseTwoSentences(text: string): void {
  if (/\?\s+(?:and|or|what about|how about)\b/i.test(text)) refuse(TWO)
}

/** One query has one kind of rows: half an answer would look like a whole one. */
export function refuseSecondQuestion(p: Parser): void {
  if (isSecondQuestion(p, p.at)) refuse(TWO)
}
