import { Readability } from '@mozilla/readability'
import { ELEMENT, walkPage, type PageNode } from './page-node.ts'

/** A larger page is not searched for an article: on pages made for that it takes very long. */
const MAX_ELEMENTS = 40_000
const MAX_DEPTH = 300

/** The main content of a page, without menus and other parts that repeat on each page of its site. */
export interface Article<T> {
  readonly title: string
  readonly content: T
  /** As stated by the page. */
  readonly publishedAt?: string
}

/**
 * The article of a page, by Mozilla's Readability, which takes the document apart for it. Undefined when it finds none, or the
 * page is too large to look.
 */
export function articleOf<T>(document: { readonly documentElement: unknown }): Article<T> | undefined {
  if (isLarge(document.documentElement as PageNode)) return undefined
  const options = { serializer: (node: unknown) => node as T, maxElemsToParse: MAX_ELEMENTS }
  const found = new Readability(document as never, options).parse()
  if (found?.content == null) return undefined
  const { title, content, publishedTime } = found
  return { title: title ?? '', content, ...(publishedTime ? { publishedAt: publishedTime } : {}) }
}

function isLarge(root: PageNode): boolean {
  let elements = 0
  let depth = 0
  const isSmall = walkPage(
    root,
    ({ nodeType }) => {
      elements += nodeType === ELEMENT ? 1 : 0
      depth += 1
      return elements > MAX_ELEMENTS || depth > MAX_DEPTH ? 'stop' : true
    },
    () => (depth -= 1),
  )
  return !isSmall
}
