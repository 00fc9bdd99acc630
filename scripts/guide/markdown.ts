import { Marked, type Token, type Tokens } from 'marked'

/** A heading of a page with what stands under it, as search finds it. */
export interface Section {
  /** Of the heading in its page; empty for what stands before the first. */
  readonly id: string
  readonly depth: number
  readonly heading: string
  /** Without marks, white space as one space. */
  readonly text: string
}

export interface Rendered {
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
}

/** Where a link leads, and what the page there is called. */
export interface Target {
  readonly to: string
  readonly title?: string
}

/** Where a link of a page leads; undefined for what is no page of the guide, which is then shown without being one. */
type Resolve = (href: string) => Target | undefined

/** A page of Markdown as HTML. HTML in it is shown as text. */
export function render(markdown: string, resolve: Resolve): Rendered {
  const tokens = new Marked().lexer(markdown)
  const sections = sectionsOf(tokens)
  const ids = sections.filter(({ id }) => id !== '').map(({ id }) => id)
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escaped(text),
      heading({ tokens: said, depth }: Tokens.Heading) {
        const id = ids.shift()!
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${this.parser.parseInline(said)}</a></h${depth}>\n`
      },
      code: ({ text, lang = '' }) =>
        `<div class="sample"><pre tabindex="0"${lang === '' ? '' : ` data-lang="${escaped(lang)}"`}><code>${escaped(text)}</code></pre></div>\n`,
      table({ header, rows }: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${cells.map(({ tokens: said }) => `<${tag}>${this.parser.parseInline(said)}</${tag}>`).join('')}</tr>`
        return `<div class="wide" tabindex="0"><table><thead>${row(header, 'th')}</thead><tbody>${rows.map((one) => row(one, 'td')).join('')}</tbody></table></div>\n`
      },
      link({ href, tokens: said }: Tokens.Link) {
        const text = withoutLinks(this.parser.parseInline(said))
        const target = resolve(href)
        if (target === undefined) return text
        // A name of a file tells a reader of the repository more than one of the guide.
        const isFile = /^(?:[\w./-]+\/)?[\w-]+\.md$/.test(text) && target.title !== undefined
        return `<a href="${escaped(target.to)}">${isFile ? escaped(target.title!) : text}</a>`
      },
    },
  })
  return { title: sections.find(({ depth }) => depth === 1)?.heading ?? '', html: marked.parser(tokens), sections }
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { id: string; depth: number; heading: string; text: string }[] = []
  const taken = new Map<string, number>()
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth, tokens: said = [] } = token as Tokens.Heading
      const heading = plain(said)
      sections.push({ id: idOf(heading, taken), depth, heading, text: '' })
    } else if (token.type !== 'space') {
      if (sections.length === 0) sections.push({ id: '', depth: 0, heading: '', text: '' })
      const last = sections.at(-1)!
      last.text = `${last.text} ${plain([token])}`.replaceAll(/\s+/g, ' ').trim()
    }
  }
  return sections
}

/** As code hosts make it of a heading, so that a link to it leads there in both places. */
function idOf(heading: string, taken: Map<string, number>): string {
  const id = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
  const before = taken.get(id)
  taken.set(id, (before ?? 0) + 1)
  return before === undefined ? id : `${id}-${before}`
}

/** What a person reads of some tokens. */
function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        return [header, ...rows].map((row) => row.map((cell) => plain(cell.tokens)).join(' ')).join(' ')
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => plain(item.tokens)).join(' ')
      if (token.type === 'br') return ' '
      const inner = (token as Tokens.Generic).tokens
      return inner === undefined ? unescaped(String((token as Tokens.Generic)['text'] ?? token.raw)) : plain(inner)
    })
    .join('')
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const

/** Text as HTML. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign as keyof typeof ENTITIES])
}

function unescaped(text: string): string {
  return Object.entries(ENTITIES).reduceRight((all, [sign, entity]) => all.replaceAll(entity, sign), text)
}

/** A link within a link is none. */
function withoutLinks(html: string): string {
  return html.replaceAll(/<\/?a\b[^>]*>/g, '')
}
