import { ELEMENT, TEXT, walkPage, type PageNode } from './page-node.ts'

/** The style of text in an element, from its own attributes and those of its ancestors. */
interface Look {
  readonly isTiny: boolean
  readonly isIndented: boolean
  readonly isUnseen: boolean
  readonly colour: Colour
  /** The background behind it. */
  readonly ground: Colour
}

/** Red, green and blue; `none` for other names; undefined if unknown. */
type Colour = readonly number[] | 'none' | undefined

const WHITE: Colour = [255, 255, 255]
const PLAIN: Look = { isTiny: false, isIndented: false, isUnseen: false, colour: undefined, ground: WHITE }
/** Maximum difference per channel that is invisible. */
const ALIKE = 16

/**
 * Removes content of a page that no reader sees, since it is addressed to machines: hidden elements, text without size,
 * and text in the colour of its background. Of a style sheet only the elements whose
 * colours and backgrounds it may set are known; text with unknown colours is kept.
 */
export function withoutHidden(root: unknown): void {
  const top = root as PageNode
  const looks: Look[] = [PLAIN]
  const hiddenNodes: PageNode[] = []
  const sheet = sheetOf(top)
  walkPage(
    top,
    (node) => {
      const look = looks.at(-1)!
      if (node.nodeType === TEXT && isInvisible(look)) hiddenNodes.push(node)
      if (node.nodeType !== ELEMENT) return false
      const style = declarationsIn(node.getAttribute('style') ?? '')
      if (isHidden(node, style)) {
        hiddenNodes.push(node)
        return false
      }
      looks.push(lookIn(node, style, look, sheet))
      return true
    },
    () => looks.pop(),
  )
  for (const each of hiddenNodes) each.remove()
}

/** Elements whose colours a style sheet may set, by name; `*` means those with a class or an id. */
interface Sheet {
  readonly colours: ReadonlySet<string>
  readonly grounds: ReadonlySet<string>
}

