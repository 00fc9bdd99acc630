import { tryParseExactJson } from '../../../shared/json.ts'
import type { ArtifactRef } from '../../../domain/artifacts.ts'
import type { HttpResponse } from '../../../http/client.ts'
import { mediaTypeOf, bodyText } from '../../../http/body.ts'
import { redact } from '../../../domain/secrets.ts'

/** Characters of text that are kept of an answer which is not JSON. */
const MAX_TEXT = 50_000

/** The response of an API, in a size that fits the log. */
export interface Reply {
  readonly api: string
  readonly method: string
  readonly url: string
  readonly status: number
  readonly mediaType: string
  /** Size of the unpacked body, as far as it was read, in bytes. */
  readonly bytes: number
  readonly elapsedMs: number
  readonly kind: 'json' | 'text' | 'binary' | 'empty'
  /** Long lists are cut. */
  readonly json?: unknown
  readonly text?: string
  /** Not all of the answer is here. */
  readonly isCut: boolean
  /** The artifact with the full answer, if it was cut. */
  readonly artifact?: ArtifactRef
  /** The actual origin of the response, if a redirect led to another one. */
  readonly movedTo?: string
  /** Of the header `Link`, relation `next`. */
  readonly nextUrl?: string
  readonly retryAfter?: string
}

export type Content = Pick<Reply, 'kind' | 'json' | 'text' | 'isCut'>

/** Parses a body by its media type, or by its content if the media type is missing or wrong. */
export function readContent(response: HttpResponse, secrets: readonly string[]): Content {
  const { body, truncated } = response
  if (body.length === 0) return { kind: 'empty', isCut: false }
  const mediaType = mediaTypeOf(response)
  if (isBinary(mediaType, body)) return { kind: 'binary', isCut: true }
  const text = redact(bodyText(response), secrets).replace(/^\uFEFF/, '')
  if (/[/+]json$/.test(mediaType) || /^\s*[[{]/.test(text)) {
    // It may be cut off, or something else under the name of JSON: shown as text.
    const json = tryParseExactJson(text)
    if (json !== undefined) return { kind: 'json', ...boundJson(json) }
  }
  return { kind: 'text', text: text.slice(0, MAX_TEXT), isCut: truncated || text.length > MAX_TEXT }
}

function isBinary(mediaType: string, body: Uint8Array): boolean {
  if (/^(image|audio|video|font)\//.test(mediaType) || /pdf|zip|octet-stream|msword|officedocument/.test(mediaType)) {
    return mediaType !== 'image/svg+xml'
  }
  return body.subarray(0, 1_000).includes(0)
}

/** Characters of JSON that are kept of an answer; records of lists. */
const MAX_CHARS = 200_000
const MAX_RECORDS = 1_000
const MAX_STRING = 2_000

/**
 * Shortens a value for the log: long texts and lists are cut and marked as cut. If the value is still too large, the
 * beginning of its JSON text is kept.
 */
export function boundJson(value: unknown): { json: unknown; isCut: boolean } {
  let isCut = false
  const cut = (node: unknown, records: number): unknown => {
    if (typeof node === 'string') {
      if (node.length <= MAX_STRING) return node
      isCut = true
      return `${node.slice(0, MAX_STRING)}…`
    }
    if (Array.isArray(node)) {
      if (node.length > records) isCut = true
      return node.slice(0, records).map((inner) => cut(inner, records))
    }
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, cut(inner, records)]))
  }
  for (let records = MAX_RECORDS; records >= 10; records = Math.floor(records / 2)) {
    const json = cut(value, records)
    if (JSON.stringify(json).length <= MAX_CHARS) return { json, isCut }
  }
  return { json: `${JSON.stringify(value).slice(0, MAX_STRING)}…`, isCut: true }
}
