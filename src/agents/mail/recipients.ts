import type { ActorContext, AgentTask } from '../../core/actor.ts'
import { isAddress } from '../../core/mail-address.ts'
import { addressesIn, addressKey, printable, readAddress } from '../../mail/address.ts'
import type { MailMessage } from '../../mail/types.ts'
import { lookUp, type Contacts } from './address-book.ts'
import type { MailTools } from './tools.ts'

/** Where recipients may come from without a word of warning. */
export interface Trusted {
  /** What the user wrote. */
  readonly words: string
  readonly contacts: Contacts
  /** The user's own address. */
  readonly own: string
  readonly original?: MailMessage | undefined
}

export interface Resolved {
  readonly addresses: readonly string[]
  /** Those of them that nobody but the model asked for. */
  readonly doubtful: readonly string[]
  /** For the one who approves: recipients that are more than the user's own words. */
  readonly warnings: readonly string[]
  /** Names without an address, and why. */
  readonly missing: readonly string[]
}

/**
 * Turns names and addresses of a plan into recipients. An address that stands neither in the user's words nor in the
 * contacts nor in the mail that is answered was proposed by the model, perhaps since something it read told it to: it is
 * kept only together with a warning that says where it stands.
 */
export async function resolveRecipients(
  proposed: readonly string[],
  task: AgentTask,
  ctx: ActorContext,
  tools: MailTools,
  trusted: Trusted,
): Promise<Resolved> {
  const addresses: string[] = []
  const doubtful: string[] = []
  const warnings: string[] = []
  const missing: string[] = []
  for (const text of proposed) {
    const address = readAddress(text)
    if (address !== undefined && isAddress(address.address)) {
      addresses.push(text.trim())
      const doubt = doubtAbout(text, task, trusted)
      if (doubt !== undefined) {
        doubtful.push(text.trim())
        warnings.push(doubt)
      }
      continue
    }
    if (/^(?:me|myself)$/i.test(text.trim())) {
      addresses.push(trusted.own)
      continue
    }
    const found = await lookUp(text, ctx, tools, trusted)
    if (found.kind === 'found') {
      addresses.push(found.address)
      if (found.origin === 'inbox') warnings.push(guess(text, found.address))
      if (!isNamedBy(text, trusted.words)) {
        doubtful.push(found.address)
        warnings.push(unasked(text, found.address))
      }
    } else if (found.kind === 'ambiguous') {
      const few = found.addresses.slice(0, 5).join(', ')
      missing.push(`"${printable(text)}" can be any of ${few}`)
    } else {
      missing.push(`no address of "${printable(text)}" is known`)
    }
  }
  if (warnings.length > 0) ctx.note('DECISION', 'A recipient does not come from the user', { warnings })
  return { addresses, doubtful, warnings, missing }
}

function doubtAbout(text: string, task: AgentTask, { words, contacts, own, original }: Trusted): string | undefined {
  const key = addressKey(text)
  const fromOriginal =
    original === undefined ? [] : [original.from, ...original.replyTo, ...original.cc, ...original.to]
  const known = [own, ...Object.values(contacts), ...fromOriginal].map(addressKey)
  if (addressesIn(words).includes(key) || known.includes(key)) return undefined
  return `The recipient ${key} is not in your words or contacts. It was proposed by the model; ${whereIs(key, task)}.`
}

/** Which of the results that went into this task holds the address. */
function whereIs(key: string, task: AgentTask): string {
  const holding = task.inputs().filter(({ result }) => JSON.stringify(result).toLowerCase().includes(key))
  if (holding.length === 0) return 'where it got it from is not known'
  const places = holding.map(({ actor, result }) => {
    const from = result.provenance.sources
    return from.length === 0 ? `the results of ${actor}` : `the results of ${actor}, made from ${from.join(', ')}`
  })
  return `it stands in ${places.join(' and ')}`
}

/** Whether any word of a name was written by the user. */
function isNamedBy(name: string, words: string): boolean {
  const lower = words.toLowerCase()
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((part) => part.length > 1 && lower.includes(part))
}

function guess(name: string, address: string): string {
  return `"${printable(name)}" was taken to be ${address}, who is known only as the sender of a mail to you. Anyone can write under any name.`
}

function unasked(name: string, address: string): string {
  return `The recipient ${address} was proposed by the model as "${printable(name)}"; your words do not name them.`
}
