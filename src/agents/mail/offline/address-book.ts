import type { ActorContext } from '../../../core/actor.ts'
import { addressKey, readAddress } from '../../../mail/address.ts'
import { EMPTY_QUERY, formatMailQuery } from '../../../mail/query.ts'
import type { Contacts } from '../recipients.ts'
import type { MailTools } from '../tools.ts'

/** Where an address was found; the further down, the less it says about who stands behind it. */
export type AddressOrigin = 'contacts' | 'sent' | 'inbox'

export type LookedUp =
  | { readonly kind: 'found'; readonly address: string; readonly origin: AddressOrigin }
  | { readonly kind: 'ambiguous'; readonly addresses: readonly string[] }
  | { readonly kind: 'unknown' }

const MAX_MAILS = 50

/**
 * Finds the address behind a name: in the contacts, among those the user has written to, and last among those who wrote.
 * Anyone can write under any name, so the last is only a guess that whoever approves must see as one.
 */
export async function lookUp(
  name: string,
  ctx: ActorContext,
  tools: MailTools,
  { contacts, own }: { contacts: Contacts; own: string },
): Promise<LookedUp> {
  const configured = best(
    name,
    Object.entries(contacts).map(([known, address]) => `${known} <${address}>`),
    own,
  )
  if (configured.length > 0) return looked(configured, 'contacts')
  // The longest word finds the most telling mails; the rest of the name is compared here.
  const word = [...words(name)].sort((a, b) => b.length - a.length)[0]
  if (word === undefined) return { kind: 'unknown' }

  const toThem = formatMailQuery({ ...EMPTY_QUERY, to: [word] })
  const sent = await ctx.call(tools.search.sent, { query: toThem, limit: MAX_MAILS })
  const writtenTo = best(
    name,
    sent.messages.flatMap(({ to, cc }) => [...to, ...cc]),
    own,
  )
  if (writtenTo.length > 0) return looked(writtenTo, 'sent')

  const fromThem = formatMailQuery({ ...EMPTY_QUERY, from: [word] })
  const received = await ctx.call(tools.search.inbox, { query: fromThem, limit: MAX_MAILS })
  const senders = best(
    name,
    received.messages.map(({ from }) => from),
    own,
  )
  return senders.length > 0 ? looked(senders, 'inbox') : { kind: 'unknown' }
}

function looked(addresses: readonly string[], origin: AddressOrigin): LookedUp {
  const [only, ...others] = addresses
  return others.length === 0 ? { kind: 'found', address: only!, origin } : { kind: 'ambiguous', addresses }
}

/** The addresses that fit a name best: those called exactly so, else those in which all its words occur. Each once. */
function best(name: string, candidates: readonly string[], own: string): string[] {
  const wanted = words(name)
  const known = new Map<string, { readonly written: string; readonly isExact: boolean }>()
  for (const candidate of candidates) {
    const parsed = readAddress(candidate)
    if (parsed === undefined || addressKey(parsed.address) === addressKey(own)) continue
    const [local = '', domain = ''] = parsed.address.split('@')
    const isExact = [parsed.name, local].some((text) => words(text).join(' ') === wanted.join(' '))
    const parts = new Set([...words(parsed.name), ...words(local), ...words(domain)])
    if (!isExact && !wanted.every((word) => parts.has(word))) continue
    const key = addressKey(parsed.address)
    const earlier = known.get(key)
    if (earlier === undefined || (isExact && !earlier.isExact)) known.set(key, { written: candidate, isExact })
  }
  const all = [...known.values()]
  const exact = all.filter(({ isExact }) => isExact)
  return (exact.length > 0 ? exact : all).map(({ written }) => written)
}

/** Lower-case words without accents. */
function words(text: string): string[] {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
