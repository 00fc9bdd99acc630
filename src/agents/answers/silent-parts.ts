import { ASKING_WORDS, plainWords } from '../../language/asking-words.ts'
import { isQuestionWord, leadOf } from '../../language/clause-starts.ts'
import { splitClauses } from '../../language/clauses.ts'
import { figuresIn } from '../../language/figures/read.ts'
import { sentencesOf } from '../../language/figures/sentences.ts'
import { sameWord } from '../../terms/words.ts'
import { withoutMarks } from '../citations.ts'
import { questionParts } from '../../language/question-parts.ts'

const REQUEST = /^(?:show|list|tell|name|count)$/i
const LITTLE = new Set([
  ...ASKING_WORDS,
  'much',
  'many',
  'long',
  'often',
  'number',
  'count',
  'there',
  'must',
  'may',
  'not',
])
const FIGURE =
  /^\W*(?:(?:by|since|until|from|for|at|in) )?(?:how (?:many|much|long|old|often|far|high)|when|what year)\b/i
/** “There are none”, “it is six months”. */
const AMOUNT =
  /(?<!\p{L})(?:no|none|nobody|nothing|never|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|once|twice|daily|weekly|monthly|yearly|always|immediately)(?!\p{L})/iu
const YES_OR_NO = /^\W*(?:yes|no)\b/i
/** A name behind other words. */
const NAME = /(?<=[\p{L}\d,] )\p{Lu}\p{Ll}+/u
/** Of a filter that applied: it tells nothing of what it filters. */
export const REMARK = /^\((?:Only where|Assumed:)/
const CLAUSE_END = /;\s|,\s|\s(?:and|while|but|whereas)\s/
const ASKING_BEHIND = /^\W*(?:at|by|for|from|in|of|on|since|to|until|with|within|under|about) (\p{L}+)/iu

/** The questions that a text asks beside each other, in its own words; none where it asks one. */
export function partsAsked(question: string): readonly string[] {
  const parts = questionParts(question).map(({ text }) => text)
  const texts = parts.length > 1 ? parts : splitClauses(question).map(({ text }) => text.replace(/[\s.?!]+$/, ''))
  return texts.length > 1 && texts.every((text) => isAsking(text) && ownWords(text).length > 0) ? texts : []
}

function isAsking(text: string): boolean {
  const lead = ASKING_BEHIND.exec(text)?.[1] ?? leadOf(text)
  return isQuestionWord(lead.toLowerCase()) || REQUEST.test(lead)
}

/**
 * Those of the parts of which a text says nothing: it has none of their own words, nor a figure or a name that may be told of
 * them. A text tells much with few words, so what is doubtful counts as told.
 * @param found what it was made of, which tells whose figures those are
 */
export function silentParts(parts: readonly string[], text: string, found: readonly string[] = []): readonly string[] {
  const own = parts.map((part) => {
    const others = parts.filter((other) => other !== part).flatMap(ownWords)
    return ownWords(part).filter((word) => !others.some((other) => sameWord(other, word)))
  })
  const about = (said: string): readonly string[] => {
    const words = plainWords(said)
    return parts.filter((_, i) => own[i]!.some((one) => words.some((word) => sameWord(one, word))))
  }
  const statements = statementsOf(text)
  const told = new Set(
    statements.flatMap((said) => about(said).filter((part) => !FIGURE.test(part) || tellings(said, '').length > 0)),
  )
  const asked = parts.join(' ')
  // Of these it is known of which part they are.
  const owned = new Map<string, readonly string[]>()
  for (const said of [...statements, ...found.flatMap(statementsOf)].flatMap((one) => one.split(CLAUSE_END))) {
    const [only, ...more] = about(said)
    if (only !== undefined && more.length === 0)
      for (const one of tellings(said, asked)) owned.set(one, [...(owned.get(one) ?? []), only])
  }
  for (const said of statements.flatMap((one) => one.split(CLAUSE_END))) {
    if (about(said).length > 0) continue
    const news = tellings(said, asked)
    const owners = news.flatMap((one) => owned.get(one) ?? [])
    const open = parts.filter((part) => !told.has(part) && (owners.length === 0 || owners.includes(part)))
    if (news.length > 0)
      open
        .filter((part) => fits(part, said))
        .slice(0, 1)
        .forEach((part) => told.add(part))
  }
  return parts.filter((part) => !told.has(part))
}

/** The statements of a text without the marks of its sources; a table is one. */
function statementsOf(text: string): string[] {
  return withoutMarks(text)
    .split(/\n{2,}/)
    .filter((block) => !REMARK.test(block))
    .flatMap((block) => (block.includes('|') ? [block] : sentencesOf(block)))
}

function fits(part: string, said: string): boolean {
  if (FIGURE.test(part)) return AMOUNT.test(said) || figuresIn(said).length > 0
  return !/^\W*who/i.test(part) || NAME.test(said)
}

/** The figures, amounts in words and names of a text that are not in the question, and a yes or no. */
function tellings(text: string, asked: string): string[] {
  const all = [
    ...figuresIn(text).map(({ text: said }) => said),
    ...[AMOUNT, NAME, YES_OR_NO].flatMap((one) => [...text.matchAll(new RegExp(one, 'gu'))].map(([said]) => said)),
  ]
  return all.map((said) => said.toLowerCase().trim()).filter((said) => !asked.toLowerCase().includes(said))
}

/** Whether a text has each word of a part that is not for asking. */
export function hasAllWords(text: string, part: string): boolean {
  const words = plainWords(text)
  return ownWords(part).every((one) => words.some((word) => sameWord(one, word)))
}

/** Whether it has any. */
export function hasWordOf(text: string, part: string): boolean {
  const words = plainWords(text)
  return ownWords(part).some((one) => one.length > 2 && words.some((word) => sameWord(one, word)))
}

/** Whether it has most of them. */
export function sharesMostWords(text: string, part: string): boolean {
  const words = plainWords(text)
  const own = ownWords(part).filter((one) => one.length > 2)
  return own.filter((one) => words.some((word) => sameWord(one, word))).length > own.length / 2
}

function ownWords(part: string): string[] {
  return plainWords(part).filter((word) => word.length > 1 && !LITTLE.has(word))
}
