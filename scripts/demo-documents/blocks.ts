/** A document as a list of blocks, before it is laid out. PDF, Word, Markdown and HTML are made from the same. */
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

export function section(title: string, ...paragraphs: readonly (string | Block)[]): Block[] {
  const heading: Block = { kind: 'heading', level: 1, text: title }
  return [heading, ...paragraphs.map((part): Block => (typeof part === 'string' ? paragraph(part) : part))]
}

export function subheading(text: string): Block {
  return { kind: 'heading', level: 2, text }
}

export function list(...items: readonly string[]): Block {
  return { kind: 'list', items }
}

export function table(head: readonly string[], ...rows: readonly (readonly string[])[]): Block {
  return { kind: 'table', head, rows }
}

/** What follows begins on a new page, where there are pages. */
export const NEW_PAGE: Block = { kind: 'page' }

function paragraph(text: string): Block {
  return { kind: 'paragraph', text }
}
