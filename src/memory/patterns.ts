import type { ProfileField, ProfileValues } from '../core/memory.ts'
import { isStatement } from '../language/introduction.ts'
import { hasJobWord, isNoName, languageOf } from './word-lists.ts'

type Found = Partial<Record<ProfileField, string | string[]>>

const WORD = `\\p{Lu}[\\p{L}\\p{M}'’-]*`
const NAME = `${WORD}(?: (?:van |von |de |der |da )?${WORD}){0,2}`
const ORG = `\\p{Lu}[\\p{L}\\p{N}&'’.-]*(?: (?:(?:&|of|de) )?\\p{Lu}[\\p{L}\\p{N}&'’.-]*){0,3}`
const I_AM = `[Ii](?:['’]?m| am)`
const TITLE = `[\\p{L}&/-]+(?: [\\p{L}&/-]+){0,4}`
const AT = `(?:at|for|with|of)`
/** What ends a project, a title or a name in running text. */
const STOP = `(?=\\s+(?:at|for|with|in|on|from|and|but|who|which|that|so|since|because|named|called)\\b|\\s*[,;.!?()]|\\s*$)`
const PROJECT = `(?:the |a |an |my |our )?(?<project>[\\p{L}\\p{N}][\\p{L}\\p{N}&/'’.-]*(?: [\\p{L}\\p{N}&/'’.-]+){0,4}?)${STOP}`

/** Made when it is looked for: together they take longer than most questions. */
type Pattern = () => RegExp
const pattern =
  (source: string, flags = 'u'): Pattern =>
  () =>
    new RegExp(source, flags)

/** Each with named groups for what it finds; the first that gives a usable value of a field counts. */
const STATEMENTS: readonly Pattern[] = [
  pattern(
    `\\b${I_AM} (?<name>${NAME}),? (?:and )?(?:(?:[Ii]['’]?m |I am )?(?:currently )?working on ${PROJECT})(?: at (?<company>${ORG}))?`,
  ),
  pattern(`\\b${I_AM} (?<name>${NAME}),? (?:an?|the) (?<title>${TITLE}?)${STOP}(?: ${AT} (?<company>${ORG}))?`),
  pattern(`\\b[Mm]y name is (?<name>${NAME}|\\p{Ll}[\\p{L}'’-]+(?=\\s*(?:[,.!;]|$|and\\b)))`),
  pattern(`\\b[Cc]all me (?<name>${NAME})(?=\\s*(?:[,.!;]|$)|\\s+(?:from|please|and|instead)\\b)`),
  pattern(`\\b${I_AM} (?<name>${NAME})(?=\\s*(?:[,.!;]|$)|\\s+(?:from|at|and)\\b)(?: (?:at|from) (?<company>${ORG}))?`),
  pattern(
    `\\b(?:[Ii] work|${I_AM} (?:currently )?(?:working|employed)) (?:as (?:an? |the )?(?<title>${TITLE}?) )?(?:at|for) (?:the )?(?<company>${ORG})`,
  ),
  pattern(`\\b(?:[Mm]y|[Oo]ur) company is (?:called |named )?(?<company>${ORG})`),
  pattern(
    `\\b(?:[Ii] work|${I_AM} (?:currently )?(?:working|employed)) as (?:an? |the )?(?<title>${TITLE}?)${STOP}(?: ${AT} (?<company>${ORG}))?`,
  ),
  pattern(
    `\\b[Mm]y (?:title|role|position|job) is (?:that of )?(?:an? |the )?(?<title>${TITLE}?)${STOP}(?: ${AT} (?<company>${ORG}))?`,
  ),
  pattern(
    `\\b${I_AM} (?:currently |now |also )?(?:(?:an?|the) )?(?<title>(?:head|director|VP|vice president) of ${TITLE}?)${STOP}(?: ${AT} (?<company>${ORG}))?`,
  ),
  pattern(
    `\\b${I_AM} (?:the )?(?<title>CEO|CTO|CFO|COO|CIO|CMO|VP|founder|co-founder|owner|president)(?: (?:and \\p{L}+ )?${AT} (?<company>${ORG}))?`,
  ),
  pattern(
    `\\b${I_AM} (?:currently |now |also )?(?:an?|the|one of the) (?<title>${TITLE}?)${STOP}(?: ${AT} (?<company>${ORG}))?`,
  ),
  pattern(`\\b${I_AM} (?:currently |now |also )?working on ${PROJECT}(?: at (?<company>${ORG}))?`),
]

/** A message about oneself is short; a longer one is probably pasted. */
const MAX_STATEMENT_CHARS = 300

/**
 * What the user states of themself, found by patterns where no model is asked (SPEC R8). Only a message on one line that states
 * nothing else is read: anything more may be pasted or quoted.
 */
export function extractByPatterns(message: string): ProfileValues {
  const found: Found = {}
  if (message.length > MAX_STATEMENT_CHARS || message.trim().includes('\n') || !isStatement(message)) return found
  for (const sentence of message.split(/(?<=[.!?])\s+/).filter(isStatement)) {
    for (const statement of STATEMENTS) take(found, statement().exec(sentence)?.groups ?? {})
    Object.assign(found, { ...preferencesIn(sentence), ...found })
  }
  return found
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

/** "Keep answers short", "Reply briefly": a wish for all answers. */
const WISH =
  /\b(?:keep (?:your |the |all )?answers|(?:answer|reply|respond)(?: me)?(?: always)?) (?<how>[\p{L}, -]{3,60})/iu
const TONES: readonly [RegExp, string][] = [
  [/\b(?:casual(?:ly)?|informal(?:ly)?|relaxed)\b/i, 'casual'],
  [/\b(?:formal(?:ly)?)\b/i, 'formal'],
  [/\b(?:friendly|warm)\b/i, 'friendly'],
  [/\b(?:professional(?:ly)?|businesslike)\b/i, 'professional'],
  [/\b(?:funny|humorous)\b/i, 'humorous'],
]
const DETAILS: readonly [RegExp, string][] = [
  [/\b(?:short(?:ly)?|brief(?:ly)?|concise(?:ly)?|crisp|succinct|terse)\b/i, 'short'],
  [/\b(?:detailed|long|thorough|exhaustive)\b/i, 'detailed'],
]

function preferencesIn(sentence: string): Found {
  const how = WISH.exec(sentence)?.groups!['how']
  if (how === undefined) return {}
  const language = /\bin (?<language>\p{L}+)/iu.exec(how)?.groups!['language']
  const found = {
    tone: valueIn(TONES, how),
    detailLevel: valueIn(DETAILS, how),
    language: language === undefined ? undefined : languageOf(language),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function valueIn(choices: readonly [RegExp, string][], text: string): string | undefined {
  return choices.find(([word]) => word.test(text))?.[1]
}
