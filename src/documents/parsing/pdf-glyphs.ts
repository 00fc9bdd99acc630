import { struckOut } from '../../domain/strikethrough.ts'
import type { Rule, Rules } from './pdf-grid.ts'
import type { TextItem } from './pdf-lines.ts'

/** Drawing operators of a page in order, with their arguments, as listed by PDF.js. */
export interface Drawing {
  readonly fnArray: readonly number[]
  readonly argsArray: readonly (readonly unknown[] | null)[]
}
/** Operator numbers by name. */
export type Operators = Readonly<Record<string, number>>

interface Glyph extends TextItem {
  isStruckOut: boolean
}
interface Drawn {
  readonly glyphs: readonly Glyph[]
  readonly rules: Rules
}

/** @see ISO 32000-1, 8.3.3 */
type Matrix = readonly number[]
/** Maximum number of rules of a page; each is compared with all glyphs. */
const MAX_RULES = 2000
/** In points. */
const MAX_RULE_HEIGHT = 2
/** Maximum offset of a glyph drawn twice for bold, in font sizes. */
const MAX_BOLD_OFFSET = 0.1
/** Height of a strikethrough above the baseline, in font sizes. */
const MIN_RISE = 0.15
const MAX_RISE = 0.5
/** Maximum gap between the letters of a word, and between words, in font sizes. */
const MAX_GAP = 0.12
const MAX_WORD_GAP = 0.6
/** Minimum share of a strikethrough that covers letters. Lines of tables and charts extend beyond them. */
const MIN_COVER = 0.8

/**
 * Extracts text by glyph, for cases that PDF.js merges: glyphs drawn twice for bold are merged, and glyphs under a
 * strikethrough are marked as struck out. No items if the page has neither. Also returns the lines that it draws.
 */
export function readDrawing(
  drawing: Drawing,
  operators: Operators,
): { readonly items: TextItem[] | undefined; readonly rules: Rules } {
  const { glyphs, rules } = drawnIn(drawing, operators)
  const unique = withoutRepeated(glyphs)
  for (const rule of rules.horizontal.slice(0, MAX_RULES)) strikeOut(unique, rule)
  const isPlain = unique.length === glyphs.length && !unique.some(({ isStruckOut }) => isStruckOut)
  return { items: isPlain ? undefined : runsOf(unique), rules }
}

function strikeOut(glyphs: readonly Glyph[], { at: y, from: x0, to: x1 }: Rule): void {
  const under = glyphs.filter((glyph) => {
    const rise = (y - glyph.y) / glyph.size
    const middle = glyph.x + glyph.width / 2
    return rise >= MIN_RISE && rise <= MAX_RISE && middle > x0 && middle < x1
  })
  const covered = under.reduce((sum, { width }) => sum + width, 0)
  if (covered >= (x1 - x0) * MIN_COVER) for (const glyph of under) glyph.isStruckOut = true
}

function withoutRepeated(glyphs: readonly Glyph[]): Glyph[] {
  const drawn = new Set<string>()
  return glyphs.filter(({ text, x, y, size }) => {
    const step = MAX_BOLD_OFFSET * size
    const [column, row, sign] = [Math.round(x / step), Math.round(y / step), `${text} ${size.toFixed(2)}`]
    const neighbours = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((up) => `${sign} ${column + right} ${row + up}`))
    if (neighbours.some((place) => drawn.has(place))) return false
    drawn.add(`${sign} ${column} ${row}`)
    return true
  })
}

/** Glyphs in the order in which they are drawn, but those of a line from left to right, unless they overlap. */
function sortGlyphs(glyphs: readonly Glyph[]): Glyph[] {
  const lines = new Map<number, Glyph[]>()
  for (const glyph of glyphs) {
    const line = lines.get(glyph.y)
    if (line === undefined) lines.set(glyph.y, [glyph])
    else line.push(glyph)
  }
  const remaining = new Map<number, Glyph[]>()
  for (const [y, line] of lines) {
    const sorted = line.toSorted((a, b) => a.x - b.x)
    const isOverlapping = sorted.some(({ x, size }, i) => i > 0 && x - endOf(sorted[i - 1]!) < -MAX_GAP * size)
    remaining.set(y, (isOverlapping ? line : sorted).toReversed())
  }
  return glyphs.map(({ y }) => remaining.get(y)!.pop()!)
}

function endOf({ x, width }: Glyph): number {
  return x + width
}

/** Glyphs and words that follow each other as one piece. */
function runsOf(glyphs: readonly Glyph[]): TextItem[] {
  const runs: { -readonly [K in keyof Glyph]: Glyph[K] }[] = []
  for (const glyph of sortGlyphs(glyphs)) {
    const run = runs.at(-1)
    const gap = run === undefined ? Infinity : (glyph.x - run.x - run.width) / glyph.size
    const isSame = run?.y === glyph.y && run.size === glyph.size && run.isStruckOut === glyph.isStruckOut
    if (!isSame || gap < -MAX_GAP || gap > MAX_WORD_GAP) runs.push({ ...glyph })
    else {
      const text = `${run.text}${gap > MAX_GAP ? ' ' : ''}${glyph.text}`
      Object.assign(run, { text, width: glyph.x + glyph.width - run.x })
    }
  }
  return runs.map(({ isStruckOut, text, ...place }) => ({ ...place, text: isStruckOut ? struckOut(text) : text }))
}

