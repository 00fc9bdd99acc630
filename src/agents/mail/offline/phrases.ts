import { ruleText } from '../../../core/rule-text.ts'
import { cleanName, letterIn, NAME, subjectIn, type Letter } from '../../letter.ts'
import { writingClause } from './intent.ts'

const FROM = new RegExp(String.raw`\bfrom\s+(${NAME})`, 'iu')
const TO = new RegExp(String.raw`\bto\s+(${NAME})`, 'u')
const POSSESSIVE =
  /\b((?:\p{Lu}[\p{L}.-]+\s+){0,2}\p{Lu}[\p{L}.-]+)['’]s?\s+(?:last\s+|latest\s+|newest\s+)?(?:e-?mail|mail|message)/u
const WHO_WRITES = /\b[Ww]hat\s+(?:does|did|do)\s+((?:\p{Lu}[\p{L}.-]+\s*){1,3}?)\s*\b(?:write|say|ask|want)\b/u
const ABOUT =
  /\b(?:about|regarding|concerning|mention(?:s|ing)?|contain(?:s|ing)?)\s+(?:"([^"]+)"|([^,;:?!.]+?))(?=\s+(?:from|since|after|before|to|in\s+my|that|saying|with|using|and|is|was)\b|[,;:?!.]|$)/i
const SEARCH_FOR =
  /\b(?:search|look|check)\b.{0,40}?\bfor\s+(?:"([^"]+)"|([^,;:?!.]+?))(?=\s+(?:from|since|after|before|to|in)\b|[,;?!.]|$)/i
const EMPTY_WORDS = /^(?:the|my|our|a|an|any|all|of|for|some|about|and|or|mails?|e-?mails?|messages?|please)$/i

/** Who the mails that are spoken of come from; undefined when the question does not say. */
export function senderIn(question: string): string | undefined {
  const found = FROM.exec(question)?.[1] ?? POSSESSIVE.exec(question)?.[1] ?? WHO_WRITES.exec(question)?.[1]
  return found === undefined ? undefined : cleanName(found)
}

/** Who a reply goes to, when no "from" says so: "reply to Lena that …". */
export function replyTargetIn(clause: string): string | undefined {
  const to = new RegExp(String.raw`\b(?:reply|respond|back)\s+${TO.source}`, 'iu').exec(clause)?.[1]
  const name = senderIn(clause) ?? to
  return name === undefined ? undefined : cleanName(name.replace(/['’]s?\s+.*$/, ''))
}

/** To whom the sent mails or drafts went that are asked for. */
export function addresseeIn(question: string): string | undefined {
  const found = TO.exec(question)?.[1]
  return found === undefined ? undefined : cleanName(found)
}

/** The topic in the question's own words. */
export function topicIn(question: string): string | undefined {
  const [, quoted, plain] = ABOUT.exec(question) ?? SEARCH_FOR.exec(question) ?? []
  const topic = (quoted ?? plain)?.trim()
  return topic === undefined || topic === '' || /^(?:it|this|that|them)$/i.test(topic) ? undefined : topic
}

/** A topic as search words: without little words and plural endings, since texts match anywhere. */
export function searchWords(topic: string): string[] {
  const words = topic.split(/[^\p{L}\p{N}'’@.-]+/u).filter((word) => word !== '' && !EMPTY_WORDS.test(word))
  return words.map((word) => word.replace(/['’]s?$/, '').replace(/(?<=\p{L}{3}[^s])s$/u, ''))
}

/** The mail that is asked for; its subject may be said before anything else. */
export function letterOf(whole: string): Letter & { readonly before: string } {
  const text = ruleText(whole)
  const { clause, before } = writingClause(text)
  const letter = letterIn(clause)
  const subject = letter.subject ?? (/^\W*(?:with|under|using)\b/i.test(before) ? subjectIn(before) : undefined)
  return { ...letter, before, ...(subject === undefined ? {} : { subject }) }
}
