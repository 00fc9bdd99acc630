import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** A raw request: nothing is corrected before it is sent. */
export interface Wire {
  readonly method: string
  /** The target of the request line. */
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: Buffer
  /** Raw bytes instead of the request. */
  readonly raw?: Buffer
}

export interface Answer {
  /** 0 when the connection ended without one. */
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const MAX_MS = 60_000
/** Endless answers are not awaited: other tests cover the server's time limits. */
const UNFINISHED_MS = 1_000
/** Characters that are read of an event stream, which may last as long as its run. */
const OF_STREAM = 2_000

/**
 * @param isWhole whether an answer must come
 * @throws Error when there is no answer within a minute
 */
export function send(url: string, wire: Wire, isWhole: boolean): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let bytes = Buffer.alloc(0)
    const end = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answerIn(bytes))
    }
    const giveUp = (): void => {
      socket.destroy()
      reject(new Error('There was no answer for a minute.'))
    }
    const timer = isWhole ? setTimeout(giveUp, MAX_MS) : setTimeout(end, UNFINISHED_MS)
    socket.on('data', (more) => {
      bytes = Buffer.concat([bytes, more])
      if (bytes.length > OF_STREAM && /^content-type: text\/event-stream/im.test(headOf(bytes))) end()
    })
    // When a body is refused before its end, the received bytes are the answer.
    socket.on('error', end)
    socket.on('close', end)
    socket.write(wire.raw ?? bytesOf(wire))
  })
}

function bytesOf({ method, path, headers, body }: Wire): Buffer {
  const head = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '', '']
  return Buffer.concat([Buffer.from(head.join('\r\n')), body ?? Buffer.alloc(0)])
}

function headOf(bytes: Buffer): string {
  const end = bytes.indexOf('\r\n\r\n')
  return end < 0 ? '' : bytes.subarray(0, end).toString('latin1')
}

function answerIn(bytes: Buffer): Answer {
  const head = headOf(bytes)
  const [first = '', ...lines] = head.split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? 0)
  // The interim response to `Expect` does not count.
  if (status === 100) return answerIn(bytes.subarray(head.length + 4))
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
    headers[name.toLowerCase()] = value
  }
  const body = bytes.subarray(head.length + 4)
  const whole = headers['transfer-encoding'] === 'chunked' ? unchunked(body) : body
  return { status, headers, text: headers['content-type'] === 'application/gzip' ? unpacked(whole) : whole.toString() }
}

/** The contents of the files of an archive, which pads each with NULs. */
function unpacked(archive: Buffer): string {
  return gunzipSync(archive).toString().replaceAll('\0', '')
}

function unchunked(body: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const end = body.indexOf('\r\n', at)
    const size = end < 0 ? 0 : Number.parseInt(body.subarray(at, end).toString('latin1'), 16)
    if (!(size > 0)) break
    pieces.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(pieces)
}
