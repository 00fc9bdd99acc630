import type { ProfileField, ProfileValues } from '../core/memory.ts'
import { ownWords, sentencesOf } from './own-words.ts'
import { hasJobWord, isNoName, languageOf } from './word-lists.ts'

type Found = Partial<Record<ProfileField, string | string[]>>

const WORD = `\\p{Lu}[\\p{L}\\p{M}'’-]*`
const NAME = `${WORD}(?: (?:van |von |de |der |da )?${WORD}){0,2}`
const ORG = `\\p{Lu}[\\p{L}\\p{N}&'’.-]*(?: (?:(?:&|of|de) )?\\p{Lu}[\\p{L}\\p{N}&'’.-]*){0,3}`
const I_AM = `(?:[Ii](?:['’]?m| am)|[Ii]ch bin)`
const TITLE = `[\\p{L}&/-]+(?: [\\p{L}&/-]+){0,4}`
const AT = `(?:at|for|with|bei|of)`
/** What ends a project, a title or a name in running text. */
const STOP = `(?=\\s+(?:at|for|with|in|on|from|and|but|who|which|that|so|since|because|bei|und|named|called)\\b|\\s*[,;.!?()]|\\s*$)`
const PROJECT = `(?:the |a |an |my |our )?(?<project>[\\p{L}\\p{N}][\\p{L}\\p{N}&/'’.-]*(?: [\\p{L}\\p{N}&/'’.-]+){0,4}?)${STOP}`

/** Made when it is looked for: together they take longer than most questions. */
type Pattern = () => RegExp
const pattern =
  (source: string, flags = 'u'): Pattern =>
  () =>
    new RegExp(source, flags)

