/** A receiver of traces on loopback that stores requests in OTLP JSON. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code?: number; readonly message?: string }
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface ReceivedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
  readonly spans: readonly ReceivedSpan[]
}

/** Its response; `undefined` never responds. */
export type Answering = (
  request: ReceivedRequest,
) => { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string } | undefined

export interface OtlpReceiver {
  readonly url: string
  readonly host: string
  readonly requests: readonly ReceivedRequest[]
  /** All received spans, in order. */
  readonly spans: readonly ReceivedSpan[]
  answers: Answering
  close(): Promise<void>
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const received = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        spans: body === '' ? [] : spansIn(body),
      }
      requests.push(received)
      const answer = receiver.answers(received)
      if (answer === undefined) return
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
      response.end(answer.body ?? '{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const receiver: OtlpReceiver = {
    url: `http://${host}`,
    host,
    requests,
    get spans() {
      return requests.flatMap(({ spans }) => spans)
    },
    answers: () => ({}),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

type Value = {
  readonly stringValue?: string
  readonly boolValue?: boolean
  readonly intValue?: string
  readonly doubleValue?: number
  readonly arrayValue?: { readonly values: readonly Value[] }
}
type RawSpan = Omit<ReceivedSpan, 'attributes'> & { attributes: { key: string; value: Value }[] }

/** The spans of a request, with plain attributes. */
export function spansIn(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: RawSpan[] }[] }[] }
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map((span) => ({
      ...span,
      attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, plain(value)])),
    }))
}

function plain({ stringValue, boolValue, intValue, doubleValue, arrayValue }: Value): unknown {
  if (arrayValue !== undefined) return arrayValue.values.map(plain)
  return stringValue ?? boolValue ?? doubleValue ?? Number(intValue)
}
