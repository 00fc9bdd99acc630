/** A box on a page, as fractions of the page width and height from the upper left. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A text of a page and its box. */
export interface PlacedText extends Box {
  readonly text: string
}

/** Minimum number of matching characters that is not a coincidence. */
const TELLING = 12
/** Minimum number of matching characters for a match out of order. */
const UNIQUE = 24
/** Fraction of the page width. Words of a line with a smaller gap are marked as one. */
const GAP = 0.02

/**
 * Finds a passage on its page. Only letters and digits are compared, since whitespace, hyphens and columns differ.
 * Parts in another order on the page are found piece by piece.
 */
export function findMarks(items: readonly PlacedText[], passage: string): Box[] {
  const pages = items.map(({ text }) => plain(text))
  const page = pages.join('')
  const passageText = plain(passage)
  const boxes: Box[] = []
  for (const [from, to] of matchingRanges(page, passageText)) {
    let at = 0
    for (const [n, { length }] of pages.entries()) {
      const start = Math.max(from, at)
      const end = Math.min(to, at + length)
      if (start < end) boxes.push(partOfBox(items[n]!, (start - at) / length, (end - at) / length))
      at += length
    }
  }
  return mergeLines(boxes)
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/**
 * Finds pieces of `wanted` in `page`, as start and end offsets, from left to right, each as long as possible. Text that
 * continues on the next page is not found. A piece that occurs only further up counts if it is long and unique.
 */
function matchingRanges(page: string, passageText: string): [number, number][] {
  const places: [number, number][] = []
  let last = 0
  for (let at = 0; at < passageText.length;) {
    const length = longest(page, passageText, at)
    if (length < Math.min(TELLING, passageText.length)) {
      at += 1
      continue
    }
    const piece = passageText.slice(at, at + length)
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

/** Length of the longest prefix of `wanted` at `at` that occurs in `page`. */
function longest(page: string, passageText: string, at: number): number {
  let low = 0
  let high = passageText.length - at
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (page.includes(passageText.slice(at, at + middle))) low = middle
    else high = middle - 1
  }
  return low
}

function partOfBox({ x, y, width, height }: Box, from: number, to: number): Box {
  return { x: x + width * from, y, width: width * (to - from), height }
}

/** Merges the words of a line into one box. */
function mergeLines(boxes: readonly Box[]): Box[] {
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
