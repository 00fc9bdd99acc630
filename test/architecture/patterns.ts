import { parseSync, Visitor } from 'oxc-parser'
import { checkSync } from 'recheck/lib/browser.js'

/** A regular expression literal of a source file. */
export interface Pattern {
  readonly source: string
  readonly flags: string
  readonly line: number
}

/**
 * Patterns with two repetitions or more: with only one, time is at most quadratic. Patterns that match at each line start count with
 * any repetition, because they run on a whole text of any length.
 */
export function repeatingPatterns(fileName: string, text: string): Pattern[] {
  const found: Pattern[] = []
  const visitor = new Visitor({
    Literal: (node) => {
      if (!('regex' in node)) return
      const bare = node.regex.pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'x')
      if ((bare.match(/[*+]|\{\d+,\d*\}/g) ?? []).length < (node.regex.flags.includes('m') ? 1 : 2)) return
      const line = text.slice(0, node.start).split('\n').length
      found.push({ source: node.regex.pattern, flags: node.regex.flags, line })
    },
  })
  visitor.visit(parseSync(fileName, text).program)
  return found
}

/**
 * Returns how the time of a pattern grows with its input, if that is exponential or a polynomial of degree 3 or more.
 * Quadratic patterns pass, because rules read at most `MAX_RULE_TEXT` characters, except those that match at each line start.
 * Patterns with features that the checker does not support, or that take it longer than `timeoutMs`, are not judged.
 */
export function growthOf({ source, flags }: Pattern, timeoutMs = 200): string | undefined {
  const isOfLines = flags.includes('m')
  // The checker does not support lookaheads.
  const judged = isOfLines ? source.replace(/\(\?<?[=!](?:\\.|\[(?:\\.|[^\]\\])*\]|[^()\\])*\)/g, '') : source
  let complexity: { readonly type: string; readonly degree?: number; readonly summary: string } | undefined
  try {
    const found = checkSync(judged, flags, { checker: 'automaton', timeout: timeoutMs })
    complexity = found.status === 'unknown' ? undefined : found.complexity
  } catch (error) {
    // The checker recurses once per repetition of a pattern.
    if (error instanceof RangeError) return undefined
    throw error
  }
  if (complexity?.type === 'exponential' || (complexity?.degree ?? 0) > (isOfLines ? 1 : 2)) return complexity!.summary
  return undefined
}
