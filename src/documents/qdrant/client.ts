import { z } from 'zod'
import { serverHost } from '../../domain/server-url.ts'
import type { HttpClient, HttpResponse } from '../../http/client.ts'
import { TuttiError } from '../../domain/errors.ts'

/** Name of the vector of a point. */
const DENSE = 'dense'

export type IndexKind = 'keyword' | 'text'

export type Condition =
  | { readonly key: string; readonly match: { readonly value: string } | { readonly any: readonly string[] } }
  | { readonly is_empty: { readonly key: string } }

export interface QdrantFilter {
  readonly must?: readonly Condition[]
  readonly must_not?: readonly Condition[]
}

export interface Point {
  readonly id: string
  readonly vector: { readonly [DENSE]?: readonly number[] }
  readonly payload: Readonly<Record<string, unknown>>
}

export interface FoundPoint {
  readonly payload: Readonly<Record<string, unknown>>
  /** Cosine similarity in a search. */
  readonly score?: number | undefined
}

/** State of an existing collection. */
export interface CollectionState {
  /** Size of the dense vector; absent if the collection has none of that name. */
  readonly size?: number
  /** Payload fields with an index. */
  readonly indexed: ReadonlySet<string>
}

/**
 * The part of Qdrant's REST API used here. Writes are complete when they return. A missing collection counts as empty,
 * except for `upsert` and `createIndex`, which fail. Calls throw TuttiError `StorageError` with the host.
 */
export interface QdrantClient {
  readonly host: string
  /** `GET /collections/{name}`; undefined if it does not exist. */
  collection(name: string): Promise<CollectionState | undefined>
  /** `PUT /collections/{name}`: vectors compared by cosine. Does nothing if it exists. */
  createCollection(name: string, size: number): Promise<void>
  /** `DELETE /collections/{name}` */
  deleteCollection(name: string): Promise<void>
  /** `PUT /collections/{name}/index` */
  createIndex(name: string, field: string, kind: IndexKind): Promise<void>
  /** `PUT /collections/{name}/points` */
  upsert(name: string, points: readonly Point[]): Promise<void>
  /** `POST /collections/{name}/points/query`: nearest first. */
  query(
    name: string,
    vector: Float32Array,
    filter: QdrantFilter,
    limit: number,
    fields: readonly string[],
  ): Promise<readonly FoundPoint[]>
  /** `POST /collections/{name}/points/scroll`: page after page. */
  scroll(name: string, filter: QdrantFilter, wanted: Wanted): AsyncIterable<readonly FoundPoint[]>
  /** `POST /collections/{name}/points/delete` */
  deletePoints(name: string, filter: QdrantFilter): Promise<void>
}

interface Wanted {
  /** Payload fields to return. */
  readonly fields: readonly string[]
  readonly pageSize: number
}

/** Timeouts: a search delays an answer; a write may wait for an index. */
const READ_TIMEOUT_MS = 10_000
const WRITE_TIMEOUT_MS = 60_000
/** Maximum response size. */
const MAX_BYTES = 16_000_000

const point = z.object({
  payload: z.record(z.string(), z.unknown()).nullish(),
  score: z.number().optional(),
})
const pages = z.object({ points: z.array(point), next_page_offset: z.union([z.string(), z.number()]).nullish() })
const info = z.object({
  config: z.object({
    params: z.object({ vectors: z.record(z.string(), z.unknown()).nullish() }),
  }),
  payload_schema: z.record(z.string(), z.unknown()).nullish(),
})
const sized = z.object({ size: z.number() })
const failure = z.object({ status: z.object({ error: z.string() }) })

