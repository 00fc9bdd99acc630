import ipaddr from 'ipaddr.js'

type Address = ReturnType<typeof ipaddr.parse>
type Range = ReturnType<typeof ipaddr.parseCIDR>

/**
 * Special blocks that `ipaddr.js` reports as ordinary unicast, or under a name that hides an embedded IPv4 address.
 * Sources: IANA special-purpose registries; RFC 6052 (NAT64), RFC 3056 (6to4), RFC 4380 (Teredo), RFC 2544
 * (benchmarks).
 */
const SPECIAL: readonly (readonly [string, string])[] = [
  ['192.0.0.0/24', 'protocol assignments'],
  ['192.88.99.0/24', '6to4 relay'],
  ['198.18.0.0/15', 'benchmark'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  // A public address that in Azure serves metadata to the machine.
  ['168.63.129.16/32', 'cloud metadata'],
  ['::/96', 'IPv4-compatible'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'NAT64'],
  ['2001::/23', 'protocol assignments and Teredo'],
  ['2002::/16', '6to4'],
  ['fec0::/10', 'site-local'],
  ['100::/64', 'discard'],
  ['2001:db8::/32', 'documentation'],
]
const SPECIAL_RANGES = SPECIAL.map(([block, name]) => ({ block: ipaddr.parseCIDR(block), name }))

/** Kinds of addresses that internal services have. A host name on the allow-list may resolve to one of these. */
const INTERNAL_KINDS = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat', 'carrier-grade NAT'])

/** The kind of a special address; undefined for a public one. Text that is not an address is `unreadable`. */
export function specialKind(text: string): string | undefined {
  const address = parseAddress(text)
  if (address === undefined) return 'unreadable'
  const known = SPECIAL_RANGES.find(({ block }) => isWithin(address, block))
  const range = address.range()
  if (range !== 'unicast') return range === 'reserved' && known !== undefined ? known.name : range
  return known?.name
}

export function isInternalKind(kind: string): boolean {
  return INTERNAL_KINDS.has(kind)
}

/** Whether an address is in one of the blocks. IPv4-mapped IPv6 addresses count as IPv4. */
export function isInBlocks(text: string, blocks: readonly Range[]): boolean {
  const address = parseAddress(text)
  return address !== undefined && blocks.some((block) => isWithin(address, block))
}

/** Parses a block such as `10.0.0.0/8`, or a single address; undefined if the text is neither. */
export function parseBlock(text: string): Range | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const address = isIpAddress(text) ? parseAddress(text) : undefined
  return address === undefined ? undefined : [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Whether a text is an address in its usual form: four decimal parts, or IPv6. */
export function isIpAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
}

function parseAddress(text: string): Address | undefined {
  const bare = text.replace(/%.*$/, '') // a zone, as in fe80::1%eth0
  if (!isIpAddress(bare)) return undefined
  return ipaddr.process(bare)
}

function isWithin(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}
