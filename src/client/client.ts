import { readResponseBody, sendRequest, type Connection } from './api.ts'
import type { Operations } from './api-types.ts'
import { readEvents } from './event-stream.ts'
import { sendFile, type Sending } from './upload.ts'
import { applyEvent, isOver, type LiveText, type RunEvent, type RunState } from './run.ts'

type Operation = keyof Operations
type Part = 'path' | 'query' | 'body'
type Absent<O extends Operation> = { [K in Part]: Operations[O][K] extends undefined ? K : never }[Part]
type Optional<O extends Operation> = { [K in Part]: undefined extends Operations[O][K] ? K : never }[Part]

/** Arguments of an operation: path parameters, query and body, as far as it has them. */
export type Given<O extends Operation> = Omit<Operations[O], Optional<O> | 'answer'> & {
  [K in Exclude<Optional<O>, Absent<O>>]?: Operations[O][K]
} & { readonly signal?: AbortSignal; readonly headers?: Readonly<Record<string, string>> }

type Arguments<O extends Operation, G = Given<O>> = Record<never, never> extends G ? [given?: G] : [given: G]

/** Operations that accept files. */
type UploadOperation = 'POST /upload' | 'POST /attachments' | 'POST /collections/{collectionId}/documents'

/** Tutti's HTTP API (docs/http-api.md), with the types of the OpenAPI document. */
export interface Client {
  /**
   * Calls an operation, named by method and path as in `/openapi.json`.
   * @throws ApiError for an error response; `TypeError`, as `fetch` does, if the server cannot be reached, and for a
   * parameter that would change the path
   */
  call<O extends Operation>(operation: O, ...given: Arguments<O>): Promise<Operations[O]['answer']>

  /**
   * Uploads a file. A large one is sent in pieces, and resumes after the connection or the server was lost. A `File`
   * also resumes an upload of another program or page.
   * @throws ApiError for an error response; `TypeError` if the server cannot be reached for a minute and a half
   */
  upload<O extends UploadOperation>(
    operation: O,
    file: Blob,
    ...given: Arguments<O, Omit<Given<O>, 'body' | 'headers'> & Sending>
  ): Promise<Operations[O]['answer']>

  /**
   * Follows a run to its end: yields every log entry once and in order, and between them the pieces of the answer while
   * it is written. Reconnects without losing entries.
   * @throws ApiError if the run cannot be read
   */
  follow(runId: string, options?: { readonly signal?: AbortSignal }): AsyncGenerator<RunEvent | LiveText, void>
}

/** Creates a client for a Tutti server, in Node.js or a browser. */
export function createClient(connection: Connection): Client {
  return {
    async call(operation, ...[given = {}]) {
      const { body, signal, headers } = given as Loose
      const sent = {
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
        ...(headers === undefined ? {} : { headers }),
      }
      const [method, place] = addressOf(operation, given as Loose)
      return (await readResponseBody(await sendRequest(connection, method, place, sent))) as never
    },
    async upload(operation, file, ...[given = {}]) {
      const [, place] = addressOf(operation, given as Loose)
      return sendFile(connection, place, file, given as Sending)
    },
    follow: (runId, options) => follow(connection, runId, options?.signal),
  }
}

function addressOf(operation: Operation, { path = {}, query = {} }: Loose): readonly [method: string, place: string] {
  const [method, template] = operation.split(' ') as [string, string]
  const place = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => partOf(name, path[name]))
  const asked = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  ).toString()
  return [method, asked === '' ? place : `${place}?${asked}`]
}

/** Rejects `.`, `..` and empty values: they would change the path. */
function partOf(name: string, value: unknown): string {
  const part = String(value ?? '')
  if (/^\.{0,2}$/.test(part)) throw new TypeError(`The path needs a ${name}; "${part}" is none.`)
  return encodeURIComponent(part)
}

interface Loose {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

async function* follow(
  connection: Connection,
  runId: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunEvent | LiveText, void> {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted === true) stop()
  const waiting: (RunEvent | LiveText)[] = []
  let state: RunState | undefined
  let trouble: Error | undefined
  let ring = (): void => {}
  const reading = readEvents(connection, `/runs/${partOf('runId', runId)}/events?format=log`, {
    signal: controller.signal,
    take(data) {
      const item = JSON.parse(data) as RunEvent | LiveText
      if (item.type !== 'live.text') {
        if (item.seq <= (state?.seq ?? 0)) return
        state = applyEvent(state, item)
      }
      waiting.push(item)
      ring()
    },
    isOver: () => state !== undefined && isOver(state),
    onTrouble: (error) => (trouble = error),
  })
  let isDone = false
  void reading.finally(() => {
    isDone = true
    ring()
  })
  try {
    for (;;) {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) yield item
      if (isDone) break
      await new Promise<void>((resolve) => {
        ring = resolve
        if (waiting.length > 0 || isDone) resolve()
      })
    }
    signal?.throwIfAborted()
    if (trouble !== undefined && (state === undefined || !isOver(state))) throw trouble
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}
