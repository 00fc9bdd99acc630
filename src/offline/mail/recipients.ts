import type { ActorContext } from '../../domain/actor.ts'
import { addressKey, printable, readAddress } from '../../mail/address.ts'
import { EMPTY_QUERY, formatMailQuery } from '../../mail/query.ts'
import { recipientWarning, type KnownAddresses } from '../../agents/mail/recipients.ts'
import type { MailTools } from '../../agents/mail/tools.ts'

const MAX_MAILS = 50
const MAX_NAMED = 5

export interface Recipients {
  readonly addresses: readonly string[]
  /** Warnings for the approval: recipients that do not come only from the user's own words. */
  readonly warnings: readonly string[]
  /** Names without a single address, and why. */
  readonly missing: readonly string[]
}

/** Resolves names and addresses to recipients. */
export async function resolveRecipients(
  proposed: readonly string[],
  ctx: ActorContext,
  tools: MailTools,
  known: KnownAddresses,
): Promise<Recipients> {
  const addresses: string[] = []
  const written: string[] = []
  const missing: string[] = []
  for (const name of proposed) {
    if (readAddress(name) !== undefined) {
      written.push(name)
      addresses.push(name)
      continue
    }
    const found = /^(?:me|myself)$/i.test(name) ? [known.own] : await lookUp(name, ctx, tools, known)
    const quoted = `"${printable(name)}"`
    if (found.length === 1) addresses.push(found[0]!)
    else if (found.length === 0) missing.push(`no address of ${quoted} is known`)
    else missing.push(`${quoted} can be any of ${found.slice(0, MAX_NAMED).join(', ')}`)
  }
  const doubt = recipientWarning(written, known)
  const warnings = doubt === undefined ? [] : [doubt]
  if (warnings.length > 0) ctx.note('DECISION', 'A recipient does not come from the user', { warnings })
  return { addresses, warnings, missing }
}

/** Searches the contacts, then earlier recipients, but not senders: anyone can send under any name. */
async function lookUp(name: string, ctx: ActorContext, tools: MailTools, { contacts, own }: KnownAddresses) {
  const written = Object.entries(contacts).map(([known, address]) => `${known} <${address}>`)
  const listed = fitting(name, written, own)
  // The longest word finds the most telling mails; the rest of the name is compared here.
  const [word] = wordsOf(name).toSorted((a, b) => b.length - a.length)
  if (listed.length > 0 || word === undefined) return listed
  const query = formatMailQuery({ ...EMPTY_QUERY, to: [word] })
  const { messages } = await ctx.call(tools.search.sent, { query, limit: MAX_MAILS })
  const recipients = messages.flatMap(({ to, cc }) => [...to, ...cc])
  return fitting(name, recipients, own)
}

/** Exact matches of the name, else those that contain all its words. Each address once. */
function fitting(name: string, candidates: readonly string[], own: string): string[] {
  const nameWords = wordsOf(name)
  const others = candidates.flatMap((candidate) => {
    const parsed = readAddress(candidate)
    return parsed === undefined || addressKey(parsed.address) === addressKey(own) ? [] : [{ candidate, ...parsed }]
  })
  const exact = others.filter(({ name: other, address }) =>
    [other, address.split('@')[0]!].some((one) => wordsOf(one).join(' ') === nameWords.join(' ')),
  )
  const partly = others.filter(({ name: other, address }) => {
    const parts = wordsOf(`${other} ${address}`)
    return nameWords.length > 0 && nameWords.every((word) => parts.includes(word))
  })
  const found = exact.length > 0 ? exact : partly
  return [...new Map(found.map(({ candidate, address }) => [addressKey(address), candidate])).values()]
}

/** The words in lower case and without accents. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}
