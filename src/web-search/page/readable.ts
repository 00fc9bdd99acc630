import { TuttiError } from '../../domain/errors.ts'
import { Helper } from '../../processes/helper.ts'
import { startThread } from '../../processes/thread.ts'

/** What a reader would see of a page. */
export interface ReadableText {
  /** Empty when the page has none. */
  readonly title: string
  /** Paragraphs parted by empty lines; headings begin with `#`, list items with `- `. */
  readonly text: string
  readonly publishedAt?: string
  /** There is more than was kept. */
  readonly isCut: boolean
}

export interface ReadableOptions {
  /** For reading, once the parser is loaded; 5 s when absent. */
  readonly timeoutMs?: number
  /** Memory of the reader; 256 when absent. */
  readonly heapMb?: number
  readonly signal?: AbortSignal
}

const TIMEOUT_MS = 5_000
const HEAP_MB = 256
/** Characters of HTML that are looked at. */
const MAX_HTML_CHARS = 2_000_000

/**
 * Extracts the readable text of HTML with Mozilla's Readability, in a separate thread with little memory that is
 * discarded afterwards. If that takes too long for a page, returns its whole text.
 * @throws TuttiError `DocumentError` for a page that cannot be parsed within time and memory; the signal's reason
 */
export async function readableText(html: string, options: ReadableOptions = {}): Promise<ReadableText> {
  const { timeoutMs = TIMEOUT_MS, heapMb = HEAP_MB, signal } = options
  signal?.throwIfAborted()
  const reader = new Helper({
    name: 'The reader of web pages',
    start: (on) => startThread(new URL('./readable-worker.ts', import.meta.url), on, { heapMb }),
    lost: ({ kind, how }) => unreadable(kind === 'memory' ? 'it needs too much memory' : how),
  })
  const stop = (): void => void reader.kill()
  signal?.addEventListener('abort', stop, { once: true })
  let pageText: ReadableText | undefined
  try {
    await reader.ready(noStart)
    const onPart = (part: unknown): void => void (pageText = part as ReadableText)
    const article = await reader.call<ReadableText | undefined>(html.slice(0, MAX_HTML_CHARS), { timeoutMs, onPart })
    return truncatePage(article ?? pageText!, html)
  } catch (error) {
    signal?.throwIfAborted()
    if (pageText === undefined) throw error
    return truncatePage(pageText, html)
  } finally {
    signal?.removeEventListener('abort', stop)
    await reader.kill()
  }
}

function truncatePage(page: ReadableText, html: string): ReadableText {
  return { ...page, isCut: page.isCut || html.length > MAX_HTML_CHARS }
}

function noStart(why: string): TuttiError {
  return new TuttiError('Internal', `The reader of web pages did not start: ${why}. Reinstall Tutti.`)
}

function unreadable(why: string): TuttiError {
  return new TuttiError('DocumentError', `The page cannot be read: ${why}.`)
}
