import { ELEMENT, TEXT, type PageNode } from '../../markup/page-node.ts'
import type { DocumentText } from './document-text.ts'
import { tableLines, type MergedCells, type TableRow } from './table-rows.ts'

const DROPPED = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE NAV SVG IFRAME OBJECT CANVAS HEAD TITLE BUTTON SELECT TEXTAREA DIALOG ANNOTATION'.split(
    ' ',
  ),
)
const INLINE = new Set(
  (
    'A ABBR ACRONYM B BDI BDO BIG CITE CODE DATA DEL DFN EM FONT I INS KBD LABEL MARK Q RUBY S SAMP SMALL SPAN STRIKE ' +
    'STRONG SUB SUP TIME TT U VAR WBR MATH MI MN MO MROW MSTYLE MSUB MSUBSUP MSUP MTEXT SEMANTICS'
  ).split(' '),
)
/** Deeper elements are taken as plain text; the walk must not run out of stack. */
const MAX_DEPTH = 400

/**
 * Adds the blocks of an element.
 * @param raise number of levels to raise headings
 */
export function addHtmlBlocks(text: DocumentText, root: unknown, raise = 0): void {
  new Walk(text, raise).children(root as PageNode, 0)
}

class Walk {
  readonly #text: DocumentText
  readonly #raise: number
  #line = ''

  constructor(text: DocumentText, raise: number) {
    this.#text = text
    this.#raise = raise
  }

  children(node: PageNode, depth: number): void {
    for (const child of node.childNodes) this.#node(child, depth + 1)
    if (depth === 0) this.#flush()
  }

  #node(node: PageNode, depth: number): void {
    if (node.nodeType === TEXT) this.#line += spaced(node.textContent ?? '')
    else if (node.nodeType === ELEMENT && !isDropped(node)) this.#element(node, tagOf(node), depth)
  }

  #element(node: PageNode, tag: string, depth: number): void {
    if (depth > MAX_DEPTH) this.#line += spaced(node.textContent ?? '')
    else if (tag === 'BR') this.#line += '\n'
    else if (INLINE.has(tag)) this.children(node, depth)
    else {
      this.#flush()
      if (/^H[1-6]$/.test(tag))
        this.#text.add('heading', node.textContent ?? '', { level: Number(tag[1]) - this.#raise })
      else if (tag === 'PRE') this.#text.add('code', node.textContent ?? '')
      else if (tag === 'UL' || tag === 'OL') this.#text.add('list', listLines(node, 0).join('\n'))
      else if (tag === 'TABLE') this.#table(node, depth)
      else this.children(node, depth)
      this.#flush()
    }
  }

  /** Tables of one column only put things below each other; they are read like any other element. */
  #table(node: PageNode, depth: number): void {
    const { rows, merged } = tableOf(node)
    if (rows.every(({ cells }) => cells.length < 2)) return this.children(node, depth)
    const caption = [...node.childNodes].find((child) => tagOf(child) === 'CAPTION')
    if (caption !== undefined) this.#text.add('paragraph', spaced(caption.textContent ?? ''))
    this.#text.add('table', tableLines(rows, merged).join('\n'))
  }

  #flush(): void {
    const line = this.#line
      .replaceAll(/ *\n */g, '\n')
      .replaceAll(/ {2,}/g, ' ')
      .trim()
    this.#line = ''
    this.#text.add('paragraph', line)
  }
}

function tagOf(node: PageNode): string {
  return node.nodeName.toUpperCase()
}

function isDropped(node: PageNode): boolean {
  return DROPPED.has(tagOf(node))
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

/** Items with list markers; nested lists are indented. */
function listLines(list: PageNode, depth: number): string[] {
  const isNumbered = tagOf(list) === 'OL'
  let number = Number(list.getAttribute('start') ?? 1) || 1
  const lines: string[] = []
  for (const item of list.childNodes) {
    if (item.nodeType !== ELEMENT || isDropped(item)) continue
    if (tagOf(item) === 'UL' || tagOf(item) === 'OL') {
      if (depth < MAX_DEPTH) lines.push(...listLines(item, depth + 1))
      continue
    }
    const inner = itemParts(item)
    const mark = isNumbered ? `${number++}.` : '-'
    if (inner.text !== '') lines.push(`${'  '.repeat(depth)}${mark} ${inner.text}`)
    if (depth < MAX_DEPTH) for (const nested of inner.lists) lines.push(...listLines(nested, depth + 1))
  }
  return lines
}

function itemParts(item: PageNode): { text: string; lists: PageNode[] } {
  const lists: PageNode[] = []
  const parts: string[] = []
  const walk = (node: PageNode, depth: number): void => {
    for (const child of node.childNodes) {
      const tag = tagOf(child)
      if (tag === 'UL' || tag === 'OL') lists.push(child)
      else if (child.nodeType === TEXT || depth > MAX_DEPTH) parts.push(child.textContent ?? '')
      else if (child.nodeType === ELEMENT && !isDropped(child)) {
        if (!INLINE.has(tag)) parts.push(' ')
        walk(child, depth + 1)
        if (!INLINE.has(tag)) parts.push(' ')
      }
    }
  }
  walk(item, 0)
  return { text: spaced(parts.join('')).trim(), lists }
}

const MAX_SPAN = 100

/** The cells of a table in their rows and columns. */
function tableOf(table: PageNode): { readonly rows: readonly TableRow[]; readonly merged: readonly MergedCells[] } {
  const rows: TableRow[] = []
  const merged: MergedCells[] = []
  /** The last row of a cell that continues below, by its columns. */
  const below = new Map<number, number>()
  for (const row of rowsOf(table)) {
    const number = rows.length + 1
    const cells: string[] = []
    for (const cell of row.childNodes) {
      if (!/^T[HD]$/.test(tagOf(cell)) || isDropped(cell)) continue
      while ((below.get(cells.length) ?? 0) >= number) cells.push('')
      const [left, right] = [cells.length, cells.length + spanOf(cell, 'colspan') - 1]
      const bottom = number + spanOf(cell, 'rowspan') - 1
      cells.push(cellText(cell))
      for (let column = left; column <= right; column++) {
        below.set(column, bottom)
        cells[column] ??= ''
      }
      if (right > left || bottom > number) merged.push({ top: number, bottom, left, right })
    }
    rows.push({ number, cells })
  }
  return { rows, merged }
}

function rowsOf(table: PageNode): PageNode[] {
  return [...table.childNodes].flatMap((child) => {
    if (/^T(?:HEAD|BODY|FOOT)$/.test(tagOf(child))) return rowsOf(child)
    return tagOf(child) === 'TR' ? [child] : []
  })
}

function spanOf(cell: PageNode, name: string): number {
  return Math.max(1, Math.min(MAX_SPAN, Math.trunc(Number(cell.getAttribute(name) ?? 1)) || 1))
}

function cellText(cell: PageNode): string {
  const { text, lists } = itemParts(cell)
  return [text, ...lists.map((list) => listLines(list, 0).join(' '))].join(' ').trim()
}
