import { wordSet } from '../shared/word-set.ts'
import { ELEMENT, TEXT, walkPage, type PageNode } from './page-node.ts'

export interface VisibleText {
  readonly text: string
  readonly isCut: boolean
}

const SKIPPED = wordSet(
  'SCRIPT STYLE NOSCRIPT TEMPLATE SVG HEAD TITLE META LINK IFRAME OBJECT EMBED CANVAS AUDIO VIDEO SELECT BUTTON TEXTAREA ' +
    'INPUT DIALOG ANNOTATION',
)
const APART = wordSet(
  'P PRE BLOCKQUOTE TABLE UL OL DL H1 H2 H3 H4 H5 H6 ARTICLE SECTION HEADER FOOTER MAIN ASIDE FIGURE NAV FORM',
)
const OWN_LINE = wordSet('DIV LI TR DT DD BR HR FIGCAPTION CAPTION ADDRESS DETAILS SUMMARY')

/**
 * The visible text of a page or a part of it. Hidden content must be removed before: `withoutHidden`.
 * @param kept characters after which the walk ends
 * @param withLinks shows the targets of links
 */
export function visibleText(root: PageNode, kept: number, withLinks = false): VisibleText {
  const page = new PageText(withLinks)
  const isWhole = walkPage(
    root,
    (node) => {
      if (page.size > kept) return 'stop'
      if (node.nodeType === TEXT) page.add(node.data)
      if (node.nodeType !== ELEMENT || SKIPPED.has(nameOf(node))) return false
      page.open(node)
      return true
    },
    (node) => page.close(node),
  )
  return { isCut: !isWhole, text: page.text().slice(0, kept) }
}

/** Text with the gaps that elements leave around themselves. */
class PageText {
  /** Characters so far. */
  size = 0
  readonly #parts: string[] = []
  /** Line breaks before the next text. */
  #gap = 0
  #pre = 0
  #endsInSpace = true
  readonly #withLinks: boolean

  constructor(withLinks: boolean) {
    this.#withLinks = withLinks
  }

  add(data: string): void {
    const text = this.#pre > 0 ? data : data.replace(/\s+/g, ' ')
    if (text.trim() !== '') this.#write(text)
    else if (this.#gap === 0 && !this.#endsInSpace) this.#write(' ')
  }

  open(node: PageNode): void {
    const name = nameOf(node)
    this.#part(name)
    if (/^H[1-6]$/.test(name)) this.#write(`${'#'.repeat(Number(name[1]))} `)
    else if (name === 'LI') this.#write('- ')
    else if ((name === 'TD' || name === 'TH') && node.previousElementSibling !== null) this.#write(' | ')
    else if (name === 'PRE') this.#pre += 1
    if (name === 'H1' || name === 'LI') this.#endsInSpace = true
  }

  close(node: PageNode): void {
    const name = nameOf(node)
    if (name === 'PRE') this.#pre -= 1
    const link = this.#withLinks && name === 'A' ? (node.getAttribute('href') ?? '') : ''
    if (/^(?:https?|mailto):/i.test(link) && !this.#parts.at(-1)?.includes(link)) this.#write(` [${link}]`)
    this.#part(name)
  }

  text(): string {
    const lines = this.#parts.join('').split('\n')
    return lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trim()
  }

  #part(name: string): void {
    if (APART.has(name)) this.#gap = 2
    else if (OWN_LINE.has(name)) this.#gap = Math.max(this.#gap, 1)
  }

  #write(text: string): void {
    if (this.#gap > 0 && this.#parts.length > 0) {
      this.#parts.push('\n'.repeat(this.#gap))
      this.#endsInSpace = true
    }
    this.#gap = 0
    const piece = this.#endsInSpace && this.#pre === 0 ? text.trimStart() : text
    if (piece === '') return
    this.#parts.push(piece)
    this.size += piece.length
    this.#endsInSpace = /\s$/.test(piece)
  }
}

function nameOf(node: PageNode): string {
  return node.nodeName.toUpperCase()
}
