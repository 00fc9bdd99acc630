import type { ActorContext } from '../../../core/actor.ts'
import { isAddress } from '../../../core/mail-address.ts'
import { printable, readAddress } from '../../../mail/address.ts'
import { recipientWarning, type Contacts, type KnownAddresses } from '../recipients.ts'
import type { MailTools } from '../tools.ts'
import { lookUp } from './address-book.ts'

/** Where addresses of names are looked up besides the mails. */
export interface AddressSources {
  readonly contacts: Contacts
  /** The user's own address. */
  readonly own: string
}

export interface Resolved {
  readonly addresses: readonly string[]
  /** For the one who approves: recipients that are more than the user's own words. */
  readonly warnings: readonly string[]
  /** Names without an address, and why. */
  readonly missing: readonly string[]
}

/** Turns names and addresses of a plan into recipients. */
export async function resolveRecipients(
  proposed: readonly string[],
  ctx: ActorContext,
  tools: MailTools,
  sources: KnownAddresses,
): Promise<Resolved> {
  const addresses: string[] = []
  const given: string[] = []
  const warnings: string[] = []
  const missing: string[] = []
  for (const text of proposed) {
    const address = readAddress(text)
    if (address !== undefined && isAddress(address.address)) {
      addresses.push(text.trim())
      given.push(text.trim())
      continue
    }
    if (/^(?:me|myself)$/i.test(text.trim())) {
      addresses.push(sources.own)
      continue
    }
    const found = await lookUp(text, ctx, tools, sources)
    if (found.kind === 'found') {
      addresses.push(found.address)
      if (found.origin === 'inbox') warnings.push(guess(text, found.address))
    } else if (found.kind === 'ambiguous') {
      const few = found.addresses.slice(0, 5).join(', ')
      missing.push(`"${printable(text)}" can be any of ${few}`)
    } else {
      missing.push(`no address of "${printable(text)}" is known`)
    }
  }
  const doubt = recipientWarning(given, sources)
  if (doubt !== undefined) warnings.push(doubt)
  if (warnings.length > 0) ctx.note('DECISION', 'A recipient does not come from the user', { warnings })
  return { addresses, warnings, missing }
}

function guess(name: string, address: string): string {
  return `"${printable(name)}" was taken to be ${address}, who is known only as the sender of a mail to you. Anyone can write under any name.`
}
