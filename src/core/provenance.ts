/**
 * Where a value came from and whether that place is trusted. What is derived from an untrusted value is untrusted too
 * (SPEC B6); the engine carries the mark, agents cannot drop it.
 *
 * - `trusted`: the user's own words and the operator's configuration.
 * - `data`: the operator's own data. They can be shown and computed with; but whoever filled in a row may have written
 *   it, so they cannot by themselves cause what is not asked for.
 * - `untrusted`: written by strangers.
 */
export interface Provenance {
  readonly trust: 'trusted' | 'data' | 'untrusted'
  readonly sources: readonly string[]
}

/** The user's own words and the operator's configuration. */
export const TRUSTED: Provenance = Object.freeze({ trust: 'trusted', sources: Object.freeze([]) })

/** The operator's own data: your data, not your words. */
export function ownData(...sources: string[]): Provenance {
  return { trust: 'data', sources }
}

/** Words of strangers, such as those of a page or a mail. */
export function untrusted(...sources: string[]): Provenance {
  return { trust: 'untrusted', sources }
}

/** Whether it is the user's own words or the operator's configuration; what is not marked is. */
export function isTrusted(provenance: Provenance | undefined): boolean {
  return provenance === undefined || provenance.trust === 'trusted'
}

const LEVELS: readonly Provenance['trust'][] = ['trusted', 'data', 'untrusted']

/** The provenance of something made from all the given parts: trusted as little as the least trusted part is. */
export function combine(parts: Iterable<Provenance | undefined>): Provenance {
  let level = 0
  let sources: Set<string> | undefined
  for (const part of parts) {
    if (part === undefined) continue
    const found = LEVELS.indexOf(part.trust)
    // What plain JavaScript misspells is trusted least.
    level = found < 0 ? LEVELS.length - 1 : Math.max(level, found)
    if (!Array.isArray(part.sources) || part.sources.length === 0) continue
    sources ??= new Set()
    for (const source of part.sources) sources.add(String(source))
  }
  return level === 0 && sources === undefined ? TRUSTED : { trust: LEVELS[level]!, sources: [...(sources ?? [])] }
}

/** Where it comes from, for people: a clause that follows "and"; undefined for what is trusted. */
export function originOf({ trust, sources }: Provenance, what = 'what it is made from'): string | undefined {
  if (trust === 'trusted') return undefined
  const place = trust === 'data' ? 'your data, not from your words' : 'outside'
  return `${what} comes from ${place}${sources.length === 0 ? '' : `: ${sources.join(', ')}`}`
}
