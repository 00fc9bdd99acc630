import { z } from 'zod'
import { definePrompt } from '../../core/prompt.ts'
import { onOwnLines } from '../../core/prompt-text.ts'
import type { EffectiveTask } from '../../core/result.ts'

type Intent = EffectiveTask['intent']

const input = z.object({ task: z.string(), instructions: z.string() })
const output = z.object({ intent: z.enum(['enhance', 'override']) })

const RULES = `A user approved an action of an assistant and added instructions. Say how they relate to the task:
- "enhance": they add to the task, narrow it or say how it should be done. The task is still to be done.
- "override": they ask for something else in place of the task.
In doubt, say "enhance".`

/** Whether instructions come on top of a task or in its place (SPEC R10). */
export const classifyInstructions = definePrompt<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'approval.classify',
  about: {
    purpose: 'Tells whether what a person added to an approval comes on top of the task or in its place.',
    when: 'an approval came with instructions',
    fallback: 'on top of it, unless words such as “instead” leave no doubt',
  },
  wording: RULES,
  data: 'the task and the instructions',
  input,
  output,
  temperature: 0,
  maxOutputTokens: 500,
  withoutMemory: true,
  render: ({ task, instructions }) => ({
    user: `Task:\n${onOwnLines([task])}\n\nInstructions:\n${onOwnLines([instructions])}`,
  }),
  fallback: ({ instructions }) => ({ intent: asksForSomethingElse(instructions) ? 'override' : 'enhance' }),
})

/** Only where the words leave no doubt; everything else is `enhance`, by which the user gets both. */
function asksForSomethingElse(instructions: string): boolean {
  return /\b(?:instead|rather than)\b/i.test(instructions) || /\b(?:do not|don['’]t|not)\b.*\bbut\b/i.test(instructions)
}

/** Whether instructions speak against what was approved: then the approval does not stand for the very same call. */
export function contests({ text, intent }: Given): boolean {
  const refusal =
    /\b(?:do not|don['’]t|never|without|leav(?:e|ing) (?:[^.;]{0,60} )?out|omit|drop|remove|delete|skip|exclud(?:e|ing)|except|(?:get )?rid of|nothing|no(?= \p{L}))\b(?! (?:forget|worry|worries|problem|objections?|rush|hurry|hesitate|mind|fail))/iu
  return intent === 'override' || refusal.test(text)
}

const THE_CALL = String.raw`(?:it|this|that|them|anything|any|(?:this|the|that) (?:e-?mail|mail|message|call|request|program|code|order))`
const DO_IT = String.raw`(?:send|do|call|run|make|execute|submit|post|e-?mail|mail|go ahead|proceed|cancel|delete|create|order|book|pay|publish)`
const DAS = String.raw`(?:es|sie|ihn|das|dies|nichts|(?:die|diese|das|dieses|den|diesen) (?:e-?mail|mail|nachricht|aufruf|anfrage|programm|bestellung))`
const TUN = String.raw`(?:(?:ab|ver)?(?:senden|schicken)|(?:aus|durch)führen|machen|tun|löschen|stornieren|bestellen|bezahlen|veröffentlichen)`
/** A sentence that says no more than that it is not to be done, in English or German. */
const FLAT_NO = new RegExp(
  String.raw`^(?:(?:no|nope|stop|wait|please|sorry|nein|stopp|halt|bitte),? )*(?:` +
    [
      String.raw`(?:no|nope|stop|nein|stopp|abort|cancel|deny|denied|reject(?:ed)?|abbrechen|ablehnen|abgelehnt)(?: ${THE_CALL}| ${DAS})?`,
      String.raw`(?:do not|don['’]?t|never|you (?:must|should|may) not|i (?:do not|don['’]?t) want you to)(?: ${DO_IT})?(?: ${THE_CALL})?`,
      String.raw`(?:leave|forget|drop) it|lass (?:es|das)(?: (?:sein|bleiben))?`,
      String.raw`(?:${DAS} )?(?:bitte )?nicht(?: ${TUN})?`,
      String.raw`(?:sende|senden sie|schicke?|schicken sie|mache?|machen sie|tue?|tun sie|lösche|storniere)(?: ${DAS})? (?:bitte )?nicht(?: ab)?`,
    ].join('|') +
    String.raw`)(?:,? (?:please|thanks|now|yet|at all|after all|any ?more|bitte|danke|jetzt|noch|mehr))*$`,
  'i',
)

/** Whether words that came with an approval refuse what they approve, and ask for nothing in its place. */
export function refuses(text: string): boolean {
  if (/\b(?:instead|rather|stattdessen|sondern)\b/i.test(text)) return false
  return text.split(/[.!?;\n]+/).some((sentence) => FLAT_NO.test(sentence.replaceAll(/\s+/g, ' ').trim()))
}

/** One instruction of a person. */
export interface Given {
  readonly text: string
  readonly intent: Intent
}

/**
 * The task as the agent is given it, in the words of SPEC R10. Of several instructions, the last that overrides takes the
 * place of those before it; what came after is added to it.
 */
export function effectiveTaskOf(original: string, given: readonly Given[]): EffectiveTask {
  const last = given.findLastIndex((one) => one.intent === 'override')
  const said = (from: number): string =>
    given
      .slice(from)
      .map(({ text }) => text)
      .join('\n')
  return last === -1
    ? { intent: 'enhance', text: enhanced(original, said(0)) }
    : { intent: 'override', text: overridden(original, said(last)) }
}

/**
 * The same without words around it, for agents that go by rules: they would take its words for the user's.
 */
export function plainTaskOf(original: string, given: readonly Given[]): string {
  const last = given.findLastIndex((one) => one.intent === 'override')
  // "instead" says how the words relate to the task, which is settled by now.
  const said = given.slice(Math.max(0, last)).map(({ text }) => text.replace(/[,;]?\s*\binstead\b(?! of)/gi, '').trim())
  return (last === -1 ? [original, ...said] : said).join('\n')
}

function enhanced(original: string, instructions: string): string {
  return [
    'Complete BOTH the original task AND the additional user instructions below.',
    `### Original Task\n${original}`,
    `### User Enhanced Instructions\n${instructions}`,
  ].join('\n\n')
}

function overridden(original: string, instructions: string): string {
  return [
    'IMPORTANT — The user wants you to follow these override instructions\nINSTEAD of the original task.',
    `### User Override Instructions\n${instructions}`,
    `### Original Task (for reference only)\n${original}`,
  ].join('\n\n')
}
