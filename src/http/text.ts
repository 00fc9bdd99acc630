import type { HttpResponse } from './client.ts'

/** Media type of a response without parameters, in lower case; empty if the server sent none. */
export function mediaTypeOf({ headers }: Pick<HttpResponse, 'headers'>): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
}

/** The body as text in the declared encoding, else UTF-8. Invalid bytes become U+FFFD. */
export function bodyText({ headers, body }: Pick<HttpResponse, 'headers' | 'body'>): string {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1]
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(body)
  } catch {
    return new TextDecoder('utf-8').decode(body) // a charset that nobody knows
  }
}
