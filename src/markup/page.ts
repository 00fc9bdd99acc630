import { parseHTML } from 'linkedom'
import { withoutHidden } from './hidden.ts'
import { markStruckOut } from './struck-out.ts'
import { markSuperscripts } from './superscripts.ts'

/** Deeper than any page that somebody wrote; the parser takes long for each element that is deeper still. */
const DEEPEST = 100
/** They close each other, or hold nothing, so that what is never closed nests no deeper. */
const FLAT =
  /^<\/?(?:area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|param|source|tbody|td|tfoot|th|thead|tr|track|wbr)\b|\/>$/i
/**
 * Comments and tags as browsers end them, and elements whose content is no markup. A tag that never ends is one too, lest each
 * beginning of one is read to the end of the page.
 */
const ATTRIBUTES = String.raw`(?:=\s*(?:"[^"]*"|'[^']*')|=(?!\s*["'])|[^<>=])*`
const MARKUP = new RegExp(
  String.raw`<!--(?:-?>|[\s\S]*?(?:--!?>|$))|<[!?][^>]*>?|<(script|style|title|textarea)(?=[\s/>])${ATTRIBUTES}>[\s\S]*?(?:<\/\1\b|$)|<(\/?)[a-z]${ATTRIBUTES}>?`,
  'gi',
)

/** Without what takes much room and is never shown, but for the colours, superscripts and struck-out text that a style sheet gives. */
export function withoutUnshown(html: string): string {
  return html.replaceAll(MARKUP, (tag, given?: string) => {
    const name = given?.toLowerCase()
    if (name === undefined || name === 'textarea') return tag.startsWith('<!--') ? '' : tag
    const rules = name === 'style' ? tag.slice(tag.indexOf('>') + 1).split('}') : []
    const kept = rules.filter((rule) => /background|color|vertical-align|line-through/i.test(rule)).join('}')
    return `<${name}>${kept}</${name}`
  })
}

/**
 * A page or a piece of one as a DOM, without what no reader sees, superscripts as characters, struck-out text marked. Nothing in it is run or loaded:
 * linkedom has no such ability.
 */
export function parseVisiblePage(html: string): ReturnType<typeof parseHTML>['document'] {
  const page = /<html[\s>]/i.test(html.slice(0, 5_000)) ? html : `<html><body>${html}</body></html>`
  const { document } = parseHTML(flattened(page))
  withoutHidden(document.documentElement)
  markSuperscripts(document.documentElement)
  markStruckOut(document.documentElement)
  return document
}

/** Leaves out the tags of what is too deep, and keeps the text in it. */
function flattened(html: string): string {
  let depth = 0
  return html.replaceAll(MARKUP, (tag, _raw: unknown, close: string | undefined) => {
    if (close === undefined) return tag.startsWith('<!--') ? '' : tag
    if (!tag.endsWith('>')) return tag
    if (FLAT.test(tag)) return depth > DEEPEST ? ' ' : tag
    if (close === '') return ++depth > DEEPEST ? ' ' : tag
    depth = Math.max(0, depth - 1)
    return depth >= DEEPEST ? ' ' : tag
  })
}
