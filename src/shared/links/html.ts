import { renderedView } from './view.ts'

/** A part of a text to replace, or, without a replacement, to be skipped by later passes. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text?: string
  /** An address that went with it. */
  readonly removed?: string
}

/** Elements that only arrange text; without attributes they can load nothing. */
const PLAIN =
  /^(?:b|i|u|s|p|br|hr|em|strong|del|ins|sub|sup|code|pre|kbd|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|td|th|blockquote|h[1-6]|details|summary|mark|small|span|div|a)$/i
/** Elements that load, run or swallow something on their own. */
const ACTIVE =
  /^(?:a|img|image|script|style|iframe|frame|frameset|object|embed|applet|svg|math|link|meta|base|form|input|button|select|option|textarea|video|audio|source|track|picture|template|title|noscript|xmp|plaintext|portal|map|area|body|html|head|param|marquee|bgsound|isindex|keygen|noembed|noframes|layer|dialog)$/i

/** With no "<" in it: of two that begin, renderers and browsers may each take another one. */
const TAG = /^<(\/?)([a-z][^\s/<>]*)((?:"[^"<]*"|'[^'<]*'|[^'"<>])*)>/i
const MAX_TAG_CHARS = 4_000
const AUTOLINK = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)>/i
const ATTRIBUTE = /([^\s=/"'>]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g

/** Edits for the HTML of a text, so that no tag of it has an address that is not allowed. */
export function htmlEdits(text: string, isAllowed: (url: string) => boolean): Edit[] {
  const edits: Edit[] = []
  let anchors = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const rest = text.slice(at, at + MAX_TAG_CHARS)
    if (!/^<[a-z/!?]/i.test(rest)) continue
    const auto = AUTOLINK.exec(rest)
    if (auto !== null) {
      const end = at + auto[0].length
      edits.push({ start: at, end, ...(isAllowed(auto[1]!) ? {} : { text: '(link removed)', removed: auto[1]! }) })
      at = end - 1
      continue
    }
    const tag = TAG.exec(rest)
    const end = at + (tag?.[0] ?? /^<[!?](?:--[\s\S]*?--|[^>]*)>/.exec(rest)?.[0] ?? '').length
    if (end === at) {
      // Not closed: a browser would take everything up to the next ">" for its attributes.
      if (!/^<\/?\s/.test(rest)) edits.push({ start: at, end: at + 1, text: '< ' })
      continue
    }
    const [whole, slash, name = '!', attributes = ''] = tag ?? []
    const isAnchor = /^a$/i.test(name)
    let edit = tagText(name, slash === '/', attributes, isAllowed)
    if (isAnchor && slash === '/' && anchors === 0) edit = ''
    if (isAnchor && edit !== '') anchors += slash === '/' ? -1 : 1
    const isKept = edit === undefined || edit === whole
    const removed = isKept ? undefined : firstUrl(attributes)
    // A kept tag without attributes has no address to exempt from later passes.
    if (!isKept || attributes.includes('=')) {
      // The text after the address is cleaned like any other.
      if (isKept) edits.push({ start: at, end: at + whole!.indexOf('"', whole!.indexOf('"') + 1) })
      else edits.push({ start: at, end, text: edit!, ...(removed === undefined ? {} : { removed }) })
    }
    at = end - 1
  }
  return edits
}

/** The replacement of a tag; undefined if it is kept. */
function tagText(
  name: string,
  isClosing: boolean,
  attributes: string,
  isAllowed: (url: string) => boolean,
): string | undefined {
  const has = attributes.includes('=') || /["']/.test(attributes)
  if (isClosing || !has) {
    if (!PLAIN.test(name) && (ACTIVE.test(name) || name === '!')) return ''
    return has ? `</${name}>` : undefined
  }
  const values = new Map<string, string>()
  for (const [, key, double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    values.set(key!.toLowerCase(), renderedView(double ?? single ?? bare!).text)
  }
  const target = values.get(/^a$/i.test(name) ? 'href' : 'src')
  const safe =
    target !== undefined && isAllowed(target) && renderedView(target).text === target && /^(?:a|img)$/i.test(name)
  const alt = values.get('alt')
  if (!safe) {
    if (/^img$/i.test(name)) return escaped(alt ?? '')
    return PLAIN.test(name) && !/^a$/i.test(name) ? `<${name}>` : ''
  }
  if (/^a$/i.test(name)) return `<a href="${escaped(target)}">`
  return `<img src="${escaped(target)}"${alt === undefined ? '' : ` alt="${escaped(alt)}"`}>`
}

function firstUrl(attributes: string): string | undefined {
  return /[\w+.-]*:?[/\\]{2}[^\s"'<>]*|(?:javascript|data):[^\s"'<>]*/i.exec(renderedView(attributes).text)?.[0]
}

function escaped(text: string): string {
  return text.replace(/[<>"]/g, (char) => ({ '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char]!)
}
