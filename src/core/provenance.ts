/**
 * Where a value came from and whether that place is trusted. What is derived from an untrusted value is untrusted too
 * (SPEC B6); the engine carries the mark, agents cannot drop it.
 */
export interface Provenance {
  readonly trust: 'trusted' | 'untrusted'
  readonly sources: readonly string[]
}

/** The user's own words and the operator's configuration. */
export const TRUSTED: Provenance = Object.freeze({ trust: 'trusted', sources: Object.freeze([]) })

export function untrusted(...sources: string[]): Provenance {
  return { trust: 'untrusted', sources }
}

/** The provenance of something made from all the given parts: untrusted as soon as one part is. */
export function combine(parts: Iterable<Provenance | undefined>): Provenance {
  let trust: Provenance['trust'] = 'trusted'
  const sources = new Set<string>()
  for (const part of parts) {
    if (part === undefined) continue
    if (part.trust === 'untrusted') trust = 'untrusted'
    for (const source of part.sources) sources.add(source)
  }
  return trust === 'trusted' && sources.size === 0 ? TRUSTED : { trust, sources: [...sources] }
}