/** One of these words is in every statement below. */
const SELF = /\b(?:i|i['’]?m|me|my|we|our|this|here|ich|mein|mich)\b/i

/** Each with named groups for what it finds; the first that gives a usable value of a field counts. */
const STATEMENTS: readonly Pattern[] = [
  pattern(
    `\\b${I_AM} (?<name>${NAME})(?: here)?,? (?:and )?(?:(?:[Ii]['’]?m |I am )?(?:currently )?working on ${PROJECT})(?: (?:at|bei) (?<company>${ORG}))?`,
  ),
  pattern(
    `\\b${I_AM} (?<name>${NAME}),? (?:an?|the|ein|eine) (?<title>${TITLE}?)${STOP}(?: ${AT} (?<company>${ORG}))?`,
  ),
  pattern(
    `\\b(?:[Mm]y name(?:['’]s| is)|[Mm]ein [Nn]ame ist|[Ii]ch heiße|[Mm]y friends call me) (?<name>${NAME}|\\p{Ll}[\\p{L}'’-]+(?=\\s*(?:[,.!;]|$|and\\b)))`,
  ),
  pattern(
    `\\b(?:[Cc]all|[Nn]enn) (?:me|mich) (?:bitte )?(?<name>${NAME})(?=\\s*(?:[,.!;]|$)|\\s+(?:from|please|and|instead|bitte|und)\\b)`,
  ),
  pattern(
    `\\b${I_AM} (?<name>${NAME})(?=\\s*(?:[,.!;]|$)|\\s+(?:from|at|and|here|bei|aus)\\b)(?: (?:at|bei) (?<company>${ORG}))?`,
  ),
  pattern(
    `^(?:[Hh]i|[Hh]ello|[Hh]ey|Good (?:morning|afternoon|evening))?[,! ]*[Tt]his is (?<name>${NAME}) (?:from|at) (?<company>${ORG})`,
  ),
  pattern(
    `^(?:[Hh]i|[Hh]ello|[Hh]ey)[,! ]+(?<name>${WORD}) here(?:\\b(?: from (?<company>${ORG}))?)(?=\\s*[,.!;]|\\s*$)`,
  ),
  pattern(`^(?<name>${WORD}) here from (?<company>${ORG})`),
  pattern(
    `\\b(?:[Ii] (?:currently |now )?work|[Ii](?:['’]?m| am) (?:currently )?(?:working|employed)|[Ww]e work|[Ii]ch arbeite) (?:as (?:an? |the )?(?<title>${TITLE}?) )?(?:at|for|bei) (?:the )?(?<company>${ORG})`,
  ),
  pattern(
    `\\b(?:[Mm]y|[Oo]ur) (?:company|employer|firm|startup)(?:['’]s name)? is (?:called |named )?(?<company>${ORG})`,
  ),
  pattern(
    `\\b(?:[Ii] (?:currently |now )?work|[Ii](?:['’]?m| am) (?:currently )?(?:working|employed)) as (?:an? |the )?(?<title>${TITLE}?)${STOP}(?: ${AT} (?<company>${ORG}))?`,
  ),
  pattern(
    `\\b[Mm]y (?:job title|title|role|position|job|profession|occupation) is (?:that of )?(?:an? |the )?(?<title>${TITLE}?)${STOP}(?: ${AT} (?<company>${ORG}))?`,
  ),
  pattern(
    `\\b${I_AM} (?:currently |now |also )?(?:(?:an?|the|ein|eine) )?(?<title>(?:head|director|VP|vice president) of ${TITLE}?)${STOP}(?: ${AT} (?<company>${ORG}))?`,
  ),
  pattern(
    `\\b${I_AM} (?:the )?(?<title>CEO|CTO|CFO|COO|CIO|CMO|VP|founder|co-founder|owner|president|Geschäftsführer(?:in)?)(?: (?:and \\p{L}+ )?${AT} (?<company>${ORG}))?`,
  ),
  pattern(
    `\\b${I_AM} (?:currently |now |also )?(?:an?|the|one of the|ein|eine) (?<title>${TITLE}?)${STOP}(?: ${AT} (?<company>${ORG}))?`,
  ),
  pattern(
    `\\b(?:[Ii](?:['’]?m| am|['’]ve been| have been)|[Ww]e(?:['’]re| are)) (?:currently |now |also )?working on ${PROJECT}(?: (?:at|bei) (?<company>${ORG}))?`,
  ),
  pattern(`\\b[Mm]y (?:current |latest |new |recent )?project is (?:called |named )?${PROJECT}`),
]

/** Before a match: what makes all that follows a supposition or a question. */
const SUPPOSED =
  /\b(?:if|when|whether|unless|suppose|supposing|imagine|pretend|assume|assuming|say|how|what|who|where|why|which|wenn|falls|ob|example|e\.g\.)\b[^,;:]*$/i
/** In the same clause: what denies it, wishes it or asks for it. */
const DENIED =
  /\b(?:were|could|would|might|may|should|wish|want(?:ed)?|hope|not|never|do|does|did|is|are|am|was|can|will)\b|n['’]t\b/i

/**
 * What the user says of themself, found by patterns: the fallback of the memory extractor (SPEC R8). It would rather
 * miss something than keep something wrong.
 */
export function extractByPatterns(question: string): ProfileValues {
  const found: Found = {}
  for (const sentence of sentencesOf(ownWords(question))) {
    for (const statement of SELF.test(sentence) ? STATEMENTS : []) {
      const match = statement().exec(sentence)
      if (match !== null && isStatement(sentence, match)) take(found, match.groups!)
    }
    Object.assign(found, { ...preferencesIn(sentence), ...found })
  }
  return found
}

/** "…, am I?", "If I am …", and a question as a whole state nothing; "I am Ann, how many …?" does. */
function isStatement(sentence: string, match: RegExpExecArray): boolean {
  const before = sentence.slice(0, match.index)
  const clause = before.split(/[,;:]|\b(?:and|but|so|und)\b/i).at(-1)!
  if (SUPPOSED.test(before) || DENIED.test(clause)) return false
  const rest = sentence.slice(match.index + match[0].length)
  return !sentence.endsWith('?') || /[,;:–-]|\b(?:and|but|so)\b/.test(rest)
}

function take(found: Found, { name, company, title, project }: Record<string, string | undefined>): void {
  if (name !== undefined && !isNoName(name)) found.userName ??= capitalised(trimmed(name))
  if (title !== undefined && hasJobWord(title))
    found.jobTitle ??= trimmed(title.replace(/^(?:only|first|last|new) /i, ''))
  if (company !== undefined && (company.includes(' ') || !isNoName(trimmed(company))))
    found.companyName ??= trimmed(company)
  if (project !== undefined && isNamed(project) && !isNoName(trimmed(project))) {
    const known = (found.recentProjects ?? []) as string[]
    if (!known.includes(trimmed(project))) found.recentProjects = [...known, trimmed(project)]
  }
}

/** A project has a name, or is called a project; "this", "it" and "a problem" are not. */
function isNamed(project: string): boolean {
  return /\p{Lu}|\p{N}/u.test(project) || /\bproject\b/i.test(project.replace(/^(?:this|that|some|a) project$/i, ''))
}

function trimmed(text: string): string {
  return text.replace(/^[\s'’"]+|[\s.,'’"-]+$/gu, '')
}

function capitalised(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}`
}

const ANSWERS = `(?:(?:all |your |the |my |me )*(?:answers?|repl(?:y|ies)|responses?|explanations?)|Antworten)`
const HOW = `(?<how>[\\p{L}, -]{3,60})`
/** Wishes for all answers, not for the one text that is asked for. */
const WISHES: readonly Pattern[] = [
  pattern(`\\b(?:keep|make|give|halte|want|prefer|like) (?:me |deine )?${ANSWERS} (?:to be )?${HOW}`, 'iu'),
  pattern(
    `\\b(?:I (?:always )?(?:prefer|like|want|need)|I['’]d (?:like|prefer)|give me|only|always|please use|use) ${HOW} (?:answers|replies|responses|explanations|Antworten)\\b`,
    'iu',
  ),
  pattern(`\\b(?:answer|reply|respond|talk to me|speak to me|antworte)(?: me)?(?: always| bitte)? (?!to )${HOW}`, 'iu'),
  pattern(`^(?:please |always )*be (?:more )?${HOW}`, 'iu'),
  pattern(`\\b(?:use|prefer|keep to) (?:an? |the )?${HOW} tone(?! (?:in|for|with (?!me\\b)))`, 'iu'),
  pattern(`^${HOW} ${ANSWERS},? please`, 'iu'),
]
const TONES: readonly [RegExp, string][] = [
  [/\b(?:casual(?:ly)?|informal(?:ly)?|relaxed|locker)\b/i, 'casual'],
  [/\b(?:formal(?:ly)?|förmlich)\b/i, 'formal'],
  [/\b(?:friendly|freundlich|warm)\b/i, 'friendly'],
  [/\b(?:professional(?:ly)?|businesslike)\b/i, 'professional'],
  [/\b(?:funny|humorous)\b/i, 'humorous'],
]
const DETAILS: readonly [RegExp, string][] = [
  [/\b(?:short|brief(?:ly)?|concise(?:ly)?|crisp|to the point|succinct(?:ly)?|terse|kurz|knapp)\b/i, 'short'],
  [/\b(?:detailed|in detail|long|thorough(?:ly)?|in[- ]depth|exhaustive|ausführlich)\b/i, 'detailed'],
]
/** "Reply in French", not "Reply to Anna in French". */
const IN_LANGUAGE = pattern(
  `\\b(?:(?:answer|reply|respond|talk|speak|write)(?: to me| me)?(?: only| always| please)?|antworte(?: mir| bitte| immer)*|(?:keep|give|write|want|prefer|need|make|halte)\\b(?: me| your| all| the)* (?:answers?|replies|responses?|antworten)(?: only| always| short| brief| concise| and)*) (?:in|auf) (?<language>\\p{L}+)|\\b(?:I prefer|my (?:preferred )?language is|please use) (?<other>\\p{L}+)\\b`,
  'iu',
)

function preferencesIn(sentence: string): Found {
  if (sentence.endsWith('?') && !/^(?:can|could|would|will) you\b/i.test(sentence)) return {}
  const found: Found = {}
  for (const wish of WISHES) {
    const match = wish().exec(sentence)
    if (match === null || DENIAL.test(sentence.slice(0, match.index))) continue
    const how = match.groups!['how']!
    found.tone ??= valueIn(TONES, how)!
    found.detailLevel ??= valueIn(DETAILS, how)!
  }
  const inLanguage = IN_LANGUAGE().exec(sentence)
  if (inLanguage !== null && !DENIAL.test(sentence.slice(0, inLanguage.index))) {
    found.language = languageOf(inLanguage.groups!['language'] ?? inLanguage.groups!['other']!)!
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

const DENIAL =
  /\b(?:not|never|n['’]t|if|when|how (?:do|can|should) (?:I|you)|who|they|he|she|customers?|support)\b[^,;]*$/i

function valueIn(choices: readonly [RegExp, string][], text: string): string | undefined {
  return choices.find(([word]) => word.test(text))?.[1]
}
