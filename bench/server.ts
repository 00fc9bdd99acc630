/**
 * `npm run bench:server`: what the server costs, beside what the same costs without it, in one run. Numbers of different runs or machines
 * are not to be compared.
 */
import { randomUUID } from 'node:crypto'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/shared/clock.ts'
import { LOCAL_OWNER } from '../src/domain/owner.ts'
import { processorMs } from '../src/processes/processor-time.ts'
import { openStorage } from '../src/storage/index.ts'
import { insert } from '../src/storage/sql/query.ts'
import type { Script } from '../src/storage/sql/script.ts'
import { startServed } from '../test/support/served.ts'
import { memoryPerWaitingRun } from './memory.ts'
import { quantile } from './retrieval-measures.ts'

const STREAMS = 500
const PER_SECOND = 20
const SECONDS = 15
const MB = 1_000_000

type Row = Readonly<Record<string, string | number>>

async function main(): Promise<void> {
  const only = process.argv[2]
  const rows: Record<string, Row> = {}
  const parts: Readonly<Record<string, () => Promise<Record<string, Row>>>> = { lists, streams, waiting, uploads }
  for (const [name, part] of Object.entries(parts)) {
    if (only === undefined || only === name) Object.assign(rows, await part())
  }
  console.table(rows)
}

/** `GET /conversations`, 50 times a second, of somebody who has many of them, and of one who has few. */
async function lists(): Promise<Record<string, Row>> {
  const figures: number[][] = []
  // A page is full of either.
  for (const count of [100, 10_000]) {
    const served = await startServed(async ({ dataDir }) => {
      const storage = await openStorage({ dataDir, clock: systemClock, onError: () => undefined })
      await storage.sql.write(LOCAL_OWNER, function* (): Script<void> {
        for (let i = 0; i < count; i++) {
          const at = 1_700_000_000_000 + i
          const times = { createdAt: at, updatedAt: at }
          const about = { conversationId: randomUUID(), title: `Question ${i}`, turns: 1 }
          yield insert('conversations', { owner: LOCAL_OWNER, ...about, ...times })
        }
      })
      await storage.close()
    })
    try {
      figures.push(await asked(`${served.url}/conversations`, 50, SECONDS))
    } finally {
      await served.close()
    }
  }
  const [few, many] = figures.map((ms) => quantile(ms, 0.99)) as [number, number]
  return {
    'GET /conversations at 50 a second, p99': {
      measured: `${many.toFixed(1)} ms with 10,000`,
      beside: `${few.toFixed(1)} ms with 100`,
      ratio: (many / few).toFixed(2),
    },
  }
}

/** Milliseconds of each request, which are sent at their times whatever became of those before. */
async function asked(url: string, perSecond: number, seconds: number): Promise<number[]> {
  for (let i = 0; i < 50; i++) await (await fetch(url)).text()
  const taken: Promise<number>[] = []
  const startedAt = performance.now()
  for (let i = 0; i < perSecond * seconds; i++) {
    await sleep(startedAt + (i * 1_000) / perSecond - performance.now())
    const from = performance.now()
    const one = fetch(url).then(async (response) => {
      await response.text()
      return performance.now() - from
    })
    taken.push(one)
  }
  return Promise.all(taken)
}

/** Many streams of one run to which so many entries come a second, beside a bare Fastify that sends the same bytes to as many. */
async function streams(): Promise<Record<string, Row>> {
  const ours = await streamed('tutti')
  const bare = await streamed('fastify')
  const row = (of: 'cpuMs' | 'grownMb' | 'totalMb', unit: string): Row => ({
    measured: `${ours[of].toFixed(0)} ${unit}`,
    beside: `${bare[of].toFixed(0)} ${unit} (bare Fastify)`,
    ratio: (ours[of] / bare[of]).toFixed(2),
  })
  const what = `${STREAMS} streams × ${PER_SECOND} a second, ${SECONDS} s`
  return {
    [`${what}: processor`]: row('cpuMs', 'ms'),
    [`${what}: memory that they add`]: row('grownMb', 'MB'),
    [`${what}: memory in all`]: row('totalMb', 'MB'),
    [`${what}: entries that came`]: {
      measured: ours.came,
      beside: bare.came,
      ratio: (ours.came / bare.came).toFixed(2),
    },
  }
}

