import type { SearchHit } from './types.ts'

const MAX_TITLE_CHARS = 300
const MAX_SNIPPET_CHARS = 1_500
const MAX_CONTENT_CHARS = 20_000
const MAX_URL_CHARS = 2_000

/** A result as a service gives it, with anything missing. */
export interface RawHit {
  readonly title?: string | null | undefined
  readonly url?: string | null | undefined
  readonly snippet?: string | null | undefined
  readonly content?: string | null | undefined
  readonly score?: number | null | undefined
  readonly publishedAt?: string | null | undefined
}

/** Results in one form: web addresses only, nothing twice, texts bounded, scores from 0 to 1, best first. */
export function cleanHits(raw: readonly RawHit[], limit: number): SearchHit[] {
  const highest = Math.max(1, ...raw.map(({ score }) => (Number.isFinite(score) ? score! : 0)))
  const hitsByUrl = new Map<string, SearchHit>()
  for (const { title, url, snippet, content, score, publishedAt } of raw) {
    const address = webAddress(url)
    if (address === undefined || hitsByUrl.has(address)) continue
    const text = plainText(content, MAX_CONTENT_CHARS)
    hitsByUrl.set(address, {
      title: oneLine(title, MAX_TITLE_CHARS) || new URL(address).host,
      url: address,
      snippet: oneLine(snippet, MAX_SNIPPET_CHARS),
      ...(text === '' ? {} : { content: text }),
      score: Number.isFinite(score) ? Math.max(0, score! / highest) : 0,
      ...(publishedAt ? { publishedAt: oneLine(publishedAt, 40) } : {}),
    })
  }
  return [...hitsByUrl.values()].sort((a, b) => b.score - a.score).slice(0, limit)
}

/** An http or https address without fragment; undefined for anything else. */
function webAddress(text: string | null | undefined): string | undefined {
  if (!text || text.length > MAX_URL_CHARS || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  return url.href
}

function oneLine(text: string | null | undefined, kept: number): string {
  return plainText(text, kept).replace(/\s+/g, ' ')
}

/** Without characters that control a screen; services mark the words found with tags, which go, too. */
export function plainText(text: string | null | undefined, kept: number): string {
  return (
    (text ?? '')
      .slice(0, kept * 2)
      .replace(/<\/?(?:b|em|strong|mark|span)>/gi, '')
      // oxlint-disable-next-line no-control-regex -- those are what must go
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
      .trim()
      .slice(0, kept)
  )
}
