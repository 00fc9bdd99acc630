import { languageOf } from '../../language/which-language.ts'
import { FILLERS, AGGREGATES, SUPERLATIVES } from '../words/lexicon.ts'
import { listed, refuse, RefusedChange } from '../refusal.ts'
import type { Token } from '../words/tokens.ts'
import { GRAMMAR } from './grammar-words.ts'
import { word, type Parser } from './parser.ts'

const REFUSED_OPENINGS = new Map([
  ['why', 'Data can tell what happened, not why. Ask for figures that you would like to see.'],
  ['when', 'I answer “when” only if you name the date column, as in “what is the hire date of …”.'],
  ['where', 'I answer “where” only if you name the column, as in “what is the city of …”.'],
])

/** Questions that no data answer, by their first word. */
export function checkOpening(p: Parser): void {
  const reason = REFUSED_OPENINGS.get(word(p, 0))
  if (reason !== undefined) refuse(reason)
}

/** Words that stand for what was spoken of before. */
export const PRONOUN = /^(their|its|his|her|they|them|it|those|these)$/

/** Words that mean something only with what follows. */
function isLead(token: Token): boolean {
  return /^(by|per|with|without|no|not|having|for|most|least|how)$/.test(token.lower)
}

const CHANGE =
  /^(growth|grow|grew|grown|trend|trends|change|changed|increase|increased|decrease|decreased|decline|declined|yoy)$/

const FUTURE = /^(forecast|predict|expect|expected|projection)$/
const MONTH = /^(january|february|march|april|may|june|july|august|september|october|november|december)$/

/** Stops at a word that no rule has used, and says what is known of it. */
export function refuseWord(p: Parser, token: Token): never {
  refuseCall(p)
  if (PRONOUN.test(token.lower)) refuse(`“${token.text}”: I do not see who or what is meant. Please name it.`)
  if (CHANGE.test(token.lower)) throw new RefusedChange(token.text)
  if (FUTURE.test(token.lower)) refuse(`“${token.text}”: I can tell what is in the data, not what will be.`)
  if (MONTH.test(token.lower))
    refuse(`“${token.text}” of which year? Please add it, as in “${token.text} ${p.today.slice(0, 4)}”.`)
  const language = languageOf(p.tokens.map(({ text }) => text).join(' '))
  // Three words, such as “employees in DE”, are too few to tell.
  if (p.tokens.length > 3 && language !== undefined && language !== 'en')
    refuse('This does not read as English. Without a language model only questions in English can be answered.')
  // Words of the grammar are not looked up, so that nothing is known of them; “average” goes with what follows it.
  const isUnasked = GRAMMAR.has(token.lower) && !isLead(token)
  const isOfNext = (AGGREGATES[token.lower] ?? SUPERLATIVES[token.lower]) !== undefined
  const strange = isOfNext ? p.tokens.find((_, at) => at > p.at && isStrange(p, at)) : undefined
  if (strange !== undefined) return refuseStrange(p, strange.text)
  if (isUnasked || p.values.has(p.at) || p.names.attributesAt(p.at) !== undefined)
    refuse(`I do not see what “${token.text}” says here. Please ask for it by its column, or in fewer words.`)
  return refuseStrange(p, isLead(token) ? `${token.text} ${p.tokens[p.at + 1]?.text ?? ''}`.trim() : token.text)
}

/** Neither a name nor a value nor grammar. */
function isStrange(p: Parser, at: number): boolean {
  const token = p.tokens[at]
  const isPlain = token?.kind === 'word' && !GRAMMAR.has(token.lower) && !FILLERS.has(token.lower)
  const isFound = p.tokens.slice(0, at + 1).some((_, start) => {
    const found = [p.values.get(start), p.names.entitiesAt(start)[0], p.names.attributesAt(start)]
    return found.some((one) => at < start + (one?.length ?? 0))
  })
  return isPlain && !isFound
}

function refuseStrange(p: Parser, text: string): never {
  return refuse(
    `I do not understand “${text}” in this question: it is not a table, a column or a value of ${p.catalogue.database}, nor a calculation that I know. ${thereIs(p)}`,
  )
}

function thereIs({ catalogue }: Parser): string {
  const tables = catalogue.entities.filter((e) => e.table.kind === 'table').map((e) => e.nouns)
  const more = tables.length - 12
  return more > 0
    ? `There is: ${tables.slice(0, 12).join(', ')}, and ${more} more.`
    : `There is: ${listed(tables, 'and')}.`
}

/** Words before the `=` of a call that is written out: “call the tool city=Berlin”. */
const MOST_OF_CALL = 4

/** “read weather city=Berlin” was meant for a tool, whatever columns there are; further on in a question only what is no column was. */
function refuseCall(p: Parser): void {
  const { tokens, names, catalogue } = p
  const at = tokens.findIndex(
    ({ text, start, end }, i) => text === '=' && tokens[i - 1]?.end === start && tokens[i + 1]?.start === end,
  )
  const field = tokens[at - 1]
  if (field?.kind !== 'word') return
  const isColumn = names.attributesAt(at - 1) !== undefined
  if (isColumn && at > MOST_OF_CALL) return
  refuse(
    `“${field.text}=” is written as a field of a tool: no tool of that name is connected${isColumn ? '' : `, and ${catalogue.database} has no column “${field.text}”`}. ${thereIs(p)}`,
  )
}
