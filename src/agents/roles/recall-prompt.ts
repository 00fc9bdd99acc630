import { z } from 'zod'
import { definePrompt } from '../../core/prompt.ts'
import type { Profile } from '../../core/memory.ts'
import { onOneLine } from '../../core/prompt-text.ts'
import { ASKING_WORDS, plainWords } from '../../language/asking-words.ts'
import type { Evidence } from '../../language/figures/evidence.ts'
import { sentencesOf } from '../../language/figures/sentences.ts'
import { languageOf } from '../../language/which-language.ts'
import { scaled } from './scaled.ts'

const input = z.object({
  question: z.string(),
  /** What is known of the user, as `field: value`; the conversation is part of the instructions already. */
  known: z.array(z.string()),
  /** The answer before. */
  before: z.string().optional(),
  systemPrompt: z.string().optional(),
})

const output = z.object({
  answer: z.string().describe('the answer; empty when profile and conversation do not hold it'),
})

const INSTRUCTIONS = `No agent found anything on the question. It may still be about the user, or about what was said before.
- Answer only what the user profile and the conversation so far hold: what the user said of themself, an earlier answer made
  shorter, put in other words or another language, or a figure of it doubled, added or compared.
- Anything else, such as new data or general knowledge, is not yours to answer: then answer is empty.
- In the language of the question. Never invent a figure or a name.`

/** Answers from profile and conversation alone, where no agent had anything to say. */
export const recallAnswer = definePrompt({
  name: 'composer.recall',
  about: {
    purpose: 'Answers from what is known of the user and what was said before.',
    when: 'no agent found anything, and the question may be about the user or the conversation',
    fallback:
      'name, company and job title are told and one figure is multiplied by rules; else what was tried and why it failed',
  },
  wording: INSTRUCTIONS,
  data: 'profile and conversation',
  input,
  output,
  temperature: 0,
  maxOutputTokens: 1_000,
  render: ({ question, known }) => ({
    user: `Known of the user: ${known.map(onOneLine).join('; ') || 'nothing'}\n\nQuestion: ${question}`,
  }),
  fallback: ({ question, known, before = '' }) => ({
    answer: knownFact(question, known) || (scaled(question, before) ?? ''),
  }),
})

/** Words for the user and for what was said before; without one, a question in English asks for something new. */
const REFERS =
  /\b(?:i|me|my|mine|myself|you|your|that|this|it|its|those|these|them|they|again|same|above|before|earlier|previous|last answer|instead|shorter|longer|summari[sz]e|rephrase|translate|double|twice|half|halve|triple|so far|conversation)\b/i

/** Whether a question can be about the user or the conversation. */
export function mayRecall(question: string): boolean {
  return REFERS.test(question) || (languageOf(question) ?? 'en') !== 'en'
}

/** Whether each sentence has most of its words from what was said: put in other words, an answer keeps those that matter. */
export function wasSaid(answer: string, said: Evidence): boolean {
  return sentencesOf(answer).every((sentence) => {
    const words = plainWords(sentence).filter((word) => word.length > 3 && !ASKING_WORDS.includes(word))
    const unsaid = words.filter((word) => !said.mentions(word.slice(0, 5)))
    return unsaid.length <= words.length / 2
  })
}

/** “What is my name?”, and what else is kept of a user. */
const ASKED: readonly (readonly [RegExp, string, string])[] = [
  [/^(?:what(?:'s|’s| is) my name|who am i|what am i called)\b/i, 'userName', 'Your name is'],
  [
    /^(?:what(?:'s|’s| is) (?:my company|the name of my company)|where do i work|who do i work for)\b/i,
    'companyName',
    'You work for',
  ],
  [/^what(?:'s|’s| is) my (?:job(?: title)?|role|position)\b/i, 'jobTitle', 'You told me that you are'],
]

function knownFact(question: string, known: readonly string[]): string {
  const asked = ASKED.find(([words]) => words.test(question.trim()))
  const fact = known.find((line) => asked !== undefined && line.startsWith(`${asked[1]}: `))
  return fact === undefined ? '' : `${asked![2]} ${fact.slice(asked![1].length + 2)}.`
}

/** A profile as `field: value`. */
export function profileFacts(profile: Profile | undefined): string[] {
  return Object.entries({ ...profile?.facts, ...profile?.preferences }).map(([field, value]) => `${field}: ${value}`)
}