/** Interprets the operators of a page that place text and lines. @see ISO 32000-1, 8.3.2, 9.4 */
function drawnIn({ fnArray, argsArray }: Drawing, ops: Operators): Drawn {
  const glyphs: Glyph[] = []
  const [horizontal, vertical]: [Rule[], Rule[]] = [[], []]
  const stack: { page: Matrix; text: TextState }[] = []
  let page: Matrix = IDENTITY
  let text: TextState = { size: 0, scale: 1, apart: 0, wordsApart: 0, rise: 0, leading: 0 }
  let line: Matrix = IDENTITY
  let at: Matrix = IDENTITY
  const moveLine = (x: number, y: number): void => void (at = line = times([1, 0, 0, 1, x, y], line))
  const show = (shown: readonly (ShownGlyph | number | null)[]): void => {
    for (const glyph of shown) {
      if (typeof glyph === 'number') at = times([1, 0, 0, 1, (-glyph / 1000) * text.size * text.scale, 0], at)
      if (typeof glyph === 'number' || glyph === null) continue
      const own = (glyph.width / 1000) * text.size
      const isBlank = glyph.unicode.trim() === ''
      const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = times(times([1, 0, 0, 1, 0, text.rise], at), page)
      const [size, width] = [text.size * Math.hypot(c, d), own * text.scale * Math.hypot(a, b)]
      const isUpright = Math.abs(b) <= Math.abs(a) * 0.1 && size > 0 && Number.isFinite(x + y + width)
      if (isUpright && !isBlank)
        glyphs.push({ text: glyph.unicode.normalize('NFKC'), x, y, width, size, isStruckOut: false })
      const advance = (own + text.apart + (glyph.isSpace ? text.wordsApart : 0)) * text.scale
      at = times([1, 0, 0, 1, advance, 0], at)
    }
  }
  const draw: Readonly<Record<string, (args: readonly never[]) => void>> = {
    save: () => void stack.push({ page, text }),
    restore: () => void ({ page, text } = stack.pop() ?? { page, text }),
    transform: (matrix) => void (page = times(matrix, page)),
    paintFormXObjectBegin: ([matrix]) => {
      stack.push({ page, text })
      page = times(matrix ?? IDENTITY, page)
    },
    paintFormXObjectEnd: () => void ({ page, text } = stack.pop() ?? { page, text }),
    beginText: () => void (at = line = IDENTITY),
    setTextMatrix: ([matrix]) => void (at = line = matrix!),
    moveText: ([x, y]) => moveLine(x!, y!),
    setLeadingMoveText: ([x, y]) => {
      text = { ...text, leading: -y! }
      moveLine(x!, y!)
    },
    nextLine: () => moveLine(0, -text.leading),
    setFont: ([, size]) => void (text = { ...text, size: size! }),
    setHScale: ([percent]) => void (text = { ...text, scale: percent! / 100 }),
    setCharSpacing: ([apart]) => void (text = { ...text, apart: apart! }),
    setWordSpacing: ([wordsApart]) => void (text = { ...text, wordsApart: wordsApart! }),
    setTextRise: ([rise]) => void (text = { ...text, rise: rise! }),
    setLeading: ([leading]) => void (text = { ...text, leading: leading! }),
    showText: ([shown]) => show(shown!),
    constructPath: ([, , box]) => {
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = (box ?? []) as readonly number[]
      const [left, right] = [transformPoint(x0, y0, page), transformPoint(x1, y1, page)]
      const [width, height] = [Math.abs(right.x - left.x), Math.abs(right.y - left.y)]
      const [x, y] = [Math.min(left.x, right.x), Math.min(left.y, right.y)]
      if (Math.min(width, height) > MAX_RULE_HEIGHT) return
      if (width > height) horizontal.push({ at: y + height / 2, from: x, to: x + width })
      if (height > width) vertical.push({ at: x + width / 2, from: y, to: y + height })
    },
  }
  const handlers = new Map(Object.entries(draw).map(([name, run]) => [ops[name], run]))
  for (const [i, operator] of fnArray.entries()) handlers.get(operator)?.((argsArray[i] ?? []) as readonly never[])
  return { glyphs, rules: { horizontal, vertical } }
}

interface ShownGlyph {
  readonly unicode: string
  /** In thousandths of the font size. */
  readonly width: number
  readonly isSpace: boolean
}

interface TextState {
  readonly size: number
  readonly scale: number
  readonly apart: number
  readonly wordsApart: number
  readonly rise: number
  readonly leading: number
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

function times(
  [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: Matrix,
  [g = 0, h = 0, i = 0, j = 0, k = 0, l = 0]: Matrix,
): Matrix {
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l]
}

function transformPoint(
  x: number,
  y: number,
  [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: Matrix,
): { x: number; y: number } {
  return { x: a * x + c * y + e, y: b * x + d * y + f }
}
