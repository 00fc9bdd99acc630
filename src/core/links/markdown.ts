import type { Edit } from './html.ts'
import { isAbsolute } from './urls.ts'
import { isPlain, type View } from './view.ts'

/** Characters of a label, or of a target with its title; what is longer is no link. */
const LONGEST = 1_500

interface Target {
  readonly url: string
  /** Behind the target and its title, after the closing parenthesis; undefined when there is none. */
  readonly end: number | undefined
}

/** What has to change in the inline links and images of a text, `[label](target "title")`. */
export function linkEdits(view: View, isAllowed: (url: string) => boolean): Edit[] {
  const { text, from, to } = view
  const edits: Edit[] = []
  for (let at = text.indexOf(']('); at >= 0; at = text.indexOf('](', at + 2)) {
    const { url, end } = targetAt(text, at + 2)
    if (url === '' || url.startsWith('#')) continue
    const open = openingOf(text, at)
    if (end !== undefined && isAllowed(url)) {
      const isSure = open !== undefined && isPlain(view, open) && isPlain(view, at) && isPlain(view, end - 1)
      if (isSure && !/[`<]|\n\s*\n/.test(text.slice(open, at))) edits.push({ start: from[at]!, end: to[end - 1]! })
      continue
    }
    const isImage = open !== undefined && text[open - 1] === '!'
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

function targetAt(text: string, start: number): Target {
  const rest = text.slice(start, start + LONGEST)
  const lead = /^\s*/.exec(rest)![0].length
  const angled = /^<([^<>\n]*)>/.exec(rest.slice(lead))
  const url = angled?.[1] ?? plainTarget(rest.slice(lead))
  const after = lead + (angled?.[0].length ?? url.length)
  const close = /^\s*(?:"[^"]*"|'[^']*'|\([^()]*\))?\s*\)/.exec(rest.slice(after))
  return { url, end: close === null ? undefined : start + after + close[0].length }
}

/** Up to a space, or to the parenthesis that closes the link. */
function plainTarget(text: string): string {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (/\s/.test(char)) return text.slice(0, i)
    if (char === '(') depth++
    if (char === ')' && --depth < 0) return text.slice(0, i)
  }
  return text
}

/** The bracket that the one at `close` belongs to. */
function openingOf(text: string, close: number): number | undefined {
  let depth = 0
  for (let i = close - 1; i >= Math.max(0, close - LONGEST); i--) {
    if (text[i] === ']') depth++
    if (text[i] === '[' && --depth < 0) return i
  }
  return undefined
}

const DEFINITION =
  /^([ \t>*+\-\d.)]*)\[([^[\]]+)\]:\s*(?:<([^<>\n]*)>|(\S+))(?=([ \t]*(?:\n[ \t]*)?(?:"[^"]*"|'[^']*'|\([^()]*\))?[ \t]*(?:\n|$))?)/gm

/** What has to change in definitions of links, `[label]: target "title"`, which stand anywhere in a text. */
export function definitionEdits({ text, from, to }: View, isAllowed: (url: string) => boolean): Edit[] {
  return [...text.matchAll(DEFINITION)].flatMap((match): Edit[] => {
    const [whole, lead, label, angled, plain, tail] = match
    const url = angled ?? plain!
    if (isAllowed(url)) return []
    const colon = text.indexOf(']:', match.index + lead!.length + label!.length) + 1
    if (!isAbsolute(url)) {
      const isFootnote = label!.startsWith('^')
      return isFootnote || tail === undefined ? [] : [{ start: from[colon]!, end: from[colon]!, text: ' ' }]
    }
    const start = match.index + lead!.length
    const end = match.index + whole.length + (tail ?? '').replace(/\n$/, '').length
    return [{ start: from[start]!, end: to[end - 1]!, text: '', removed: url }]
  })
}
