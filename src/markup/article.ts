import { Readability } from '@mozilla/readability'

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

/** The part of a DOM that is looked at here. */
export interface TreeNode {
  readonly nodeType: number
  readonly firstChild: TreeNode | null
  readonly nextSibling: TreeNode | null
  readonly parentNode: TreeNode | null
}

/**
 * The article of a page, by Mozilla's Readability, which takes the document apart for it. Undefined when it finds none, or the
 * page is too large to look.
 */
export function articleOf<T>(document: { readonly documentElement: TreeNode }): Article<T> | undefined {
  if (isLarge(document.documentElement)) return undefined
  const options = { serializer: (node: unknown) => node as T, maxElemsToParse: MAX_ELEMENTS }
  const found = new Readability(document as never, options).parse()
  if (found?.content == null) return undefined
  const { title, content, publishedTime } = found
  return { title: title ?? '', content, ...(publishedTime ? { publishedAt: publishedTime } : {}) }
}

/** In one walk without recursion, which deep pages would break. */
function isLarge(root: TreeNode): boolean {
  let elements = 0
  let depth = 0
  let node: TreeNode | null = root
  while (node !== null) {
    elements += node.nodeType === 1 ? 1 : 0
    if (elements > MAX_ELEMENTS || depth > MAX_DEPTH) return true
    if (node.firstChild !== null) {
      node = node.firstChild
      depth += 1
      continue
    }
    while (node !== null && node !== root && node.nextSibling === null) {
      node = node.parentNode
      depth -= 1
    }
    node = node === null || node === root ? null : node.nextSibling
  }
  return false
}
