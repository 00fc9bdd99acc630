import type { ProfileField, ProfileValues } from '../../domain/memory.ts'
import { isStatement } from './introduction.ts'

type Found = Partial<Record<ProfileField, string | string[]>>

const WORD = `\\p{Lu}[\\p{L}\\p{M}'’-]*`
const NAME = `${WORD}(?: (?:van |von |de |der |da )?${WORD}){0,2}`
const COMPANY = `(?<companyName>\\p{Lu}[\\p{L}\\p{N}&'’.-]*(?: (?:(?:&|of|de) )?\\p{Lu}[\\p{L}\\p{N}&'’.-]*){0,3})`
const PROJECT = `(?=[^.,;]*\\b[Pp]roject\\b)(?:the |my |our )?(?<recentProjects>\\p{Lu}[\\p{L}\\p{N}-]*(?: [\\p{Lu}\\p{N}][\\p{L}\\p{N}-]*){0,4})`

/** Named groups are fields of the profile. */
const STATEMENTS: readonly RegExp[] = [
  String.raw`\b(?:[Mm]y name is|[Cc]all me) (?<userName>${NAME})(?=\s*(?:[,.!;]|$)|\s+(?:from|please|and|instead)\b)`,
  String.raw`\bI(?:['’]m| am) (?:(?<userName>${NAME}),? (?:and )?)?(?:currently )?working on ${PROJECT}(?: at ${COMPANY})?`,
  String.raw`\bI work (?:as (?:an? |the )?(?<jobTitle>\p{L}+(?: \p{L}+){0,3}?)(?=[,.!]|$| (?:at|for)\b) ?)?(?:(?:at|for) (?:the )?${COMPANY})?`,
  String.raw`\b(?:[Mm]y|[Oo]ur) company is (?:called |named )?${COMPANY}`,
].map((source) => new RegExp(source, 'u'))

/** Maximum length of a statement about the user; a longer message is probably pasted. */
const MAX_STATEMENT_CHARS = 300

/** What users state about themselves in a message of one line. Longer messages may be pasted or quoted. */
export function extractByPatterns(message: string): ProfileValues {
  const found: Found = {}
  if (message.length > MAX_STATEMENT_CHARS || message.trim().includes('\n') || !isStatement(message)) return found
  for (const sentence of message.split(/(?<=[.!?])\s+/).filter(isStatement)) {
    const groups = STATEMENTS.flatMap((statement) => Object.entries(statement.exec(sentence)?.groups ?? {}))
    for (const [field, value] of groups as [ProfileField, string | undefined][]) {
      if (value === undefined) continue
      const trimmed = value.replace(/[\s.'’-]+$/u, '')
      found[field] ??= field === 'recentProjects' ? [trimmed] : trimmed
    }
    Object.assign(found, { ...preferencesIn(sentence), ...found })
  }
  return found
}

/** "Keep answers short", "Reply briefly": a preference for all answers. */
const WISH =
  /\b(?:keep (?:your |the |all )?answers|(?:answer|reply|respond)(?: me)?(?: always)?) (?<how>[\p{L}, -]{3,60})/iu
const LANGUAGES =
  'English German French Spanish Italian Portuguese Dutch Polish Swedish Norwegian Danish Finnish Czech Greek Turkish Russian Ukrainian Arabic Hindi Chinese Japanese Korean'.split(
    ' ',
  )
/** Stored values and the words that select them. */
const TONES = {
  casual: 'casual|informal|relaxed',
  formal: 'formal',
  friendly: 'friendly|warm',
  professional: 'professional|businesslike',
  humorous: 'funny|humorous',
}
const DETAILS = { short: 'short|brief|concise|crisp|succinct|terse', detailed: 'detailed|long|thorough|exhaustive' }

function preferencesIn(sentence: string): Found {
  const how = WISH.exec(sentence)?.groups!['how']
  if (how === undefined) return {}
  const language = /\bin (?<language>\p{L}+)/iu.exec(how)?.groups!['language']
  const found = {
    tone: valueIn(TONES, how),
    detailLevel: valueIn(DETAILS, how),
    language: LANGUAGES.find((known) => known.toLowerCase() === language?.toLowerCase()),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function valueIn(choices: Readonly<Record<string, string>>, text: string): string | undefined {
  return Object.keys(choices).find((kept) => new RegExp(String.raw`\b(?:${choices[kept]})(?:ly)?\b`, 'i').test(text))
}
