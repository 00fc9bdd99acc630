import { struckOut } from '../domain/strikethrough.ts'
import { TEXT, type PageNode } from './page-node.ts'

const STRUCK_OUT = 'del, s, strike, [style*="line-through" i]'

/** Marks struck-out text of a page, which is no longer valid. */
export function markStruckOut(root: unknown): void {
  const marked = new Set<PageNode>()
  for (const element of (root as PageNode).querySelectorAll(STRUCK_OUT)) {
    const open = [element]
    for (let node = open.pop(); node !== undefined && !marked.has(node); node = open.pop()) {
      marked.add(node)
      if (node.nodeType === TEXT) node.data = struckOut(node.data)
      else open.push(...node.childNodes)
    }
  }
}
