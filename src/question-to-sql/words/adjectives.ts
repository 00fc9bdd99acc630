import { isDate, isNumeric, tellsTime, type Attribute, type Entity } from '../../terms/catalogue.ts'
import { EXACT, type AttributeMatch } from '../../terms/names.ts'
import { amountOf, asMatch } from '../../terms/amounts.ts'
import { PRICE_WORDS } from './lexicon.ts'
import { mainDates } from '../../terms/dates.ts'
import { listed, refuse } from '../refusal.ts'
import { sameWord } from '../../terms/words.ts'

/** The column of a table that an adjective is about. Several equal ones, or none, stop the question. */
export function columnFor(owner: Entity, columns: readonly string[], adjective: string): AttributeMatch {
  for (const wanted of columns) {
    const hits = owner.attributes.filter((a) =>
      wanted === 'date' ? tellsTime(a) : (isNumeric(a) || isDate(a)) && isAbout(a, wanted),
    )
    const main = wanted === 'date' ? mainDates(hits) : hits
    if (main.length > 1)
      refuse(
        `“${adjective}” could be about ${listed(main.map((a) => a.column.name))} of ${owner.nouns}. Please say which.`,
      )
    const [attribute] = main
    if (attribute !== undefined) return asMatch(attribute, attribute.words.join(' '), EXACT)
  }
  const amount = columns === PRICE_WORDS ? amountOf(owner) : undefined
  if (amount !== undefined) return asMatch(amount, adjective)
  return refuse(
    `I do not see a column of ${owner.nouns} by which one could be “${adjective}”. There is: ${owner.attributes.map((a) => a.column.name).join(', ')}.`,
  )
}

function isAbout(attribute: Attribute, wanted: string): boolean {
  if (wanted.includes(' ')) return wanted.split(' ').every((w) => attribute.words.some((own) => sameWord(own, w)))
  if (/^(duration|length|runtime)$/.test(wanted))
    return /^(duration|length|runtime|milliseconds?|seconds?|minutes?)$/.test(
      attribute.unit ?? attribute.words.at(-1) ?? '',
    )
  return attribute.words.some((own) => sameWord(own, wanted))
}