/** Creates a client. Sends no request before the first call. */
export function createQdrantClient(config: QdrantConfig, http: HttpClient): QdrantClient {
  const host = serverHost(config.url)
  const headers = { 'content-type': 'application/json', ...(config.key === undefined ? {} : { 'api-key': config.key }) }

  async function exchange(method: string, path: string, body: unknown, timeoutMs: number): Promise<HttpResponse> {
    try {
      return await http.request({
        method,
        url: `${config.url}/collections/${path}`,
        headers,
        timeoutMs,
        maxBytes: MAX_BYTES,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    } catch (thrown) {
      throw unreachableQdrant(host, thrown)
    }
  }

  /** The `result` of an answer; undefined for one of the statuses in `passed`, where Qdrant itself gave it. */
  async function ask(
    method: string,
    name: string,
    rest: string,
    body: unknown,
    passed: readonly number[] = [],
  ): Promise<unknown> {
    const isRead = method === 'GET' || /query|scroll/.test(rest)
    const path = encodeURIComponent(name) + rest
    const answer = await exchange(method, path, body, isRead ? READ_TIMEOUT_MS : WRITE_TIMEOUT_MS)
    const json = jsonOf(answer)
    if (answer.status === 200 && json !== undefined && 'result' in json) return json['result']
    const reason = failure.safeParse(json).data?.status.error
    if (reason !== undefined && passed.includes(answer.status)) return undefined
    throw responseError(host, answer.status, reason)
  }

  function read<T>(schema: z.ZodType<T>, result: unknown): T {
    const parsed = schema.safeParse(result)
    if (parsed.success) return parsed.data
    throw responseError(host, 200, undefined)
  }

  return {
    host,
    async collection(name) {
      const result = await ask('GET', name, '', undefined, [404])
      return result === undefined ? undefined : stateOf(read(info, result))
    },
    async createCollection(name, size) {
      await ask('PUT', name, '', { vectors: { [DENSE]: { size, distance: 'Cosine' } } }, [409])
    },
    async deleteCollection(name) {
      await ask('DELETE', name, '', undefined, [404])
    },
    async createIndex(name, field, kind) {
      await ask('PUT', name, '/index?wait=true', { field_name: field, field_schema: kind })
    },
    async upsert(name, points) {
      await ask('PUT', name, '/points?wait=true', { points })
    },
    async query(name, vector, filter, limit, fields) {
      const body = { query: [...vector], using: DENSE, filter, limit, with_payload: fields }
      const result = await ask('POST', name, '/points/query', body, [404])
      return result === undefined ? [] : read(pages, result).points.map(foundPoint)
    },
    async *scroll(name, filter, { fields, pageSize }) {
      let offset: string | number | undefined
      do {
        const body = {
          filter,
          limit: pageSize,
          with_payload: fields,
          ...(offset === undefined ? {} : { offset }),
        }
        const result = await ask('POST', name, '/points/scroll', body, [404])
        if (result === undefined) return
        const page = read(pages, result)
        yield page.points.map(foundPoint)
        offset = page.next_page_offset ?? undefined
      } while (offset !== undefined)
    },
    async deletePoints(name, filter) {
      await ask('POST', name, '/points/delete?wait=true', { filter }, [404])
    },
  }
}

function jsonOf({ body }: HttpResponse): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function stateOf({ config: { params }, payload_schema: schema }: z.infer<typeof info>): CollectionState {
  const dense = sized.safeParse(params.vectors?.[DENSE])
  return {
    ...(dense.success ? { size: dense.data.size } : {}),
    indexed: new Set(Object.keys(schema ?? {})),
  }
}

function foundPoint({ payload, score }: z.infer<typeof point>): FoundPoint {
  return { payload: payload ?? {}, score }
}

/** Network trouble on the way to Qdrant. The address of the request is left out: it names the owner. */
function unreachableQdrant(host: string, cause: unknown): TuttiError {
  const code = TuttiError.is(cause, 'HttpRequestError') ? cause.details?.code : undefined
  const reason = code === undefined ? '' : ` (${code})`
  return new TuttiError(
    'StorageError',
    `Qdrant at ${host} does not answer${reason}. Check that it runs and that TUTTI_QDRANT_URL is right.`,
    { retryable: true, cause },
  )
}

/** An answer that is an error, or that does not come from Qdrant. */
function responseError(host: string, status: number, reason: string | undefined): TuttiError {
  if (status === 401 || status === 403) {
    return new TuttiError(
      'StorageError',
      `Qdrant at ${host} refuses the key (status ${status}). Check TUTTI_QDRANT_KEY.`,
    )
  }
  if (reason === undefined) {
    return new TuttiError(
      'StorageError',
      `The server at ${host} (status ${status}) is not a Qdrant server. Check TUTTI_QDRANT_URL.`,
      { retryable: status >= 500 },
    )
  }
  const isBusy = status === 429 || status >= 500
  const message = `Qdrant at ${host} ${isBusy ? 'is overloaded or unavailable' : 'refused a request'} (status ${status}): ${reason.slice(0, 300)}`
  return new TuttiError('StorageError', message, { retryable: isBusy })
}

/** A Qdrant server that the operator named. */
export interface QdrantConfig {
  /** Base URL without a slash at its end. */
  readonly url: string
  readonly key?: string
}
