import type { AgentTask } from '../../../core/actor.ts'
import { cut } from '../../../core/outside.ts'
import { withoutModel } from '../../../core/without-model.ts'
import { isAddress } from '../../../core/mail-address.ts'
import type { Letter } from '../../letter.ts'
import { letterOf } from './phrases.ts'

function whatCan(): string {
  return `${withoutModel()} only another recipient, a copy or a subject can be given with an approval, such as “to kim@company.example” or “subject: Freight”.`
}

/** Said where instructions cannot be followed without a model: nothing of them may pass for words of the mail. */
export function nothingDone(): string {
  return `Nothing was written or sent. ${whatCan()} Ask for the whole mail anew.`
}

/** The same where the mail is shown once more, without them. */
export function notFollowed(instructions: readonly string[]): string {
  const said = instructions.map((text) => `“${cut(text, MOST_QUOTED)}”`).join(', ')
  return `${said} cannot be followed; here it is without that. ${whatCan()}`
}

const MOST_QUOTED = 200

/** What says no more than that the mail is to be otherwise. */
const EMPTY =
  /^(?:[\s.,;:!]|\b(?:please|instead|and|but|with|under|use|using|change|set|make|send|mail|address|it|this|that|the|a|one|to|as)\b)*$/i
const RECIPIENT = /\b(?:the )?(?:new )?(?:recipient|addressee)s?(?: (?:is|are|should be|to))?:?\s+/i
const INSTEAD = /[,;]?\s?\b(?:instead|rather)\b(?: of (?<old>\S*[^\s.,;:!]))?/gi
const SUBJECT_IS = /\b(subject(?: line)?) (?:to|should be)\b/i

type Revised = Pick<AgentTask, 'planned' | 'instructions' | 'text'>

/**
 * The task with a person's instructions, as rules read both: each instruction gives another recipient, copies or a subject,
 * which take their place in the request. Those that say anything else are `open`, and nothing of them is in it.
 */
export function revised({ planned, instructions = [], text }: Revised): { text: string; open: readonly string[] } {
  if (planned === undefined || instructions.length === 0) return { text, open: [] }
  const open: string[] = []
  let whole = planned
  for (const instruction of instructions) {
    const changed = withInstruction(whole, instruction)
    if (changed === undefined) open.push(instruction)
    else whole = changed
  }
  return { text: whole, open }
}

function withInstruction(request: string, instruction: string): string | undefined {
  if (/\b(?:not|never|no|without)\b|n['’]t\b/i.test(instruction)) return undefined
  const before = letterOf(request)
  const asked = letterOf(
    instruction
      .trim()
      .replace(INSTEAD, '')
      .replace(RECIPIENT, 'to ')
      .replace(SUBJECT_IS, '$1')
      .replace(/(?<![.!])[.!]+$/, ''),
  )
  const replaced = [...instruction.matchAll(INSTEAD)].flatMap(({ groups }) => groups?.['old'] ?? [])
  const [to, ...more] = asked.to
  const [old, ...others] = before.to
  const isRead = asked.said === undefined && asked.bcc.length === 0 && !asked.isSeveral && EMPTY.test(asked.rest)
  // Another one than whom the mail goes to cannot be put in that place.
  if (replaced.some((name) => to === undefined || name.toLowerCase() !== old?.toLowerCase())) return undefined
  if (!isRead || more.length > 0 || old === undefined || (to !== undefined && (others.length > 0 || !isAddress(to))))
    return undefined
  const changed: Pick<Letter, 'to' | 'cc' | 'subject'> = {
    to: [to ?? old, ...others],
    cc: [...before.cc, ...asked.cc],
    ...(asked.subject === undefined && before.subject === undefined
      ? {}
      : { subject: asked.subject ?? before.subject! }),
  }
  const added = [
    ...asked.cc.map((name) => `, cc ${name}`),
    ...(asked.subject !== undefined && before.subject === undefined ? [` with the subject "${asked.subject}"`] : []),
  ]
  const renamed =
    asked.subject === undefined || before.subject === undefined
      ? request
      : request.replace(before.subject, () => asked.subject!)
  const whole = renamed.replace(old, () => [to ?? old, ...added].join(''))
  // Held against what was asked for: a word that stands twice may have been the wrong one.
  const { rest: _, before: __, contents, ...after } = letterOf(whole)
  const { rest: ___, before: ____, contents: wanted, ...same } = before
  return isSame({ ...same, ...changed }, after) && contents.length === wanted.length ? whole : undefined
}

function isSame(one: object, other: object): boolean {
  const sorted = (of: object): string => JSON.stringify(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)))
  return sorted(one) === sorted(other)
}
