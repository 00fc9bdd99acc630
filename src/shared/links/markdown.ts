import type { Edit } from './html.ts'
import { isAbsolute } from './urls.ts'
import { renderedView, type View } from './view.ts'

/** Maximum characters of a label, or of a target with its title; longer ones are no links. */
const MAX_CHARS = 1_500

interface Target {
  readonly url: string
  /** Of the target itself, with its angle brackets. */
  readonly from: number
  readonly to: number
  /** Position after the closing parenthesis; undefined without one. */
  readonly end: number | undefined
}

/** A label that no renderer interprets, so that every renderer takes the following target for a link. */
const SURE = /^[^[\]`<|\n\\]*$/

/**
 * Edits for the inline links and images of a text, `[label](target "title")`. An allowed target is rewritten as the
 * exact URL that was checked; its label and title are cleaned as text.
 */
export function linkEdits(view: View, isAllowed: (url: string) => boolean): Edit[] {
  const { text, from, to } = view
  const edits: Edit[] = []
  for (let at = text.indexOf(']('); at >= 0; at = text.indexOf('](', at + 2)) {
    const target = targetAt(text, at + 2)
    const { url, end } = target
    if (end === at + 3) continue
    const open = openingOf(text, at)
    const isImage = open !== undefined && text[open - 1] === '!'
    if (url.startsWith('#') && !isImage) continue
    const isWhole = /^[)\s]?$/.test(text.charAt(target.to))
    if (isWhole && isStable(url) && isAllowed(url)) {
      edits.push(...allowedEdits(view, open, at, target))
      continue
    }
    if (end !== undefined && open !== undefined && !isImage && !isAbsolute(url) && !/\w/.test(text[open - 1] ?? ' ')) {
      // A file: the label and the name are kept.
      const name = text.slice(open + 1, at) === url ? '' : ` (${url})`
      edits.push({ start: from[open]!, end: to[open]!, text: '' }, { start: from[at]!, end: to[end - 1]!, text: name })
      continue
    }
    if (end === undefined || (!isAbsolute(url) && !isImage)) {
      // Two pieces of text, as in code; without a link between them.
      edits.push({ start: to[at]!, end: to[at]!, text: ' ' })
      continue
    }
    if (open !== undefined) {
      const start = isImage ? open - 1 : open
      edits.push({ start: from[start]!, end: to[open]!, text: '' })
    }
    edits.push({ start: from[at]!, end: to[end - 1]!, text: '', removed: url })
  }
  return edits
}

function allowedEdits(
  { original, text, from, to }: View,
  open: number | undefined,
  at: number,
  target: Target,
): Edit[] {
  // Includes the end of the target, which may be an escape or a reference that does not end it for a renderer.
  const [start, end] = [from[at]!, to[target.to] ?? original.length]
  const written = text.slice(at, at + 2) + text.slice(target.from, target.to + 1)
  if (original.slice(start, end) !== written) return [{ start, end, text: written }]
  const isSure = open !== undefined && SURE.test(original.slice(to[open]!, start)) && original[from[open]!] === '['
  if (isSure && original[from[open]! - 1] !== '\\') return [{ start, end: end - 1 }]
  // For a renderer that sees no link here, the following text would belong to the address.
  const isLoose = /[^\s.,;:!?)\]*_"']/.test(original.slice(end, end + 1))
  return text[target.to] === ')' && isLoose ? [{ start: end, end, text: ' ' }] : []
}

/** Whether an address in Markdown is read as just that. */
function isStable(url: string): boolean {
  return !/[\s<>\\]/.test(url) && renderedView(url).text === url
}

function targetAt(text: string, start: number): Target {
  const rest = text.slice(start, start + MAX_CHARS)
  const lead = /^[ \t\r\n]*/.exec(rest)![0].length
  const angled = /^<([^<>\n]*)>/.exec(rest.slice(lead))
  const url = angled?.[1] ?? plainTarget(rest.slice(lead))
  const urlEnd = lead + (angled?.[0].length ?? url.length)
  const close = /^\s*(?:"[^"]*"|'[^']*'|\([^()]*\))?\s*\)/.exec(rest.slice(urlEnd))
  const end = close === null ? undefined : start + urlEnd + close[0].length
  return { url, from: start + lead, to: start + urlEnd, end }
}

/** Up to a space, or to the parenthesis that closes the link. */
function plainTarget(text: string): string {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (/[ \t\r\n]/.test(char)) return text.slice(0, i)
    if (char === '(') depth++
    if (char === ')' && --depth < 0) return text.slice(0, i)
  }
  return text
}

/** The opening bracket of the one at `close`. */
function openingOf(text: string, close: number): number | undefined {
  let depth = 0
  for (let i = close - 1; i >= Math.max(0, close - MAX_CHARS); i--) {
    if (text[i] === ']') depth++
    if (text[i] === '[' && --depth < 0) return i
  }
  return undefined
}

/** With the target and the space behind it. */
const DEFINITION = /\]:(?=([ \t\r\n]{0,99}(?:<([^<>\n]{0,1500})>|([^ \t\r\n]{0,1500}))[ \t\r\n]?))/g
/** The label of a definition starts a line, possibly of a list or quotation, and contains no empty line. */
const LABEL = /(?:^|\n)[ \t>*+\-\d.)]*\[(?:(?!\n[ \t]*\n)[^])*$/
const MAX_LABEL = 1_100
/**
 * Prose after the label, as in a footnote: a new paragraph or several words, rather than a target alone or with its
 * title.
 */
const PROSE = /^(?:[ \t]*\n[ \t]*\n|[ \t]+[^\s<]\S*[ \t]+[^\s"'(])/

/** Edits for definitions of links, `[label]: target "title"`: definitions without an allowed target are disabled. */
export function definitionEdits({ original, text, from, to }: View, isAllowed: (url: string) => boolean): Edit[] {
  return [...text.matchAll(DEFINITION)].flatMap(({ index, 1: rest, 2: angled, 3: plain }): Edit[] => {
    const [start, end] = [from[index]!, from[index + 2 + rest!.length] ?? original.length]
    if (!LABEL.test(text.slice(Math.max(0, index - MAX_LABEL), index))) return []
    const url = angled ?? plain!
    if (url.length < MAX_CHARS && isStable(url) && isAllowed(url)) {
      const text = `]:${rest}`
      return original.slice(start, end) === text ? [] : [{ start, end, text }]
    }
    if (PROSE.test(original.slice(to[index + 1], to[index + 1]! + MAX_CHARS))) return []
    return [{ start: to[index]!, end: to[index]!, text: ' ' }]
  })
}
