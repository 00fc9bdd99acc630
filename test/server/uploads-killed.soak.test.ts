// Soak test: kills a server during uploads.
import { createHash } from 'node:crypto'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import PdfDocument from 'pdfkit'
import { expect, it } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { createRandom, type Random } from '../support/random.ts'
import { createCliWorld, type CliWorld, type Running } from '../cli/support.ts'
import { testSeed } from '../support/seed.ts'

const SEED = testSeed()
const MB = 1_048_576

/** A PDF of one page with this many incompressible bytes attached. */
async function pdfOf(bytes: number, random: Random): Promise<Uint8Array<ArrayBuffer>> {
  const noise = Buffer.alloc(bytes)
  for (let at = 0; at + 4 <= bytes; at += 4) noise.writeUInt32LE(random.int(0, 2 ** 32 - 1), at)
  const document = new PdfDocument()
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise((resolve) => document.on('end', resolve))
  document.text('Employees get 28 days of holiday.')
  document.file(noise, { name: 'noise.bin' })
  document.end()
  await ended
  return new Uint8Array(Buffer.concat(parts))
}

/** A proxy that drops the connection after this many bytes, and reports it. */
async function startLosing(cutAfter: () => number) {
  let target = 0
  let cuts = 0
  let left = cutAfter()
  const open = new Set<Socket>()
  const server = createServer((from) => {
    const to = connect(target, '127.0.0.1')
    const end = (): void => {
      from.destroy()
      to.destroy()
    }
    for (const socket of [from, to]) {
      open.add(socket)
      socket.on('error', end).on('close', () => {
        open.delete(socket)
        end()
      })
    }
    from.on('data', (bytes: Buffer) => {
      left -= bytes.length
      if (left > 0) return void (to.write(bytes) || from.pause())
      cuts++
      left = cutAfter()
      // Part of it still arrives.
      to.write(bytes.subarray(0, bytes.length >> 1), end)
    })
    to.on('drain', () => from.resume())
    to.pipe(from)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead: (port: number) => (target = port),
    cuts: () => cuts,
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

async function serve(world: CliWorld): Promise<{ readonly server: Running; readonly port: number }> {
  const server = world.start(['serve', '--port', '0'])
  const said = await server.saidOut(/http:\/\/127\.0\.0\.1:\d+/)
  return { server, port: Number(/127\.0\.0\.1:(\d+)/.exec(said)![1]) }
}

it('a file upload resumes at its offset after lost connections and a killed server', async () => {
  const random = createRandom(SEED)
  const bytes = await pdfOf(24 * MB, random)
  const world = await createCliWorld()
  let { server, port } = await serve(world)
  // Pieces grow to 16 MB: some arrive whole, most do not.
  const proxy = await startLosing(() => random.int(1, 6 * MB))
  proxy.lead(port)
  /** In the middle of the next piece. */
  const killed = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    server.child.kill('SIGKILL')
    await server.done
    ;({ server, port } = await serve(world))
    proxy.lead(port)
  }
  try {
    let isKilled = false
    let kill: Promise<void> | undefined
    const shares: number[] = []
    const client = createClient({ url: proxy.url })
    const added = await client.upload('POST /upload', new Blob([bytes]), {
      name: 'noise.pdf',
      onSent(share) {
        shares.push(share)
        if (isKilled || share < 0.3) return
        isKilled = true
        kill = killed()
      },
    })
    await kill
    expect(added.items).toMatchObject([{ name: 'noise.pdf', status: 'added' }])
    expect(isKilled).toBe(true)
    expect(proxy.cuts()).toBeGreaterThan(1)
    expect(shares, 'what was there once stays there').toEqual(shares.toSorted((a, b) => a - b))
    const { documentId } = added.items[0]!.document!
    const file = await fetch(`http://127.0.0.1:${port}/documents/${documentId}/file`)
    const there = Buffer.from(await file.arrayBuffer())
    const digest = (of: Uint8Array): string => createHash('sha256').update(of).digest('hex')
    expect(digest(there), `seed ${SEED}`).toBe(digest(bytes))
    expect(await createClient({ url: `http://127.0.0.1:${port}` }).call('GET /uploads')).toEqual({ items: [] })
    const folders = await readdir(join(world.dataDir, 'artifacts'))
    expect(folders.filter((name) => name.startsWith('upload-'))).toEqual([])
  } finally {
    proxy.close()
    server.child.kill('SIGKILL')
    await server.done
    await world.close()
  }
})
