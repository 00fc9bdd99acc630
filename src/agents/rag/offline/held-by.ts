import { searchTerms, writtenWords } from '../../../knowledge/search/analysis.ts'

/** “Who is the treasurer of the society?” */
const ASKED =
  /\bwho(?:[’']s| (?<be>is|are|was|were))(?: currently| now)? (?:(?:the|our|your|their|its|a|an)(?: current| present)? (?<role>\p{Ll}[\p{L}-]*(?: (?!of |for |in |at |from |on |to |by |who |that |and |with )\p{Ll}[\p{L}-]*){0,3}(?: (?:of|for) (?!the |our |a |an |this )\p{Ll}[\p{L}-]*(?: (?:and )?\p{Ll}[\p{L}-]*)?)?)|(?<bare>(?:\p{Ll}+ )?(?!(?:ill|sick|late|here|there|free|due|exempt|present|absent|new)\b)\p{Ll}{3,}(?<!ed|able|ible|ful|ive|ous|less|ing|ic)))(?= (?:of|for|in|at|on) |[\s?.!]*$)(?: of (?<scope>.+))?/u
const TITLE = String.raw`(?:Drs?|Prof|Mr|Mrs|Ms|Sir|Lady|Capt)\.? `
const NAME = String.raw`(?:${TITLE})?(?!(?:The|Our|A|An|In|On|At|And|Its|Their|If|This)(?![\p{L}’'-]))\p{Lu}[\p{L}&’-]*(?:\.(?= \p{Lu}))?(?: (?:(?:von|van|de|der|den|la|of the|of|and|&) )?\p{Lu}[\p{L}&’-]*)*(?<![’']s)`
const THE = String.raw`(?:(?:the|our|its|their|a|an)(?: current| present| new)? |current |present |new )?`
const NOW = String.raw`(?: (?:currently|now|still|again|also|today))*`
const FAR = String.raw`(?: (?:of|for|in|at|since|from|on) [^,.;:()|]{1,50}?)?`
const ENDS = String.raw`(?![’'-])(?=\s*$|\s*[.,;:()!?|–—]| (?:of|for|in|at|since|from|and|who|on|with|during|again|now|today|but|as)(?!\p{L}))`
const NAME_ENDS = String.raw`(?![\p{L}’'-])`
/** Of a people or a language: said of somebody, and no name. */
const IS_KIND = /^\p{Lu}\p{Ll}+(?:ish|ese|ian|ean|ic)$/u
const HYPOTHETICAL = /\b(?:if|whether|unless|should|would|could|might|not|never|no longer)\b/i

/**
 * Where a question asks who holds a role, whether a text says so: a name right beside it, by a form of “be”, a colon, commas, a choice
 * or an office. That the one who holds it does something, and that somebody stands beside, says nothing.
 */
export function holderOf(question: string): ((text: string) => boolean) | undefined {
  const { be = 'is', role, bare, scope = '' } = ASKED.exec(question.replace(/^\W*Who\b/, 'who'))?.groups ?? {}
  const said = role ?? bare
  if (said === undefined) return undefined
  const r = anyCase(said)
  const named = new RegExp(r, 'u')
  const forms = formsOf(r, be.startsWith('w')).map((form) => new RegExp(form, 'gu'))
  return (text) => {
    if (!named.test(text)) return false
    const isSaid = forms.some((form) =>
      [...text.matchAll(form)].some(({ 0: all, index, groups }) => {
        const clause =
          text
            .slice(0, index)
            .split(/[.;!?\n]/)
            .at(-1)! + all
        return !IS_KIND.test(groups?.['n'] ?? '') && !HYPOTHETICAL.test(clause) && isOfScope(all, r, termsOf(scope))
      }),
    )
    return isSaid || isInRow(text, r)
  }
}

/** @param isPast not who it is now */
function formsOf(role: string, isPast: boolean): string[] {
  const past = isPast ? '|was|were|had been' : ''
  const be = `(?:is|are|has been|have been|remains|will be|becomes|became${past})`
  const made = `(?:(?:is|are|was|were|has been|been) )?(?:re-?)?(?:elected|appointed|named|chosen|made)(?: (?:as|to be))?`
  const serves = `(?:serves|acts|works|has (?:served|acted|worked)${isPast ? '|served|acted|worked' : ''}|took over|takes over)(?: again)? as`
  return [
    String.raw`(?<![-\p{L}])${role}${FAR},? ${be}${NOW} (?:called )?(?:the )?(?<n>${NAME})${NAME_ENDS}`,
    `(?<n>${NAME}),?${NOW} (?:${be}${NOW}|${made}|${serves}|holds the (?:post|office|position) of) ${THE}${role}${ENDS}`,
    String.raw`(?<n>${NAME}) (?:is|are|became${past}) (?:the )?[\p{Ll} ]{3,25} and (?:the )?${role}(?=[.;!]|\s*$)`,
    String.raw`(?<!\p{Ll}, )(?<n>${NAME})(?:, ${THE}${role}(?=\s*$|[.;)]|,(?! (?:and|or) )| of )| \(${THE}${role}\))`,
    String.raw`${role}${FAR}(?:, | \(| )(?<n>${NAME})(?=\s*$|[.,;:)]| \p{Ll})`,
    String.raw`(?:^|[.;\n•|*-]\s*)${THE}${role}${FAR}: *(?<n>${NAME})${NAME_ENDS}`,
    String.raw`(?:elect|appoint|nam|ma[dk]|ch[oi]os)\p{Ll}* (?<n>${NAME}) (?:as |to be )?${THE}${role}${ENDS}`,
    `(?:post|office|position) of ${THE}${role}${FAR} (?:is|has been) held by (?<n>${NAME})`,
    `(?<n>${NAME})[^()]{0,90}\\([^()]{0,30}["“](?:the )?${role}["”]\\)`,
  ]
}

/** A row of a table with the role in one cell and a name in another. */
function isInRow(text: string, role: string): boolean {
  const is = new RegExp(`^(?:the )?${role}$`, 'iu')
  const named = new RegExp(`^${NAME}$`, 'u')
  return text.split('\n').some((row) => {
    const cells = row.split('|').map((cell) => cell.trim())
    return cells.some((cell) => is.test(cell)) && cells.some((cell) => !is.test(cell) && named.test(cell))
  })
}

/** “The treasurer of the choir” is none of the society. */
function isOfScope(said: string, role: string, scope: readonly string[]): boolean {
  const of = new RegExp(`${role} of (?<of>[^,.;:()|]+)`, 'u').exec(said)?.groups?.['of']
  if (of === undefined || scope.length === 0) return true
  const held = termsOf(of)
  return scope.some((term) => held.includes(term))
}

function termsOf(text: string): string[] {
  return writtenWords(text).flatMap(searchTerms)
}

/** In small letters or with a capital, as at the beginning of a line or in “Head of Sales”. */
function anyCase(role: string): string {
  return role
    .split(/[\s-]+/)
    .map((word) => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`)
    .join('[\\s-]')
}
