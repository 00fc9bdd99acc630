import { Marked, type Token, type Tokens } from 'marked'

export interface Rendered {
  readonly title: string
  readonly html: string
  /** Of its headings. */
  readonly ids: readonly string[]
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
  const taken = new Map<string, number>()
  const headings = tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ depth, tokens: said }) => ({ depth, text: plain(said) }))
  const ids = headings.map(({ text }) => idOf(text, taken))
  const open = ids.values()
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escaped(text),
      heading({ tokens: said, depth }: Tokens.Heading) {
        const id = open.next().value!
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${this.parser.parseInline(said)}</a></h${depth}>\n`
      },
      code: ({ text, lang = '' }) =>
        `<pre tabindex="0"${lang === '' ? '' : ` data-lang="${escaped(lang)}"`}><code>${escaped(text)}</code></pre>\n`,
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
  return { title: headings.find(({ depth }) => depth === 1)?.text ?? '', html: marked.parser(tokens), ids }
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

/** What a person reads of a heading. */
function plain(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) => ('tokens' in token ? plain(token.tokens) : unescaped(String((token as Tokens.Generic)['text']))))
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
