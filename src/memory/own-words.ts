import { ruleText } from '../core/rule-text.ts'

/** A name in quotes is still the user's; a longer passage is a quotation. */
const QUOTED_WORDS = 3

const FENCE = /```[\s\S]*?(?:```|$)/g
const QUOTED_LINE = /^[ \t]*(?:>|\|).*$/gm
const PASTED =
  /\b(?:translate|summari[sz]e|rewrite|rephrase|paraphrase|proofread|correct|analy[sz]e|explain|classify)\b[^.?!\n]{0,80}:[\s\S]*/i
const QUOTATION = /"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/gu
/** "Tom said that I am …", "The letter reads: My name is …". */
const REPORTED =
  /\b(?:says?|said|writes?|wrote|reads|states?|stated|claims?|claimed|tells?|told|thinks?|thought|asks?|asked|quotes?|according to)\b.*$/gim

/**
 * The part of a question that the user says in their own name, as far as rules read it; a name in quotes without them. Quoted,
 * pasted and reported words are someone else's, and so is whatever follows "Translate:" or "Summarise this:".
 */
export function ownWords(question: string): string {
  return ruleText(question)
    .replace(FENCE, ' ')
    .replace(QUOTED_LINE, ' ')
    .replace(PASTED, ' ')
    .replace(QUOTATION, (_all, ...groups: unknown[]) => {
      const inner = groups.slice(0, 5).find((group) => typeof group === 'string') as string
      return inner.trim().split(/\s+/).length > QUOTED_WORDS || /\b(?:I|ich|my|we)\b/.test(inner) ? ' ' : inner
    })
    .replace(REPORTED, ' ')
}

/** Sentences, without those that only suppose or deny something. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…])\s+(?=\S)|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

const FIRST_PERSON =
  /\b(?:I|I['’]?m|me|my|mine|myself|we|we['’]re|us|our|ich|mich|mir|mein\w*|wir|uns\w*|je|moi|mon|ma|mes|nous|notre|yo|soy|mi|mis|nosotros|io|mio|mia|sono|eu|meu|minha|sou|ik|mijn|wij|ben|jag|min|mitt)\b|\bj['’]/iu
const WISH =
  /\b(?:answers?|answering|repl(?:y|ies)|respon[ds]\w*|tone|casual\w*|formal\w*|informal\w*|friendly|concise|brief\w*|short|detail\w*|verbose|language|call|prefer\w*|always|please|antwort\w*|kurz|ausführlich|bitte|réponds|responde|rispondi)\b/iu
/** "Vinay here.", "This is Vinay." */
const GREETING = /\b[Tt]his is \p{Lu}|\p{Lu}[\p{L}'’-]+ here\b/u

/** Whether it is worth looking for what the user says of themself. Without Latin letters there is no telling. */
export function mayTellOfUser(question: string): boolean {
  const text = ownWords(question)
  return FIRST_PERSON.test(text) || WISH.test(text) || GREETING.test(text) || !/\p{Script=Latin}/u.test(text)
}

/** Whether something in the user's own words may be a wish for how answers should be. */
export function mayTellOfAnswers(question: string): boolean {
  const text = ownWords(question)
  return WISH.test(text) || !/\p{Script=Latin}/u.test(text)
}

/** "My colleague is …": the sentence is about somebody else, unless the user is in it as well. */
const ABOUT_OTHERS =
  /\b(?:my|our|mein\w*|unser\w*)\s+(?:\w+\s+)?(?:colleagues?|boss|manager|friends?|wife|husband|partner|brother|sister|son|daughter|mother|father|mom|dad|cousin|uncle|aunt|neighbou?r|client|customers?|supplier|teammate|team|ceo|cto|cfo|assistant|intern|professor|teacher|doctor|landlord|chef\w*|kolleg\w*|freund\w*|frau|mann|bruder|schwester)\b/iu
const HIMSELF = /\b(?:I|I['’]m|ich|call me|my name|mein name|we|wir)\b/iu

/** Whether the user says this of themself: the words are their own, and the sentence speaks of them. */
export function isOwnStatement(question: string, value: string): boolean {
  const wanted = squeezed(value)
  if (wanted === '') return false
  const hasLatin = /\p{Script=Latin}/u.test(question)
  return sentencesOf(ownWords(question)).some((sentence) => {
    if (!squeezed(sentence).includes(wanted)) return false
    if (!hasLatin || GREETING.test(sentence)) return true
    return FIRST_PERSON.test(sentence) && (!ABOUT_OTHERS.test(sentence) || HIMSELF.test(sentence))
  })
}

function squeezed(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
