import type { PageNode } from './page-node.ts'

/** A link's text with the address that it leads to, where that is not shown: `the rules (https://…)`. Others lead into the document. */
export function withTarget(text: string, target: string): string {
  const isShown = !/^(?:https?|mailto):/i.test(target) || text.includes(target.replace(/^mailto:/i, ''))
  return isShown || text.trim() === '' ? text : `${text} (${target})`
}

/** Writes the addresses of links into a page's text. */
export function showLinks(root: unknown): void {
  for (const link of (root as PageNode).querySelectorAll('a[href]')) {
    const text = link.textContent ?? ''
    const added = withTarget(text, link.getAttribute('href') ?? '').slice(text.length)
    if (added !== '') link.append(added)
  }
}
