import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Lexer, type Token, type Tokens } from 'marked'

/** A document as a list of blocks, before it is laid out. PDF and Word files are made from the same. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'page' }

export interface DemoDocument {
  readonly title: string
  /** Under the title: date, version, owner. */
  readonly subtitle: string
  readonly blocks: readonly Block[]
}

/** Reads a document from its Markdown file in this folder. A thematic break is a new page. */
export function readDemoDocument(name: string): DemoDocument {
  const tokens = new Lexer().lex(readFileSync(join(import.meta.dirname, `${name}.md`), 'utf8'))
  const [title, subtitle, ...rest] = tokens.filter(({ type }) => type !== 'space')
  return { title: textOf(title!), subtitle: textOf(subtitle!), blocks: rest.map(blockOf) }
}

function blockOf(token: Token): Block {
  switch (token.type) {
    case 'heading':
      return { kind: 'heading', level: (token as Tokens.Heading).depth === 2 ? 1 : 2, text: textOf(token) }
    case 'list':
      return { kind: 'list', items: (token as Tokens.List).items.map(textOf) }
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return {
        kind: 'table',
        head: header.map(({ text }) => text),
        rows: rows.map((row) => row.map(({ text }) => text)),
      }
    }
    case 'hr':
      return { kind: 'page' }
    default:
      return { kind: 'paragraph', text: textOf(token) }
  }
}

function textOf(token: Token | Tokens.ListItem): string {
  return (token as Tokens.Text).text
}
