import { parseHTML } from 'linkedom'
import { withoutHidden } from './hidden-elements.ts'
import { markStruckOut } from './strikethrough.ts'
import { markSuperscripts } from './superscripts.ts'

/** Deeper than any real page; the parser takes long for each deeper element. */
const MAX_DEPTH = 100
/** Elements that close each other or are empty, so that unclosed ones do not nest deeper. */
const FLAT =
  /^<\/?(?:area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|param|source|tbody|td|tfoot|th|thead|tr|track|wbr)\b|\/>$/i
/**
 * Comments and tags as browsers end them, and elements whose content is no markup. An unclosed tag counts as one, so
 * that the rest of the page is not scanned again from each beginning of a tag.
 */
const ATTRIBUTES = String.raw`(?:=\s*(?:"[^"]*"|'[^']*')|=(?!\s*["'])|[^<>=])*`
const MARKUP = new RegExp(
  String.raw`<!--(?:-?>|[\s\S]*?(?:--!?>|$))|<[!?][^>]*>?|<(script|style|title|textarea)(?=[\s/>])${ATTRIBUTES}>[\s\S]*?(?:<\/\1\b|$)|<(\/?)[a-z]${ATTRIBUTES}>?`,
  'gi',
)

/** Removes large invisible parts, except style sheet rules for colours, superscripts and struck-out text. */
export function withoutUnshown(html: string): string {
  return html.replaceAll(MARKUP, (tag, given?: string) => {
    const name = given?.toLowerCase()
    if (name === undefined || name === 'textarea') return tag.startsWith('<!--') ? '' : tag
    const rules = name === 'style' ? tag.slice(tag.indexOf('>') + 1).split('}') : []
    const relevantRules = rules.filter((rule) => /background|color|vertical-align|line-through/i.test(rule)).join('}')
    return `<${name}>${relevantRules}</${name}`
  })
}

/**
 * Parses a page or a part of one as a DOM, without content that no reader sees, with superscripts as characters and
 * struck-out text marked. Nothing in it is run or loaded; linkedom cannot do either.
 */
export function parseVisiblePage(html: string): ReturnType<typeof parseHTML>['document'] {
  const page = /<html[\s>]/i.test(html.slice(0, 5_000)) ? html : `<html><body>${html}</body></html>`
  const { document } = parseHTML(flattened(page))
  withoutHidden(document.documentElement)
  markSuperscripts(document.documentElement)
  markStruckOut(document.documentElement)
  return document
}

/** Removes the tags of elements that are too deep, and keeps their text. */
function flattened(html: string): string {
  let depth = 0
  return html.replaceAll(MARKUP, (tag, _raw: unknown, close: string | undefined) => {
    if (close === undefined) return tag.startsWith('<!--') ? '' : tag
    if (!tag.endsWith('>')) return tag
    if (FLAT.test(tag)) return depth > MAX_DEPTH ? ' ' : tag
    if (close === '') return ++depth > MAX_DEPTH ? ' ' : tag
    depth = Math.max(0, depth - 1)
    return depth >= MAX_DEPTH ? ' ' : tag
  })
}
