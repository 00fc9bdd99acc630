import { articleOf } from '../../markup/article.ts'
import { parseVisiblePage } from '../../markup/page.ts'
import { serveCalls } from '../../processes/serve.ts'
import type { ReadableText } from './readable.ts'
import type { PageNode } from '../../markup/page-node.ts'
import { visibleText, type VisibleText } from '../../markup/visible-text.ts'

const MAX_TEXT_CHARS = 40_000
/**
 * The program of the thread that reads one page. The whole text of the page, which takes one walk, is handed over first;
 * picking out the article can take very long on a page made for that, and is then given up.
 */
serveCalls(() => (html: string, part): ReadableText | undefined => {
  const document = parseVisiblePage(html) as unknown as PageDocument
  const pageText = visibleText(document.body ?? document.documentElement, MAX_TEXT_CHARS)
  const title = titleOf(document)
  part({ title, text: pageText.text, isCut: pageText.isCut } satisfies ReadableText)
  try {
    return article(document, pageText, title)
  } catch {
    return undefined // the whole text stands
  }
})

interface PageDocument {
  readonly body: PageNode | null
  readonly documentElement: PageNode
  querySelector(selector: string): PageNode | null
}

function titleOf(document: PageDocument): string {
  const own = document.querySelector('meta[property="og:title"]')?.getAttribute('content')
  const texts = ['title', 'h1'].map((name) => document.querySelector(name)?.textContent)
  return ([own, ...texts].find(Boolean) ?? '').slice(0, 1000)
}

function article(document: PageDocument, whole: VisibleText, title: string): ReadableText | undefined {
  const found = articleOf<PageNode>(document)
  if (found === undefined) return undefined
  const { text, isCut } = visibleText(found.content, MAX_TEXT_CHARS)
  // On pages that are not articles it finds some corner of them.
  if (text.length < 500 && text.length < whole.text.length / 2) return undefined
  const { publishedAt } = found
  return { title: found.title || title, text, isCut, ...(publishedAt === undefined ? {} : { publishedAt }) }
}