function sheetOf(top: PageNode): Sheet {
  const links = [...top.querySelectorAll('link')].map(() => '*')
  const rules = [...top.querySelectorAll('style')].flatMap((style) => {
    return (style.textContent ?? '').split('}').map((rule) => rule.split('{'))
  })
  const names = (property: RegExp): Set<string> => {
    const selectors = rules.filter((rule) => property.test(rule.at(-1)!)).map((rule) => rule.at(-2) ?? '')
    const elementNames = selectors.flatMap(
      (selector) => selector.toLowerCase().match(/(?<![\w.#:-])[a-z][\w-]*/g) ?? [],
    )
    return new Set([...links, ...(rules.length > 0 ? ['*'] : []), ...elementNames])
  }
  return { colours: names(/(?<!-)color\s*:/i), grounds: names(/background/i) }
}

function isSetBy(names: ReadonlySet<string>, node: PageNode): boolean {
  if (names.has(node.nodeName.toLowerCase())) return true
  return names.has('*') && (node.hasAttribute('class') || node.hasAttribute('id'))
}

interface Declaration {
  readonly property: string
  readonly value: string
}

/** In order of precedence, later ones win. */
function declarationsIn(style: string): Declaration[] {
  if (style === '') return []
  const all = style
    .replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .toLowerCase()
    .split(';')
  const read = all.map((text) => {
    const [property = '', ...rest] = text.split(':')
    const [value = '', important] = rest.join(':').split('!')
    return { property: property.trim(), value: value.trim(), isFirm: important?.trim() === 'important' }
  })
  return [...read.filter(({ isFirm }) => !isFirm), ...read.filter(({ isFirm }) => isFirm)]
}

function valueOf(style: readonly Declaration[], ...properties: string[]): string | undefined {
  return style.findLast(({ property }) => properties.includes(property))?.value
}

/** Farther than any page is wide. */
const FAR = /^-\d{3,}(?:\.\d+)?(?:px|pt|r?em|%|vw)$/

function isHidden(node: PageNode, style: readonly Declaration[]): boolean {
  if (node.getAttribute('aria-hidden')?.toLowerCase() === 'true') return true
  if (style.length === 0) return node.hasAttribute('hidden')
  const value = (property: string): string => valueOf(style, property) ?? ''
  const display = value('display')
  if (display === 'none' || (node.hasAttribute('hidden') && !/^(?:block|inline|flex|grid|table|list)/.test(display))) {
    return true
  }
  const opacity = /^([\d.]+)(%?)$/.exec(value('opacity'))
  if (opacity !== null && Number(opacity[1]) <= (opacity[2] === '' ? 0.05 : 5)) return true
  const isClipped = /^(?:hidden|clip)/.test(value('overflow'))
  if (isClipped && [value('height'), value('max-height'), value('width'), value('max-width')].some(isNothing))
    return true
  const isAside = /^(?:absolute|fixed)$/.test(value('position'))
  if (isAside && ['left', 'top', 'right', 'bottom'].some((side) => FAR.test(value(side)))) return true
  if (isAside && /^rect\(\s*[01](?:px)?(?:[\s,]+[01](?:px)?){3}[\s,]*\)$/.test(value('clip'))) return true
  return (
    /^inset\(\s*(?:[5-9]\d|100)%\s*\)$|^circle\(\s*0\w*\s*\)$/.test(value('clip-path')) ||
    /\bscale\(\s*0?\.?0*\s*\)/.test(value('transform')) ||
    value('mso-hide') === 'all'
  )
}

function isNothing(length: string): boolean {
  return /^0(?:\.0*)?(?:px|pt|r?em|%)?$/.test(length)
}

/** Whether the size in `font-size` or `font` is too small to read. */
function isTinySize(value: string): boolean {
  const [, number, unit] = /(?:^|\s)(?:(\d*\.?\d+)(px|pt|r?em|%)|0+(?:\.0*)?)(?=[\s/]|$)/.exec(value) ?? ['', '9', 'px']
  if (number === undefined) return true
  return Number(number) <= (unit === '%' ? 10 : unit === 'px' || unit === 'pt' ? 2 : 0.1)
}

function isInvisible({ isTiny, isIndented, isUnseen, colour, ground }: Look): boolean {
  if (isTiny || isIndented || isUnseen || colour === 'none') return true
  if (colour === undefined || ground === undefined || ground === 'none') return false
  return colour.every((channel, i) => Math.abs(channel - ground[i]!) <= ALIKE)
}

function lookIn(node: PageNode, style: readonly Declaration[], around: Look, sheet: Sheet): Look {
  const size = valueOf(style, 'font-size', 'font')
  const indent = valueOf(style, 'text-indent')
  const visibility = valueOf(style, 'visibility')
  const colour = valueOf(style, 'color')
  return {
    isTiny: size === undefined ? around.isTiny : isTinySize(size),
    isIndented: indent === undefined ? around.isIndented : FAR.test(indent),
    isUnseen: visibility === undefined ? around.isUnseen : /^(?:hidden|collapse)/.test(visibility),
    colour: colour === undefined ? colourAround(node, around, sheet) : colourOf(colour),
    ground: groundOf(node, style, around, sheet),
  }
}

function colourAround(node: PageNode, around: Look, sheet: Sheet): Colour {
  if (isSetBy(sheet.colours, node)) return undefined
  const own = node.getAttribute('color')
  return own === null ? around.colour : colourOf(own)
}

function groundOf(node: PageNode, style: readonly Declaration[], around: Look, sheet: Sheet): Colour {
  const own = valueOf(style, 'background', 'background-color')
  const isPainted = style.some(
    ({ property, value }) => property.startsWith('background') && /url\s*\(|gradient/.test(value),
  )
  if (isPainted || node.hasAttribute('background') || (own === undefined && isSetBy(sheet.grounds, node)))
    return undefined
  const text = own ?? node.getAttribute('bgcolor')
  const colour = text === null ? 'none' : colourOf(text)
  return colour === 'none' ? around.ground : colour
}

/** Names of colours close to white, and black; text is not hidden in other named colours in practice. */
const NAMED: Readonly<Record<string, Colour>> = {
  black: [0, 0, 0],
  ...Object.fromEntries(
    'white snow ivory ghostwhite floralwhite mintcream azure whitesmoke honeydew aliceblue'
      .split(' ')
      .map((name) => [name, WHITE]),
  ),
}

function colourOf(text: string): Colour {
  const value = text.trim().toLowerCase()
  if (/^(?:transparent|none)$/.test(value)) return 'none'
  const name = /^[a-z]+\b(?!\()/.exec(value)?.[0] ?? ''
  if (Object.hasOwn(NAMED, name)) return NAMED[name]
  const hex = /^#?([\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b/.exec(value)?.[1]
  if (hex !== undefined) {
    const pairs = (hex.length < 6 ? hex.replaceAll(/./g, '$&$&') : hex).match(/../g)!.map((two) => parseInt(two, 16))
    return pairs[3] !== undefined && pairs[3] <= ALIKE ? 'none' : pairs.slice(0, 3)
  }
  const [, kind, list] = /^(rgb|hsl)a?\(([^()]*)\)/.exec(value) ?? []
  if (list === undefined) return undefined
  const [a = NaN, b = NaN, c = NaN, alpha = 1] = list
    .split(/[\s,/]+/)
    .filter((part) => part !== '')
    .map((part, i) => parseFloat(part) * (part.endsWith('%') ? (i < 3 && kind === 'rgb' ? 2.55 : 0.01) : 1))
  if (alpha <= 0.05) return 'none'
  if (kind === 'rgb') return Number.isNaN(a + b + c) ? undefined : [a, b, c]
  return c >= 0.97 ? WHITE : c <= 0.03 ? [0, 0, 0] : undefined
}
