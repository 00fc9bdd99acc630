import { ruleText } from '../../shared/rule-text.ts'
import { MASK, maskForeign } from './mask.ts'

/** The name of a tool in a text, and its position. */
export interface NamedTool {
  /** The full name, as the tool is bound. */
  readonly name: string
  readonly start: number
  readonly end: number
}

/** A tool's name without its server. */
export function plainName(name: string): string {
  return name.replace(/^mcp:[^/]*\//, '')
}

/**
 * The tools that a text names: `get-sum`, `everything/get-sum` or `mcp:everything/get-sum`. Servers choose their tools'
 * names and could claim any question with a name such as `2025` or `e-mail`. So a name counts only with its server,
 * with an underscore or a colon between letters, with a field after it (`get-sum a=2`), or after a word such as “call”.
 * Quoted text names no tool unless it is only the name and not the value of a field.
 */
export function toolsNamed(whole: string, names: readonly string[]): NamedTool[] {
  const text = ruleText(whole)
  const lower = text.toLowerCase()
  const own = maskForeign(
    text.replaceAll(/["“`]([\w:/.-]+)["”`]/g, (whole, name: string) => ` ${name} `.slice(0, whole.length)),
  )
  return names.flatMap((name) => {
    const plain = plainName(name)
    // Making a pattern takes long, and most names are in no text.
    if (!/\p{L}/u.test(plain) || !lower.includes(plain.toLowerCase())) return []
    return [...text.matchAll(patternOf(name, plain))].flatMap((match) => {
      const [at, after] = [match.index, match.index + match[0].length]
      const isQuoted = /["“`]/.test(text[at - 1] ?? '') && /["”`]/.test(text[after] ?? '')
      const [start, end] = isQuoted ? [at - 1, after + 1] : [at, after]
      const isName = match[0].length > plain.length || /\p{L}[_:]+\p{L}/u.test(plain) || isCalled(text, start, end)
      return isName && !own.slice(start, end).includes(MASK) ? [{ name, start, end }] : []
    })
  })
}

function patternOf(name: string, plain: string): RegExp {
  const server = name.slice('mcp:'.length, -plain.length)
  const before = name === plain ? '' : String.raw`(?:(?:mcp:)?${escaped(server)})?`
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}_\-./\\:]|[=:]\s*["“\x60]?)${before}${escaped(plain)}(?![\p{L}\p{N}_\-/\\]|[.:][\p{L}\p{N}]|=)`,
    'giu',
  )
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** At the start of a request. “How often did we call customers?” calls no tool. */
const HEAD =
  /(?:^|[.,;:!?\n(–-]\s*|\b(?:and|then|please|also|now|first|next|you|not|never)\s+)(?:(?:call|invoke)(?: the)?(?: tool)?)\s+$/i
const USED = /\b(?:use|using|run|execute)\s+(?:the\s+)?$/i
const AROUND = 80

function isCalled(text: string, start: number, end: number): boolean {
  const [before, after] = [text.slice(Math.max(0, start - AROUND), start), text.slice(end, end + AROUND)]
  if (HEAD.test(before) || /\btool\s+$/i.test(before) || /^\s+tool\b/i.test(after)) return true
  const isWritten = /[-./]|\p{Ll}\p{Lu}/u.test(text.slice(start, end))
  return /^\s+[\p{L}_][\p{L}\p{N}_-]*=/u.test(after) || (isWritten && USED.test(before))
}
