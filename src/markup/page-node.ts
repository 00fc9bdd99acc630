/** The part of a DOM that is used here; linkedom's own types leave much open. */
export interface PageNode {
  readonly nodeType: number
  readonly nodeName: string
  data: string
  readonly textContent: string | null
  readonly firstChild: PageNode | null
  readonly nextSibling: PageNode | null
  readonly parentNode: PageNode | null
  readonly previousElementSibling: PageNode | null
  readonly childNodes: Iterable<PageNode>
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  querySelectorAll(selector: string): Iterable<PageNode>
  append(text: string): void
  remove(): void
}

export const ELEMENT = 1
export const TEXT = 3

/**
 * Visits the nodes below a node in order, without recursion: deep pages would overflow the stack.
 * @param enter returns whether to visit the node's children, or `stop`
 * @param leave called after the children of a node, also if it has none
 * @returns whether all nodes were visited
 */
export function walkPage(
  top: PageNode,
  enter: (node: PageNode) => boolean | 'stop',
  leave: (node: PageNode) => void,
): boolean {
  let node = top.firstChild
  while (node !== null) {
    const entered = enter(node)
    if (entered === 'stop') return false
    if (entered && node.firstChild !== null) {
      node = node.firstChild
      continue
    }
    if (entered) leave(node)
    while (node.nextSibling === null) {
      const parent: PageNode | null = node.parentNode
      if (parent === null || parent === top) return true
      leave(parent)
      node = parent
    }
    node = node.nextSibling
  }
  return true
}
