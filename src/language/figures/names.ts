import { languageOf, namesLanguage } from '../which-language.ts'
import type { Evidence } from './evidence.ts'

/** Two words or more with a capital, as names of people and companies are; “&” and “of” may stand between. */
const NAME =
  /(?<![\p{L}\p{N}“"„«`])(?:\p{Lu}\.|\p{Lu}[\p{L}’'.-]*\p{Ll}[\p{L}’'.-]*)(?:\s+(?:(?:&|of|de|van|von|der)\s+)?\p{Lu}[\p{L}’'.-]+)+(?![\p{L}\p{N}”"“»`])/gu
/** One word with a capital that names where or whose something is: “in Oslo”, “Oslo has 12”, “Oslo’s”; titles have more of them. */
const ONE = new RegExp(
  String.raw`(?<=(?<!\p{L})(?:[Ii]n|[Aa]t|[Ff]rom|[Oo]f|[Ff]or|[Bb]y|[Ww]ith|[Tt]o|[Nn]ear|is|are|was|were|named|called|and|or|than|versus)\s(?:the\s)?)\p{Lu}\p{Ll}{2,}(?![\p{L}\p{N}”"“»${'`'}-]|\s+\p{Lu})|(?<=^\W*)\p{Lu}\p{Ll}{2,}(?=['’]s\s\p{Ll}|\s(?:has|had|made|sold|earned|spent|ordered|leads)\s(?:\p{Ll}+\s)?(?:\d|most|more|fewer))`,
  'gu',
)
/** Words that have a capital in titles and at the beginning of a sentence. */
const PLAIN = new Set(
  (
    'a an and any all also although because though whereas after another as at average based before both by compared despite during each every for from further ' +
    'here how however i if in it its last most next no not of on one only other our overall so some that the their then there ' +
    'these they this those three to together total two under unlike we what when where which while with you your mr mrs ms dr ' +
    'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september ' +
    'october november december spring summer autumn winter amount change cost count difference gross growth net number order ' +
    'price profit rate result revenue sale sales share sum value action analysis answer bottom line breakdown comparison ' +
    'conclusion contact context customer department desk detail finding fact grand headline help highlight important info ' +
    'information insight key limitation note observation office overview performer point quick question reason recommendation ' +
    'region segment service shipping source step summary support takeaway team top trend nobody everyone everybody everything ' +
    'nothing none each both neither either someone let who today yesterday company business yes true false unknown python excel ' +
    'table section figure chapter page appendix column row query database question version part day week month year quarter email'
  )
    .split(' ')
    .flatMap((word) => [word, `${word}s`]),
)

/** Countries by name, for which cells may have their code. */
const NAMES_OF = new Intl.DisplayNames(['en'], { type: 'region' })
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const REGIONS = new Map(
  LETTERS.flatMap((a) => LETTERS.map((b) => [NAMES_OF.of(a + b), new Intl.Locale(`und-${a}${b}`).region!])),
)

/**
 * Names without quotes of which a word was never said. In English alone, by the sentence or, where it is too short to tell, by
 * the question: other languages have capitals that are no names. Title case and headings of tables are left to their figures.
 */
export function unsaidNames(sentence: string, known: readonly Evidence[], asked = ''): string[] {
  if ((languageOf(sentence) ?? languageOf(asked)) !== 'en') return []
  const isHead = /^\s*#/.test(sentence) || (/^\s*\|/.test(sentence) && !/\d/.test(sentence))
  return withoutMarks(sentence)
    .split(/[|\n]/)
    .flatMap((part) => {
      // Without a word in small letters, capitals tell nothing.
      if (isHead && !/(?<!\p{L})\p{Ll}{4,}/u.test(part)) return []
      return [...part.matchAll(NAME), ...(isHead ? [] : part.matchAll(ONE))].flatMap(({ 0: name, index }) => {
        const isLabel = part.slice(0, index).trim() === '' && /^\s*(?::|$)/.test(part.slice(index + name.length))
        const words = name.split(/\s+/).map((word) => word.replace(/(?:['’]s)?[.’'-]*$/, ''))
        const isTold = (word: string): boolean =>
          PLAIN.has(word.toLowerCase()) ||
          /^(?:&|of|de|van|von|der)$/.test(word) ||
          namesLanguage(word) ||
          known.some((one) => one.names(word) || hasCell(one, REGIONS.get(word)))
        // Of a label, one word that is known is enough: “Warranty Period:”; “In SQL” is no name.
        const isFine = words.every(isTold) || (isLabel && words.some(isTold)) || isShort(words)
        return isFine ? [] : [name.trim()]
      })
    })
}

function hasCell({ tables }: Evidence, text: string | undefined): boolean {
  return (
    text !== undefined &&
    tables.some(({ columns, rows }) => rows.some((row) => columns.some((one) => row[one] === text)))
  )
}

function isShort([first = '', second = '', ...more]: readonly string[]): boolean {
  return more.length === 0 && PLAIN.has(first.toLowerCase()) && /^\p{Lu}{2,}s?$/u.test(second)
}

/** Without the marks of headings, lists, quotations, bold and italic type; a name may stand in any of them. */
function withoutMarks(sentence: string): string {
  return sentence
    .replace(/^[ \t>#]*(?:[-+*•]\s+|\d{1,2}[.)]\s+)?/gmu, '')
    .replace(/[*~]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
}
