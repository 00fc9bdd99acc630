import { searchTerms, termOf, writtenWords } from '../../../knowledge/search/analysis.ts'

type Role = 'does' | 'undergoes'

const BE = /^(?:is|are|was|were|be|been|being|got)$/i
/** May stand between a name and its verb. */
const BETWEEN =
  /^(?:is|are|was|were|be|been|being|got|has|have|had|will|would|did|does|do|by|who|whom|also|then|later|once|finally|\p{L}+ly)$/iu
/** What these say, they say of both sides. */
const MUTUAL = new Set(
  'meet marry join merge border resemble equal match share work play live agree talk speak'
    .split(' ')
    .flatMap((word) => termOf(word) ?? []),
)

interface Name {
  readonly words: readonly string[]
  /** The last word of it, by which others are called again. */
  readonly called: string
}

/**
 * Whether a sentence says of two names what the question asks, the other way round: who replaced whom. A verb in the sentence that is the
 * question's, with a name of the question beside it that does it where it should undergo it, or the reverse; nothing else is judged.
 */
export function isTurnedRound(question: string, sentences: readonly string[]): boolean {
  const asked = writtenWords(question)
  const names = namesIn(question)
  // Of one name alone no direction is asked.
  return (
    (names.length > 1 || /\bwho(?:m|se)?\b/i.test(question)) &&
    names.some((name) =>
      verbsBeside(asked, name).some(({ term, role }) => {
        const roles = sentences.flatMap((text) => rolesIn(writtenWords(text), name, term))
        return roles.length > 0 && !roles.includes(role)
      }),
    )
  )
}

/** Written large, but for the first word of the text. */
function namesIn(text: string): Name[] {
  return [...text.matchAll(/(?<=\s)\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)*/gu)].map(([name]) => {
    const words = writtenWords(name)
    return { words, called: words.at(-1)! }
  })
}

function verbsBeside(words: readonly string[], name: Name): { readonly term: string; readonly role: Role }[] {
  return words.flatMap((word, at) => {
    const term = verbTerm(word)
    if (term === undefined || MUTUAL.has(term) || name.words.includes(word)) return []
    const role = roleAt(words, name, at)
    return role === undefined ? [] : [{ term, role }]
  })
}

function rolesIn(words: readonly string[], name: Name, verb: string): Role[] {
  return words.flatMap((word, at) => (verbTerm(word) === verb ? (roleAt(words, name, at) ?? []) : []))
}

/** In small letters: one in capitals is a name. */
function verbTerm(word: string): string | undefined {
  return /^\p{Ll}/u.test(word) && !BETWEEN.test(word) ? searchTerms(word)[0] : undefined
}

/** What a name is to the verb at a place, if it stands right beside it. */
function roleAt(words: readonly string[], name: Name, verb: number): Role | undefined {
  const before = reach(words, verb, -1)
  const behind = reach(words, verb, 1)
  const isBefore = words[before] === name.called
  const isBehind = name.words[0] === words[behind] || words[behind] === name.called
  if (isBefore === isBehind) return undefined
  const first = before - (isBefore ? name.words.length - 1 : 0)
  // “Was Anna Brandt replaced”: the auxiliary stands before the name. “It was Anna Brandt who replaced” is none.
  const around = [
    ...words.slice(before + 1, verb),
    ...(isBefore && before + 1 === verb ? words.slice(Math.max(0, first - 1), Math.max(0, first)) : []),
  ]
  const isGoingOn = /ing$/i.test(words[verb]!)
  const isPassive =
    (!isGoingOn && around.some((word) => BE.test(word))) ||
    words.slice(verb + 1, behind).some((word) => /^by$/i.test(word))
  return isBefore === isPassive ? 'undergoes' : 'does'
}

/** The next word from a place on that is none of those which may stand between. */
function reach(words: readonly string[], from: number, step: 1 | -1): number {
  let at = from + step
  while (words[at] !== undefined && BETWEEN.test(words[at]!)) at += step
  return at
}
