import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { escaped, render, type Rendered, type Target } from './markdown.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const DOCS = join(ROOT, 'docs')

/** Its list of pages is the menu of the guide. */
const HOME = 'index'

export interface GuidePage extends Rendered {
  /** As in its address behind `/guide/`, such as `recipes/ollama`. */
  readonly name: string
  /** Links that lead nowhere, as they are written. */
  readonly broken: readonly string[]
}

/** All pages of `docs/`, by their names. */
export function guidePages(docs = DOCS): GuidePage[] {
  const names = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replaceAll(sep, '/').replace(/\.md$/, ''))
    .toSorted()
  const texts = new Map(names.map((name) => [name, readFileSync(join(docs, `${name}.md`), 'utf8')]))
  const titles = new Map([...texts].map(([name, text]) => [name, /^# (.*)/m.exec(text)?.[1] ?? name]))
  const pages = [...texts].map(([name, text]): GuidePage => {
    const broken: string[] = []
    const resolve = (href: string): Target | undefined => {
      const to = targetOf(href, name, titles)
      if (to === undefined && !existsSync(join(docs, posix.dirname(name), href.split('#')[0]!))) broken.push(href)
      return to
    }
    return { name, ...render(text, resolve), broken }
  })
  return pages.map((page) => ({ ...page, broken: [...page.broken, ...lost(page, pages)] }))
}

/** Where a link of a page leads; nowhere when it is to a file of the repository that is no page. */
function targetOf(href: string, from: string, titles: ReadonlyMap<string, string>): Target | undefined {
  if (/^(?:https?:|mailto:|#)/.test(href)) return { to: href }
  const [path = '', anchor] = href.split('#')
  const name = posix.join(posix.dirname(from), path).replace(/\.md$/, '')
  const title = titles.get(name)
  return title === undefined ? undefined : { to: `${address(name)}${anchor === undefined ? '' : `#${anchor}`}`, title }
}

/** Links to headings that are not there. */
function lost({ name, html }: Rendered & { readonly name: string }, pages: readonly GuidePage[]): string[] {
  const targets = new Map(pages.map((page) => [address(page.name), page.ids]))
  return [...html.matchAll(/ href="((?:\/guide[^"#]*)?)#([^"]+)"/g)].flatMap(([, page, id]) =>
    targets.get(page === '' ? address(name) : page!)?.includes(id!) === true ? [] : [`${page}#${id}`],
  )
}

/** @param name of a page */
export function address(name: string): string {
  return name === HOME ? '/guide' : `/guide/${name}`
}

/**
 * A page as a file of the web app.
 * @param template with places for `title`, `menu` and `content`
 * @param menu HTML of all pages, as the home page lists them
 */
export function fileOf(page: GuidePage, template: string, menu: string): string {
  const { name, title, html } = page
  const here = address(name)
  const parts: Readonly<Record<string, string>> = {
    title: escaped(name === HOME ? title : `${title} · Guide`),
    menu: menu.replaceAll(`<a href="${here}"`, `<a aria-current="page" href="${here}"`),
    content: html,
  }
  return template.replaceAll(/<!--(\w+)-->|\{\{(\w+)\}\}/g, (all, one, other) => parts[String(one ?? other)] ?? all)
}

/** The lists of the home page with what they are called, without what is said of each page. */
export function menuOf(pages: readonly GuidePage[]): string {
  const home = pages.find(({ name }) => name === HOME)!
  return [...home.html.matchAll(/<h2[^>]*><a[^>]*>(.*?)<\/a><\/h2>|<li>(<a [^]*?<\/a>)/g)]
    .map(([, heading, link]) => (heading === undefined ? `<li>${link}</li>` : `</ul><h2>${heading}</h2><ul>`))
    .join('')
    .replace('</ul>', '')
    .concat('</ul>')
}
