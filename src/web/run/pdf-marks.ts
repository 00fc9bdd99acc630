/** A place on a page, in shares of its width and height from the upper left. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Some text of a page, and where it stands. */
export interface PlacedText extends Box {
  readonly text: string
}

/** Letters and digits in a row that are no chance. */
const TELLING = 12
/** And so many that stand where they are not looked for. */
const UNIQUE = 24
/** Of a page's width: words of one line that are no further apart are marked as one. */
const GAP = 0.02

/**
 * Where a passage stands on its page. A page and a passage write their white space, hyphens and columns in different ways, so
 * letters and digits are compared alone; what of the passage is in another order on the page is found piece by piece.
 */
export function marksOf(items: readonly PlacedText[], passage: string): Box[] {
  const pages = items.map(({ text }) => plain(text))
  const page = pages.join('')
  const wanted = plain(passage)
  const boxes: Box[] = []
  for (const [from, to] of found(page, wanted)) {
    let at = 0
    for (const [n, { length }] of pages.entries()) {
      const start = Math.max(from, at)
      const end = Math.min(to, at + length)
      if (start < end) boxes.push(part(items[n]!, (start - at) / length, (end - at) / length))
      at += length
    }
  }
  return joined(boxes)
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/**
 * Where pieces of a text stand in another, from and to; the longest first piece, then the longest of what is left. What continues
 * on the next page is not here: a piece that stands only further up is its own if it is a long one, and stands there once.
 */
function found(page: string, wanted: string): [number, number][] {
  const places: [number, number][] = []
  let last = 0
  for (let at = 0; at < wanted.length;) {
    const length = longest(page, wanted, at)
    if (length < Math.min(TELLING, wanted.length)) {
      at += 1
      continue
    }
    const piece = wanted.slice(at, at + length)
    at += length
    const after = page.indexOf(piece, last)
    const start = after === -1 ? page.indexOf(piece) : after
    const isOwn = after !== -1 || (length >= UNIQUE && page.indexOf(piece, start + 1) === -1)
    if (!isOwn || places.some(([from, to]) => start < to && start + length > from)) continue
    last = start + length
    places.push([start, last])
  }
  return places
}

/** How much of a text from a place on is in another in one piece. */
function longest(page: string, wanted: string, at: number): number {
  let low = 0
  let high = wanted.length - at
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (page.includes(wanted.slice(at, at + middle))) low = middle
    else high = middle - 1
  }
  return low
}

function part({ x, y, width, height }: Box, from: number, to: number): Box {
  return { x: x + width * from, y, width: width * (to - from), height }
}

/** The words of a line as one box. */
function joined(boxes: readonly Box[]): Box[] {
  const lines: Box[] = []
  for (const box of boxes) {
    const line = lines.at(-1)
    const isSame =
      line !== undefined &&
      Math.abs(line.y - box.y) < box.height / 3 &&
      box.x >= line.x &&
      box.x - (line.x + line.width) < GAP
    if (!isSame) lines.push(box)
    else {
      const right = Math.max(line.x + line.width, box.x + box.width)
      lines[lines.length - 1] = { ...line, width: right - line.x, height: Math.max(line.height, box.height) }
    }
  }
  return lines
}
