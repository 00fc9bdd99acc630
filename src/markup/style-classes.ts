import type { PageNode } from './page-node.ts'

/** Classes of style sheets in the page, with the result of `read` for their declarations. */
export function classesWith<T>(top: PageNode, read: (declarations: string) => T | undefined): Map<string, T> {
  const classes = new Map<string, T>()
  for (const style of top.querySelectorAll('style')) {
    for (const rule of (style.textContent ?? '').split('}')) {
      const at = rule.lastIndexOf('{')
      const found = at < 0 ? undefined : read(rule.slice(at))
      if (found === undefined) continue
      for (const selector of rule.slice(0, at).split(',')) {
        const name = /\.([\w-]+)$/.exec(selector.trim())?.[1]
        if (name !== undefined) classes.set(name, found)
      }
    }
  }
  return classes
}
