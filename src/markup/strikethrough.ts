import { struckOut } from '../domain/strikethrough.ts'
import { TEXT, type PageNode } from './page-node.ts'
import { classesWith } from './style-classes.ts'

const LINE_THROUGH = /text-decoration[\w-]*\s*:[^;]*line-through/i

/** Marks struck-out text of a page, which is no longer valid. */
export function markStruckOut(root: unknown): void {
  const top = root as PageNode
  const classes = [...classesWith(top, (rule) => LINE_THROUGH.test(rule) || undefined).keys()]
  const selectors = ['del', 's', 'strike', '[style*="line-through" i]', ...classes.map((name) => `.${name}`)]
  const marked = new Set<PageNode>()
  for (const element of top.querySelectorAll(selectors.join(','))) {
    const open = [element]
    for (let node = open.pop(); node !== undefined && !marked.has(node); node = open.pop()) {
      marked.add(node)
      if (node.nodeType === TEXT) node.data = struckOut(node.data)
      else open.push(...node.childNodes)
    }
  }
}
