import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { startServed } from '../test/support/served.ts'

// `npm run soak:connections -- [connections]`: opens slow and half-open connections to a server of its own, and tells what it holds
// before, while they are there, and a minute after the last was opened. Ends with 1 when anything of them is left.

const MINUTE_MS = 60_000
const MAX_MORE_BYTES = 30 * 2 ** 20

const [count = 1_000] = process.argv.slice(2).map(Number)
if (!(count > 0)) {
  console.error('Usage: npm run soak:connections -- [connections]')
  process.exit(2)
}

const HEAD = 'host: 127.0.0.1\r\ncontent-type: application/json\r\n'
const MANY_ANSWERS = `GET /openapi.json HTTP/1.1\r\n${HEAD}\r\n`.repeat(20)

/** What a client does that is slow, or is there no more. None of them closes its side unless it is said so. */
const KINDS: Readonly<Record<string, (socket: Socket, drip: (bytes: string) => void) => void>> = {
  'sends nothing': () => undefined,
  'sends its headers byte by byte': (socket, drip) => {
    socket.write('GET / HTTP/1.1\r\nx: ')
    drip('y')
  },
  'sends no body': (socket) => void socket.write(`POST /runs HTTP/1.1\r\n${HEAD}content-length: 100000\r\n\r\n`),
  'sends its body byte by byte': (socket, drip) => {
    socket.write(`POST /runs HTTP/1.1\r\n${HEAD}content-length: 100000\r\n\r\n`)
    drip(' ')
  },
  'uploads byte by byte': (socket, drip) => {
    socket.write('POST /upload HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: multipart/form-data; boundary=b\r\n')
    socket.write(
      'content-length: 100000\r\n\r\n--b\r\ncontent-disposition: form-data; name="f"; filename="f.txt"\r\n\r\n',
    )
    drip('z')
  },
  'takes nothing of its answers': (socket) => void socket.pause().write(MANY_ANSWERS),
  'closes its side of a stream': (socket) => {
    const body = '{"question": "How many customers are there?", "confirmPlan": true}'
    socket.end(`POST /query/stream HTTP/1.1\r\n${HEAD}content-length: ${body.length}\r\n\r\n${body}`)
  },
  'goes in the midst of a stream': (socket) => {
    const body = '{"question": "How many orders are there?", "confirmPlan": true}'
    socket.write(`POST /query/stream HTTP/1.1\r\n${HEAD}content-length: ${body.length}\r\n\r\n${body}`)
    socket.once('data', () => socket.resetAndDestroy())
  },
}

/** The states of TCP in which a side that is still held can be, as /proc numbers them. */
const STATES: Readonly<Record<string, string>> = {
  '01': 'open',
  '04': 'closing',
  '05': 'half closed',
  '08': 'half closed',
}

const server = await startServed()
const { hostname, port } = new URL(server.url)
/** By the port of the client. */
const kindOf = new Map<number, string>()

/** Connections that the server holds, counted by kind and state; empty where there is no /proc. */
async function leftByKind(): Promise<Readonly<Record<string, number>>> {
  const table = await readFile('/proc/net/tcp', 'utf8').catch(() => '')
  const counts: Record<string, number> = {}
  for (const line of table.split('\n').slice(1)) {
    const [, local = '', remote = '', state = '', , , , , , inode] = line.trim().split(/\s+/)
    const [here, there] = [local, remote].map((address) => parseInt(address.split(':')[1] ?? '', 16))
    // What no process holds any more has no inode; the kernel ends it.
    if (here !== Number(port) || there === 0 || inode === '0') continue
    const kind = `${kindOf.get(there!) ?? 'other'}, ${STATES[state] ?? state}`
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

const sockets: Socket[] = []
const drips: NodeJS.Timeout[] = []
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
try {
  // What a first request loads is no part of it.
  await fetch(`${server.url}/openapi.json`, { headers: { connection: 'close' } }).then((answer) => answer.text())
  for (const act of Object.values(KINDS)) {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    socket.on('error', () => undefined)
    act(socket, () => undefined)
    await pause(500)
    socket.destroy()
  }
  await pause(2_000)
  const before = await server.holding()
  const kinds = Object.entries(KINDS)
  for (let i = 0; i < count; i++) {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    sockets.push(socket)
    socket.on('error', () => undefined)
    const [kind, act] = kinds[i % kinds.length]!
    socket.once('connect', () => kindOf.set(socket.localPort!, kind))
    act(socket, (bytes) => {
      drips.push(setInterval(() => socket.writable && socket.write(bytes), 1_000))
    })
    if (i % 50 === 49) await pause(50)
  }
  // Connections are taken in turn, so that all are when this one is answered.
  await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } })
  const during = await server.holding()
  console.log(`${count} connections are open; now a minute`)
  await pause(MINUTE_MS)
  const after = await server.holding()
  const mb = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
  console.table(
    Object.entries({ before, during, after }).map(
      ([when, { heapBytes, externalBytes, residentBytes, handles, resources }]) => ({
        when,
        'open files and sockets': handles,
        connections: resources['TCPSocketWrap'] ?? 0,
        'heap and outside of it, MB': mb(heapBytes + externalBytes),
        'resident, MB': mb(residentBytes),
      }),
    ),
  )
  const left = await leftByKind()
  if (Object.keys(left).length > 0) console.table(left)
  const used = ({ heapBytes, externalBytes }: typeof before): number => heapBytes + externalBytes
  const isLeft = after.handles > before.handles || used(after) - used(before) > MAX_MORE_BYTES
  console.log(isLeft ? 'Something of them is left.' : 'Nothing of them is left.')
  process.exitCode = isLeft ? 1 : 0
} finally {
  for (const drip of drips) clearInterval(drip)
  for (const socket of sockets) socket.destroy()
  await server.close()
}
