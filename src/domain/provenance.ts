/**
 * The two labels of a value, and its sources (docs/safety.md). A value made from several has the least trusted author
 * and is private if one of them is. The engine combines labels; agents cannot drop them. Against prompt injection: what
 * a job may do without approval depends on the labels of what it has read.
 */
export interface Provenance {
  /**
   * - `user`: the user's words and the operator's configuration, accepted tool descriptions included.
   * - `own`: the operator's data. A row may contain anybody's text, so it cannot trigger actions the user did not ask
   * for.
   * - `outside`: third-party text, such as a page or a mail.
   */
  readonly author: 'user' | 'own' | 'outside'
  /** Everything is private except the user's words, web pages and search results. */
  readonly private: boolean
  readonly sources: readonly string[]
  /** The third-party ones among `sources`; absent if `author` applies to all of them. */
  readonly outside?: readonly string[]
}

/** The user's words and the operator's configuration. For a tool: its output adds nothing to its input. */
export const BY_USER: Provenance = Object.freeze({ author: 'user', private: false, sources: Object.freeze([]) })

/** The operator's own data. */
export function ownData(...sources: string[]): Provenance {
  return { author: 'own', private: true, sources }
}

/** Private third-party data, such as a mail or the response of an external service. */
export function outsideData(...sources: string[]): Provenance {
  return { author: 'outside', private: true, sources }
}

/** Public third-party data: web pages and search results. */
export function publicData(...sources: string[]): Provenance {
  return { author: 'outside', private: false, sources }
}

/** Whether the user or the operator wrote all of it; a value without labels counts as theirs. */
export function isByUser(provenance: Pick<Provenance, 'author'> | undefined): boolean {
  return provenance === undefined || provenance.author === 'user'
}

/** From the most to the least trusted. */
export const AUTHORS = ['user', 'own', 'outside'] as const satisfies readonly Provenance['author'][]

const OUTSIDE = AUTHORS.indexOf('outside')

/** The labels of something made from all the given parts. */
export function combine(parts: Iterable<Provenance | undefined>): Provenance {
  let level = 0
  let isPrivate = false
  const sources = new Set<string>()
  const outside = new Set<string>()
  for (const part of parts) {
    if (part === undefined) continue
    const found = AUTHORS.indexOf(part.author)
    // Plain JavaScript may misspell a label; the strictest one is used then.
    const rank = found < 0 ? OUTSIDE : found
    level = Math.max(level, rank)
    isPrivate ||= part.private !== false
    if (!Array.isArray(part.sources)) continue
    for (const source of part.sources) {
      sources.add(String(source))
      if (rank === OUTSIDE && part.outside?.includes(source) !== false) outside.add(String(source))
    }
  }
  if (level === 0 && !isPrivate && sources.size === 0) return BY_USER
  const labels = { author: AUTHORS[level]!, private: isPrivate, sources: [...sources] }
  if (level < OUTSIDE || outside.size === sources.size) return labels
  return { ...labels, outside: labels.sources.filter((source) => outside.has(source)) }
}

/** The sources for users, as a clause that follows "and"; undefined for the user's own words. */
export function originOf({ author, sources, outside = sources }: Provenance): string | undefined {
  if (author === 'user') return undefined
  if (author === 'own') return `what it is made from comes from your data, not from your words${listed(sources)}`
  const own = sources.filter((source) => !outside.includes(source))
  const rest = own.length === 0 ? '' : `, and from your data${listed(own)}`
  return `what it is made from comes in part from outside${listed(outside)}${rest}`
}

function listed(sources: readonly string[]): string {
  return sources.length === 0 ? '' : `: ${sources.join(', ')}`
}