async function streamed(kind: 'tutti' | 'fastify') {
  const child = spawn(
    process.execPath,
    [
      '--expose-gc',

      join(import.meta.dirname, 'server-streams.mjs'),
      kind,
    ],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  )
  const [{ port, path }] = (await once(child, 'message')) as [{ port: number; path: string }]
  try {
    const before = await residentMb(child)
    const sockets: Socket[] = []
    let came = 0
    for (let i = 0; i < STREAMS; i++) sockets.push(await opened(port, path, (entries) => (came += entries)))
    await sleep(1_000)
    came = 0
    const cpu = processorMs(child.pid!)!
    child.send({ seconds: SECONDS, perSecond: PER_SECOND })
    await once(child, 'message')
    // Until all have come, for half a minute at most.
    for (let i = 0; i < 300; i++) {
      if (came >= STREAMS * PER_SECOND * SECONDS) break
      await sleep(100)
    }
    const totalMb = await residentMb(child)
    const cpuMs = processorMs(child.pid!)! - cpu
    for (const socket of sockets) socket.destroy()
    return { cpuMs, totalMb, grownMb: totalMb - before, came }
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

/** A stream that is read and put aside; its entries are counted. */
async function opened(port: number, path: string, onEntries: (count: number) => void): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: text/event-stream\r\n\r\n`)
  let rest = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    const parts = (rest + text).split('\ndata:')
    rest = parts.at(-1)!.slice(-5)
    onEntries(parts.length - 1)
  })
  return socket
}

async function residentMb({ pid }: ChildProcess): Promise<number> {
  return (await statusOf(pid!, 'VmRSS')) / MB
}

async function statusOf(pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) * 1_024
}

async function waiting(): Promise<Record<string, Row>> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-bench-server-'))
  const storage = await openStorage({ dataDir: folder, clock: systemClock, onError: () => undefined })
  try {
    const bytes = await memoryPerWaitingRun(storage.store)
    return {
      '1,000 waiting runs, heap': { measured: `${((bytes * 1_000) / MB).toFixed(1)} MB`, beside: '', ratio: '' },
    }
  } finally {
    await storage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** 150 MB, as a form and in pieces: what the server holds at most, beside what it holds before. */
async function uploads(): Promise<Record<string, Row>> {
  const rows: Record<string, Row> = {}
  const file = await pdfOf(149 * MB)
  for (const how of ['form', 'pieces'] as const) {
    const served = await startServed()
    try {
      const pid = served.process.child.pid!
      const before = await statusOf(pid, 'VmHWM')
      await send(served.url, how, file)
      const peak = await statusOf(pid, 'VmHWM')
      rows[`upload of ${(file.size / MB).toFixed(0)} MB (${how}), peak of the server`] = {
        measured: `${(peak / MB).toFixed(0)} MB`,
        beside: `${(before / MB).toFixed(0)} MB before it`,
        ratio: (peak / before).toFixed(2),
      }
    } finally {
      await served.close()
    }
  }
  return rows
}

async function send(url: string, how: 'form' | 'pieces', file: Blob): Promise<void> {
  const form = new FormData()
  form.append('file', file, 'large.pdf')
  const { sendFile } = await import('../src/client/upload.ts')
  const answer =
    how === 'form'
      ? await (await fetch(`${url}/upload`, { method: 'POST', body: form })).json()
      : await sendFile({ url }, '/upload', file, { name: 'large.pdf' })
  const [{ status }] = (answer as { items: [{ status: string }] }).items
  if (status !== 'added') throw new Error(`The upload of the benchmark failed: ${JSON.stringify(answer)}`)
}

/** A PDF of one page with so many bytes attached. */
async function pdfOf(bytes: number): Promise<Blob> {
  const { default: PdfDocument } = await import('pdfkit')
  const { randomBytes } = await import('node:crypto')
  const document = new PdfDocument({ compress: false })
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const ended = once(document, 'end')
  document.text('Employees get 28 days of holiday.')
  document.file(randomBytes(bytes), { name: 'noise.bin' })
  document.end()
  await ended
  return new Blob(parts.map((part) => new Uint8Array(part)))
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}

await main()
