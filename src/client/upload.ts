import { ApiError, readResponseBody, sendRequest, type Connection } from './api.ts'
import { pause } from './event-stream.ts'

/** Options of `sendFile`. */
export interface Sending {
  /** File name; absent for a `File`, which has one. */
  readonly name?: string
  /** Called with the share sent so far, from 0 to 1. */
  readonly onSent?: (share: number) => void
  readonly signal?: AbortSignal
}

/** Larger files are sent in pieces. Resuming a smaller one saves nothing. */
const AT_ONCE_BYTES = 1_048_576
const MAX_PIECE_BYTES = 16 * AT_ONCE_BYTES
/** A piece that takes less time makes the next one larger; a much slower one makes it smaller. */
const FAST_MS = 1_000
const SLOW_MS = 10_000
const WAITS_MS = [500, 1_000, 2_000, 5_000]
/** Maximum of consecutive failures without progress: a minute and a half. */
const MAX_FAILURES = 20
const SAMPLE_BYTES = 65_536

/**
 * Uploads a file. A large one is sent in pieces (tus 1.0) and resumes after the connection or the server was lost. A
 * `File` also resumes an upload that was started on another day or page.
 * @param path with its query
 * @throws ApiError for an error response; `TypeError`, as `fetch` does, if the server cannot be reached for a minute
 * and a half
 */
export async function sendFile<T>(connection: Connection, path: string, file: Blob, sending: Sending): Promise<T> {
  const { onSent, signal } = sending
  const name = sending.name ?? ('name' in file ? String(file.name) : 'document')
  const stop = signal === undefined ? {} : { signal }
  if (file.size <= AT_ONCE_BYTES) {
    const form = new FormData()
    form.append('file', file, name)
    const response = sendRequest(connection, 'POST', path, { body: form, ...stop })
    // The file is sent in one request; the remaining wait is for the response.
    onSent?.(1)
    return (await readResponseBody(await response)) as T
  }
  const [, collection] = /^\/collections\/([^/?]+)\/documents/.exec(path) ?? []
  const about = { filename: name, collection: collection === undefined ? undefined : decodeURIComponent(collection) }
  const uploadId = await sendPieces(connection, file, about, sending)
  // If the response is lost, it is sent again for the same key.
  const headers = { 'idempotency-key': uploadId }
  const body = { uploads: [uploadId] }
  for (let failures = 1; ; failures++) {
    try {
      return (await readResponseBody(await sendRequest(connection, 'POST', path, { body, headers, ...stop }))) as T
    } catch (thrown) {
      await waitAfter(thrown, failures, signal)
    }
  }
}

interface StartedUpload {
  readonly uploadId: string
  readonly received: number
  readonly fingerprint?: string
}

/** @returns the ID of the completed upload */
async function sendPieces(
  connection: Connection,
  file: Blob,
  about: { readonly filename: string; readonly collection: string | undefined },
  { onSent, signal }: Sending,
): Promise<string> {
  const stop = signal === undefined ? {} : { signal }
  const fingerprint = await fingerprintOf(file, about.filename)
  const { uploadId, received: before } =
    (await storedUpload(connection, fingerprint, stop)) ??
    (await begin(connection, file.size, { ...about, fingerprint }, stop))
  const path = `/uploads/${encodeURIComponent(uploadId)}`
  let received = before
  let size = AT_ONCE_BYTES
  for (let failures = 0; received < file.size;) {
    onSent?.(received / file.size)
    try {
      const headers = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(received) }
      const startedAt = performance.now()
      const body = file.slice(received, received + size)
      const response = await sendRequest(connection, 'PATCH', path, { body, headers, ...stop })
      received = Number(response.headers.get('upload-offset'))
      const took = performance.now() - startedAt
      if (took < FAST_MS) size = Math.min(size * 2, MAX_PIECE_BYTES)
      if (took > SLOW_MS) size = Math.max(size / 2, AT_ONCE_BYTES)
      failures = 0
    } catch (thrown) {
      size = AT_ONCE_BYTES
      await waitAfter(thrown, ++failures, signal)
      const now = await uploadOffset(connection, path, stop).catch(() => received)
      if (now > received) failures = 0
      received = now
    }
  }
  onSent?.(1)
  return uploadId
}

const TUS = { 'tus-resumable': '1.0.0' }

async function begin(
  connection: Connection,
  bytes: number,
  about: Readonly<Record<string, string | undefined>>,
  stop: { readonly signal?: AbortSignal },
): Promise<StartedUpload> {
  const pairs = Object.entries(about).filter(([, value]) => value !== undefined)
  const metadata = pairs.map(([key, value]) => `${key} ${base64(value!)}`).join(',')
  const headers = { ...TUS, 'upload-length': String(bytes), 'upload-metadata': metadata }
  return (await readResponseBody(
    await sendRequest(connection, 'POST', '/uploads', { headers, ...stop }),
  )) as StartedUpload
}

async function storedUpload(
  connection: Connection,
  fingerprint: string | undefined,
  stop: { readonly signal?: AbortSignal },
): Promise<StartedUpload | undefined> {
  if (fingerprint === undefined) return undefined
  const { items } = (await readResponseBody(await sendRequest(connection, 'GET', '/uploads', stop))) as {
    items: readonly StartedUpload[]
  }
  return items.find((one) => one.fingerprint === fingerprint)
}

async function uploadOffset(
  connection: Connection,
  path: string,
  stop: { readonly signal?: AbortSignal },
): Promise<number> {
  return ((await readResponseBody(await sendRequest(connection, 'GET', path, stop))) as StartedUpload).received
}

/** Hash of name, size, modification time and both ends of the file; undefined if the modification time is unknown. */
async function fingerprintOf(file: Blob, name: string): Promise<string | undefined> {
  const changed = 'lastModified' in file ? file.lastModified : undefined
  if (typeof changed !== 'number') return undefined
  const ends = [file.slice(0, SAMPLE_BYTES), file.slice(-SAMPLE_BYTES)]
  const bytes = new Uint8Array(await new Blob(ends).arrayBuffer())
  let hash = 0x811c9dc5
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return `${name.slice(-200)} ${file.size} ${changed} ${hash.toString(16)}`
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

/** Waits before the next attempt. @throws the error if it is not retryable */
async function waitAfter(thrown: unknown, failures: number, signal: AbortSignal | undefined): Promise<void> {
  const isPassing =
    thrown instanceof ApiError
      ? thrown.status >= 500 || [408, 409].includes(thrown.status)
      : thrown instanceof TypeError
  if (signal?.aborted === true || !isPassing || failures > MAX_FAILURES) throw thrown
  await pause(WAITS_MS[Math.min(failures - 1, WAITS_MS.length - 1)]!, signal)
}
