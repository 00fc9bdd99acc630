/** The part of a DOM that is looked at; linkedom's own types leave much open. */
interface Node {
  readonly nodeType: number
  readonly nodeName: string
  readonly firstChild: Node | null
  readonly nextSibling: Node | null
  readonly parentNode: Node | null
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  remove(): void
}

/** How text looks in an element, as far as its own attributes and those around it say. */
interface Look {
  readonly isTiny: boolean
  readonly isUnseen: boolean
  readonly colour: Colour
  /** What is behind it. */
  readonly ground: Colour
}

/** Red, green and blue; a name that is none of them; undefined where nobody knows. */
type Colour = readonly number[] | 'none' | undefined

const ELEMENT = 1
const TEXT = 3
const WHITE: Colour = [255, 255, 255]
const PLAIN: Look = { isTiny: false, isUnseen: false, colour: undefined, ground: WHITE }
/** Per channel; nobody sees the difference. */
const ALIKE = 16

/**
 * Takes out of a page what no reader sees, since it is written for machines alone: hidden elements, text without size, and text in
 * the colour of its ground. In one walk without recursion. What only a style sheet says is not known, so text on a ground that
 * one may colour stays.
 */
export function withoutHidden(root: unknown): void {
  const top = root as Node
  const looks: Look[] = [PLAIN]
  const gone: Node[] = []
  let isStyled = false
  let node: Node | null = top.firstChild
  while (node !== null && node !== top) {
    const look = looks.at(-1)!
    if (node.nodeType === TEXT && isInvisible(look)) gone.push(node)
    else if (node.nodeType === ELEMENT) {
      isStyled ||= /^(?:style|link)$/i.test(node.nodeName)
      const style = (node.getAttribute('style') ?? '').slice(0, 2_000)
      if (isHidden(node, style)) gone.push(node)
      else if (node.firstChild !== null) {
        looks.push(lookIn(node, style, look, isStyled))
        node = node.firstChild
        continue
      }
    }
    while (node !== null && node !== top && node.nextSibling === null) {
      node = node.parentNode
      looks.pop()
    }
    if (node !== null && node !== top) node = node.nextSibling
  }
  for (const each of gone) each.remove()
}

function isHidden(node: Node, style: string): boolean {
  if (node.hasAttribute('hidden') || node.getAttribute('aria-hidden') === 'true') return true
  return /(?:^|[;\s])(?:display\s*:\s*none|opacity\s*:\s*0*\.?0*\s*(?:[;!]|$)|mso-hide\s*:\s*all)/i.test(style)
}

function isInvisible({ isTiny, isUnseen, colour, ground }: Look): boolean {
  if (isTiny || isUnseen || colour === 'none') return true
  if (colour === undefined || ground === undefined || ground === 'none') return false
  return colour.every((channel, i) => Math.abs(channel - ground[i]!) <= ALIKE)
}

function lookIn(node: Node, style: string, around: Look, isStyled: boolean): Look {
  const size = valueOf(style, 'font-size')
  const visibility = valueOf(style, 'visibility')
  const colour = valueOf(style, 'color') ?? node.getAttribute('color') ?? undefined
  const ground = valueOf(style, 'background(?:-color)?') ?? node.getAttribute('bgcolor') ?? undefined
  const mayBeStyled = isStyled && (node.hasAttribute('class') || node.hasAttribute('id'))
  return {
    isTiny: size === undefined ? around.isTiny : /^(?:[01]?(?:\.\d+)?\s*(?:px|pt)|0*\.?0*(?:%|r?em)?)$/i.test(size),
    isUnseen: visibility === undefined ? around.isUnseen : /^(?:hidden|collapse)/i.test(visibility),
    colour: colour === undefined ? around.colour : colourOf(colour),
    ground: ground === undefined ? (mayBeStyled ? undefined : around.ground) : groundOf(ground, around),
  }
}

function valueOf(style: string, property: string): string | undefined {
  const [last] = [...style.matchAll(new RegExp(`(?:^|;)\\s*${property}\\s*:([^;]*)`, 'gi'))].slice(-1)
  return last?.[1]!.replace(/!\s*important/i, '').trim()
}

function groundOf(text: string, around: Look): Colour {
  const colour = /url\s*\(|gradient/i.test(text) ? undefined : colourOf(text)
  return colour === 'none' ? around.ground : colour
}

function colourOf(text: string): Colour {
  const value = text.trim().toLowerCase()
  if (/^(?:transparent|none)$|^rgba\([^)]*,\s*0*\.?0*\s*\)$/.test(value)) return 'none'
  if (/^white\b/.test(value)) return WHITE
  if (/^black\b/.test(value)) return [0, 0, 0]
  const hex = /^#?([\da-f]{6}|[\da-f]{3})\b/.exec(value)?.[1]
  if (hex !== undefined)
    return (hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex).match(/../g)!.map((two) => parseInt(two, 16))
  const channels = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/.exec(value)?.slice(1)
  return channels?.map(Number)
}
