import { parsedJson } from '../../../core/outside.ts'
import { z } from 'zod'
import type { ArtifactRef } from '../../../core/artifacts.ts'
import type { HttpResponse } from '../../../http/client.ts'
import { mediaTypeOf, textOf } from '../../../http/text.ts'
import { redact } from '../../../core/secrets.ts'
import { boundJson } from './bound.ts'
import { recordsInCsv } from './csv.ts'

/** Characters of text that are kept of an answer which is not JSON. */
const MAX_TEXT = 50_000

export const replySchema = z.object({
  api: z.string(),
  method: z.string(),
  url: z.string(),
  status: z.number(),
  mediaType: z.string(),
  /** Size of the unpacked body, as far as it was read. */
  bytes: z.number(),
  elapsedMs: z.number(),
  kind: z.enum(['json', 'csv', 'text', 'binary', 'empty']),
  /** Of `json`; of `csv` the records. Long lists are cut. */
  json: z.unknown().optional(),
  text: z.string().optional(),
  /** Not all of the answer is here. */
  isCut: z.boolean(),
  /** Where the whole answer is kept when it was cut. */
  artifact: z
    .object({ id: z.string(), name: z.string(), mediaType: z.string(), bytes: z.number(), path: z.string().optional() })
    .optional() as z.ZodOptional<z.ZodType<ArtifactRef>>,
  /** The origin that the answer really came from, when a redirect led to another one. */
  movedTo: z.string().optional(),
  /** Of the header `Link`, relation `next`. */
  nextUrl: z.string().optional(),
  retryAfter: z.string().optional(),
})

/** What came back from an API, in a size that fits the log. */
export type Reply = z.infer<typeof replySchema>

export type Content = Pick<Reply, 'kind' | 'json' | 'text' | 'isCut'>

/** Reads a body by its media type, and by its looks where a service names none or a wrong one. */
export async function contentOf(response: HttpResponse, secrets: readonly string[]): Promise<Content> {
  const { body, truncated } = response
  if (body.length === 0) return { kind: 'empty', isCut: false }
  const mediaType = mediaTypeOf(response)
  if (isBinary(mediaType, body)) return { kind: 'binary', isCut: true }
  const text = redact(textOf(response), secrets).replace(/^\uFEFF/, '')
  if (/[/+]json$/.test(mediaType) || /^\s*[[{]/.test(text)) {
    // It may be cut off, or something else under the name of JSON: shown as text.
    const json = parsedJson(text)
    if (json !== undefined) return { kind: 'json', ...boundJson(json) }
  }
  if (/[/]csv$|comma-separated/.test(mediaType)) {
    const records = await recordsInCsv(text, truncated)
    if (records !== undefined) {
      const { json, isCut } = boundJson(records)
      return { kind: 'csv', json, isCut: isCut || truncated }
    }
  }
  return { kind: 'text', text: text.slice(0, MAX_TEXT), isCut: truncated || text.length > MAX_TEXT }
}

function isBinary(mediaType: string, body: Uint8Array): boolean {
  if (/^(image|audio|video|font)\//.test(mediaType) || /pdf|zip|octet-stream|msword|officedocument/.test(mediaType)) {
    return mediaType !== 'image/svg+xml'
  }
  return body.subarray(0, 1_000).includes(0)
}
