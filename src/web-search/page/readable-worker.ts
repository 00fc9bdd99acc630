import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { TuttiError } from '../../core/errors.ts'

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

const START_TIMEOUT_MS = 30_000
const TIMEOUT_MS = 5_000
const HEAP_MB = 256
const TEXT_KEPT = 40_000
/** Characters of HTML that are looked at. */
export const HTML_KEPT = 2_000_000

/**
 * The worker's program. It is text, so that it runs the same from TypeScript source and from the compiled package. The
 * whole text of the page, which takes one walk, is handed over first; picking out the article can take very long on a
 * page made for that, and is then given up. Nothing in the page is run or loaded: linkedom has no such ability.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads')
const { parseHTML } = require(workerData.linkedom)
const { Readability } = require(workerData.readability)

const SKIPPED = new Set('SCRIPT STYLE NOSCRIPT TEMPLATE SVG HEAD TITLE META LINK IFRAME OBJECT EMBED CANVAS AUDIO VIDEO SELECT BUTTON TEXTAREA INPUT DIALOG'.split(' '))
const APART = new Set('P PRE BLOCKQUOTE TABLE UL OL DL H1 H2 H3 H4 H5 H6 ARTICLE SECTION HEADER FOOTER MAIN ASIDE FIGURE NAV FORM'.split(' '))
const OWN_LINE = new Set('DIV LI TR DT DD BR HR FIGCAPTION CAPTION ADDRESS DETAILS SUMMARY'.split(' '))
const MOST_ELEMENTS = 40000
const DEEPEST = 300

const isHidden = (node) =>
  node.hasAttribute('hidden') || node.getAttribute('aria-hidden') === 'true' ||
  /(display\\s*:\\s*none|visibility\\s*:\\s*hidden)/i.test((node.getAttribute('style') || '').slice(0, 1000))

// One walk without recursion, which deep pages would break.
function render(root) {
  const parts = []
  const count = { size: 0, elements: 0, deepest: 0, isCut: false }
  let gap = 0, pre = 0, depth = 0, endsInSpace = true
  const write = (text) => {
    if (gap > 0 && parts.length > 0) { parts.push('\\n'.repeat(gap)); endsInSpace = true }
    gap = 0
    const piece = endsInSpace && pre === 0 ? text.trimStart() : text
    if (piece === '') return
    parts.push(piece)
    count.size += piece.length
    endsInSpace = /\\s$/.test(piece)
  }
  const open = (node) => {
    const name = node.nodeName.toUpperCase()
    if (APART.has(name)) gap = 2
    else if (OWN_LINE.has(name)) gap = Math.max(gap, 1)
    if (/^H[1-6]$/.test(name)) write('#'.repeat(Number(name[1])) + ' ')
    else if (name === 'LI') write('- ')
    else if ((name === 'TD' || name === 'TH') && node.previousElementSibling) write(' | ')
    else if (name === 'PRE') pre += 1
    if (name === 'H1' || name === 'LI') endsInSpace = true
  }
  const close = (node) => {
    const name = node.nodeName.toUpperCase()
    if (name === 'PRE') pre -= 1
    if (APART.has(name)) gap = 2
    else if (OWN_LINE.has(name)) gap = Math.max(gap, 1)
  }
  let node = root.firstChild
  while (node && node !== root) {
    if (count.size > workerData.kept) { count.isCut = true; break }
    if (node.nodeType === 3) {
      const text = pre > 0 ? node.data : node.data.replace(/\\s+/g, ' ')
      if (text.trim() !== '') write(text)
      else if (gap === 0 && !endsInSpace) write(' ')
    } else if (node.nodeType === 1 && !SKIPPED.has(node.nodeName.toUpperCase()) && !isHidden(node)) {
      count.elements += 1
      open(node)
      if (node.firstChild) {
        node = node.firstChild
        depth += 1
        if (depth > count.deepest) count.deepest = depth
        continue
      }
      close(node)
    }
    while (node && node !== root && !node.nextSibling) {
      node = node.parentNode
      depth -= 1
      if (node && node !== root) close(node)
    }
    if (node && node !== root) node = node.nextSibling
  }
  const text = parts.join('').split('\\n').map((line) => line.trimEnd()).join('\\n').trim()
  return { ...count, text: text.slice(0, workerData.kept) }
}

const titleOf = (document) => {
  const own = document.querySelector('meta[property="og:title"]')?.getAttribute('content')
  return (own || document.querySelector('title')?.textContent || document.querySelector('h1')?.textContent || '').slice(0, 1000)
}

function article(document, whole) {
  if (whole.elements > MOST_ELEMENTS || whole.deepest > DEEPEST) return undefined
  const found = new Readability(document, { serializer: (node) => node, maxElemsToParse: MOST_ELEMENTS }).parse()
  if (!found || !found.content) return undefined
  const { text, isCut } = render(found.content)
  // On pages that are no article it finds some corner of them.
  if (text.length < 500 && text.length < whole.text.length / 2) return undefined
  return { title: found.title || '', text, isCut, publishedAt: found.publishedTime || undefined }
}

parentPort.on('message', (html) => {
  const isWhole = /<html[\\s>]/i.test(html.slice(0, 5000))
  const { document } = parseHTML(isWhole ? html : '<html><body>' + html + '</body></html>')
  const whole = render(document.body || document.documentElement)
  const title = titleOf(document)
  parentPort.postMessage({ kind: 'whole', page: { title, text: whole.text, isCut: whole.isCut } })
  let page
  try { page = article(document, whole) } catch { /* the whole text stands */ }
  parentPort.postMessage({ kind: 'article', page: page && { ...page, title: page.title || title } })
})
parentPort.postMessage({ kind: 'ready' })
`

type Message =
  | { readonly kind: 'ready' }
  | { readonly kind: 'whole'; readonly page: ReadableText }
  | { readonly kind: 'article'; readonly page?: ReadableText }
  | { readonly kind: 'lost'; readonly why: string }

/**
 * The readable text of HTML, by Mozilla's Readability in a thread of its own with little memory, which is thrown away
 * afterwards. A page on which that takes too long gives its whole text.
 * @throws TuttiError `DocumentError` for a page that cannot be parsed within time and memory; the signal's reason
 */
export async function readableText(html: string, options: ReadableOptions = {}): Promise<ReadableText> {
  const { timeoutMs = TIMEOUT_MS, heapMb = HEAP_MB, signal } = options
  signal?.throwIfAborted()
  const isCut = html.length > HTML_KEPT
  const require = createRequire(import.meta.url)
  const worker = new Worker(PROGRAM, {
    eval: true,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    workerData: {
      linkedom: require.resolve('linkedom'),
      readability: require.resolve('@mozilla/readability'),
      kept: TEXT_KEPT,
    },
  })
  const inbox = inboxOf(worker, signal)
  try {
    const ready = await inbox.next(START_TIMEOUT_MS)
    if (ready.kind === 'lost') {
      throw new TuttiError('Internal', `The reader of web pages did not start: ${ready.why}. Reinstall Tutti.`)
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(html.slice(0, HTML_KEPT))
    const whole = await inbox.next(timeoutMs)
    if (whole.kind !== 'whole') throw unreadable(whole)
    const article = await inbox.next(timeoutMs)
    const page = (article.kind === 'article' ? article.page : undefined) ?? whole.page
    return { ...page, isCut: page.isCut || isCut }
  } finally {
    inbox.close()
    await worker.terminate()
  }
}

function unreadable(message: Message): TuttiError {
  const why = message.kind === 'lost' ? message.why : 'its parser gave no text'
  return new TuttiError('DocumentError', `The page cannot be read: ${why}.`)
}

/** The worker's messages one by one; its death or silence is a message as well. */
function inboxOf(worker: Worker, signal: AbortSignal | undefined) {
  const waiting: Message[] = []
  let wake: (() => void) | undefined
  const put = (message: Message): void => {
    waiting.push(message)
    wake?.()
  }
  const onAbort = (): void => wake?.()
  worker.on('message', put)
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const why = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needs too much memory' : error.message
    put({ kind: 'lost', why })
  })
  worker.on('exit', () => put({ kind: 'lost', why: 'its parser stopped' }))
  signal?.addEventListener('abort', onAbort, { once: true })
  return {
    async next(timeoutMs: number): Promise<Message> {
      if (waiting.length === 0 && signal?.aborted !== true) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          wake = resolve
          timer = setTimeout(
            () => put({ kind: 'lost', why: `reading it took longer than ${timeoutMs / 1000} s` }),
            timeoutMs,
          )
        })
        clearTimeout(timer)
        wake = undefined
      }
      signal?.throwIfAborted()
      return waiting.shift()!
    },
    close(): void {
      signal?.removeEventListener('abort', onAbort)
    },
  }
}
