import { TuttiError } from '../../domain/errors.ts'
import type { HttpClient, HttpResponse } from '../../http/client.ts'
import { mediaTypeOf } from '../../http/body.ts'
import { plainText } from '../hits.ts'
import { readableText } from './readable.ts'

/** A page with its readable content. All of it is untrusted. */
export interface WebPage {
  /** Its final URL, after redirects. */
  readonly url: string
  readonly title: string
  readonly text: string
  /** As given by the page. */
  readonly publishedAt?: string
  /** True if the text was truncated. */
  readonly isCut: boolean
}

const TIMEOUT_MS = 20_000
const MAX_BYTES = 5_000_000
const MAX_TEXT_CHARS = 40_000
const MAX_TITLE_CHARS = 300
const ACCEPT = 'text/html, application/xhtml+xml, text/plain, text/markdown, application/json;q=0.9, */*;q=0.5'

/** Files that Tutti reads as documents, with their display names. */
const DOCUMENTS: readonly (readonly [RegExp, string])[] = [
  [/^application\/pdf$/, 'a PDF'],
  [/wordprocessingml|msword/, 'a Word document'],
  [/spreadsheetml|ms-excel/, 'a workbook'],
]

/**
 * Fetches a page through the guarded client and returns its readable text: the article of an HTML page, or the whole
 * plain text, Markdown or JSON. Does not run scripts or load images.
 * @throws TuttiError `HttpRequestError` if the guard or the network rejects the request, `HttpError` for a status of
 * 400 and above, `DocumentError` if it is not a page
 */
export async function readPage(http: HttpClient, url: string, signal?: AbortSignal): Promise<WebPage> {
  const abortOptions = signal === undefined ? {} : { signal }
  const response = await http.request({
    url,
    headers: { accept: ACCEPT },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    ...abortOptions,
  })
  if (response.status >= 400) throw statusError(response)
  const kind = kindOf(response)
  const { decodeText, LATIN } = await import('../../markup/charset.ts')
  const origin = { contentType: response.headers['content-type'], isPage: true, isCut: response.truncated }
  const text = decodeText(response.body, origin)?.text ?? new TextDecoder(LATIN).decode(response.body)
  const page = kind === 'html' ? await htmlPage(text, response, signal) : plainPage(text, response)
  if (page.text === '') throw documentError(response, 'has no text that can be read without running its scripts')
  return page
}

async function htmlPage(html: string, response: HttpResponse, signal: AbortSignal | undefined): Promise<WebPage> {
  const read = await readableText(html, signal === undefined ? {} : { signal }).catch((thrown: unknown) => {
    if (!TuttiError.is(thrown, 'DocumentError')) throw thrown
    throw documentError(response, `could not be read. ${thrown.message}`)
  })
  const { publishedAt } = read
  return {
    url: response.url,
    title: plainText(read.title, MAX_TITLE_CHARS).replace(/\s+/g, ' ') || nameOf(response),
    text: plainText(read.text, MAX_TEXT_CHARS),
    ...(publishedAt === undefined ? {} : { publishedAt: plainText(publishedAt, 40) }),
    isCut: read.isCut || response.truncated,
  }
}

function plainPage(text: string, response: HttpResponse): WebPage {
  const isCut = response.truncated || text.length > MAX_TEXT_CHARS
  return { url: response.url, title: nameOf(response), text: plainText(text, MAX_TEXT_CHARS), isCut }
}

function kindOf(response: HttpResponse): 'html' | 'text' {
  const type = mediaTypeOf(response)
  const start = new TextDecoder('latin1').decode(response.body.subarray(0, 1_000))
  const document = start.startsWith('%PDF-') ? 'a PDF' : DOCUMENTS.find(([pattern]) => pattern.test(type))?.[1]
  if (document !== undefined) {
    throw documentError(response, `is ${document}, not a page. Download it and add it to the documents`)
  }
  if (/^(text\/html|application\/xhtml\+xml)$/.test(type)) return 'html'
  if (/^text\/|[/+](json|xml|yaml)$|^application\/(x-ndjson|javascript)$/.test(type)) return 'text'
  if (type !== '' && type !== 'application/octet-stream') throw documentError(response, `is ${type}, which has no text`)
  if (start.includes('\0')) throw documentError(response, 'is a file without text')
  return /<(!doctype html|html|head|body)[\s>]/i.test(start) ? 'html' : 'text'
}

function statusError(response: HttpResponse): TuttiError {
  const { status, headers } = response
  const retryAfter = headers['retry-after']
  return new TuttiError('HttpError', `${pageAddress(response)} was answered with ${status}.`, {
    retryable: status === 429 || status >= 500,
    details: { status, ...(retryAfter === undefined ? {} : { retryAfter }) },
  })
}

function documentError(response: HttpResponse, what: string): TuttiError {
  return new TuttiError('DocumentError', `${pageAddress(response)} ${what.replace(/\.$/, '')}.`)
}

/** Without the query, which may hold a key. */
function pageAddress({ url }: HttpResponse): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** The title of a page that has none. */
function nameOf({ url }: HttpResponse): string {
  const { host, pathname } = new URL(url)
  return pathname === '/' ? host : `${host}${pathname}`
}
