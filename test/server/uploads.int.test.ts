import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Upload } from 'tus-js-client'
import { describe, expect, inject, it } from 'vitest'
import { createRandom } from '../support/random.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { testSeed } from '../support/seed.ts'
import { openForAll } from '../support/opened.ts'

const SEED = testSeed()
const MB = 1_048_576
const TUS = { 'tus-resumable': '1.0.0' }
const OFFSETS = 'application/offset+octet-stream'

interface Begun {
  readonly uploadId: string
  readonly bytes: number
  readonly received: number
}

/** Incompressible bytes without repetition. */
function bytesOf(length: number, seed = SEED): Buffer {
  const random = createRandom(seed)
  const bytes = Buffer.alloc(length)
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE(random.int(0, 2 ** 32 - 1), at)
  return bytes
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

function metadata(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

async function begin(world: HttpWorld, length: number, fields: Readonly<Record<string, string>>, as = 'ada') {
  const headers = { ...TUS, 'upload-length': String(length), 'upload-metadata': metadata(fields) }
  const response = await world.fetch('/uploads', { method: 'POST', headers, as })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Begun }
}

async function patch(world: HttpWorld, id: string, at: number, bytes: Uint8Array, as = 'ada', more = {}) {
  const headers = { ...TUS, 'content-type': OFFSETS, 'upload-offset': String(at), ...more }
  return world.fetch(`/uploads/${id}`, { method: 'PATCH', headers, body: new Uint8Array(bytes), as })
}

/** Sends part of a longer request, and cuts the connection after this many bytes. */
async function cut(world: HttpWorld, id: string, at: number, bytes: Buffer, after: number): Promise<void> {
  const sending = request(`${world.url}/uploads/${id}`, {
    method: 'PATCH',
    headers: {
      ...TUS,
      'content-type': OFFSETS,
      'upload-offset': at,
      'content-length': bytes.length,
      'x-test-person': 'ada',
    },
  })
  sending.on('error', () => undefined)
  await new Promise<void>((resolve) => sending.write(bytes.subarray(0, after), () => resolve()))
  const socket = sending.socket!
  const closed = once(socket, 'close')
  socket.destroy()
  await closed
}

async function kept(world: HttpWorld, id: string, owner = 'ada'): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of world.app.uploads.read(owner, id)) pieces.push(piece)
  return Buffer.concat(pieces)
}

const NOTE = '# Holiday\n\nEmployees get 28 days of holiday.\n'

describe('chunked uploads', () => {
  const world = openForAll(() => startHttpWorld())

  it('are started, sent, and added to library, collection and question', async () => {
    const { collectionId } = await world.json<{ collectionId: string }>('/collections', { json: { name: 'notes' } })
    for (const path of ['/upload', `/collections/${collectionId}/documents`, '/attachments']) {
      const { status, headers, body } = await begin(world, NOTE.length, { filename: '../holi\u202Eday.md' })
      expect(status).toBe(201)
      expect(headers.get('location')).toBe(`/uploads/${body.uploadId}`)
      const half = await patch(world, body.uploadId, 0, Buffer.from(NOTE.slice(0, 20)))
      expect([half.status, half.headers.get('upload-offset')]).toEqual([204, '20'])
      const early = await world.json(path, { json: { uploads: [body.uploadId] } })
      expect(early).toMatchObject({ status: 400, code: 'InvalidRequest' })
      const head = await world.fetch(`/uploads/${body.uploadId}`, { method: 'HEAD' })
      const told = ['upload-offset', 'upload-length', 'tus-resumable', 'cache-control'].map((one) =>
        head.headers.get(one),
      )
      expect([head.status, ...told]).toEqual([200, '20', String(NOTE.length), '1.0.0', 'no-store'])
      expect((await patch(world, body.uploadId, 20, Buffer.from(NOTE.slice(20)))).status).toBe(204)
      const asked = { json: { uploads: [body.uploadId] }, headers: { 'idempotency-key': body.uploadId } }
      const taken = await world.fetch(path, asked)
      expect(taken.status).toBe(201)
      const text = await taken.text()
      expect(JSON.parse(text)).toMatchObject({ items: [{ name: 'holiday.md' }] })
      // A repetition gets the same answer, although the upload is gone.
      const again = await world.fetch(path, asked)
      expect([again.headers.get('idempotent-replayed'), await again.text()]).toEqual(['true', text])
      expect((await world.fetch(`/uploads/${body.uploadId}`)).status).toBe(404)
      expect((await world.fetch(path, { json: { uploads: [body.uploadId] } })).status).toBe(404)
    }
    expect(await world.json('/uploads')).toEqual({ items: [] })
    const { answer } = await world.json<{ answer: string }>('/query', {
      json: { question: 'How many days of holiday do employees get?' },
    })
    expect(answer).toContain('28')
  })

  it('are private, and need a key with the scope for documents', async () => {
    const { body } = await begin(world, 10, { filename: 'mine.md' })
    const path = `/uploads/${body.uploadId}`
    expect((await world.fetch(path, { as: 'ben' })).status).toBe(404)
    expect((await patch(world, body.uploadId, 0, Buffer.from('0123456789'), 'ben')).status).toBe(404)
    expect((await world.fetch(path, { as: 'ben', method: 'DELETE' })).status).toBe(404)
    expect(await world.json('/uploads', { as: 'ben' })).toEqual({ items: [] })
    expect((await patch(world, body.uploadId, 0, Buffer.from('0123456789'))).status).toBe(204)
    expect((await world.fetch('/upload', { as: 'ben', json: { uploads: [body.uploadId] } })).status).toBe(404)
    expect((await world.fetch('/upload', { as: 'member-key-read', json: { uploads: [body.uploadId] } })).status).toBe(
      403,
    )
    expect((await world.fetch(path, { method: 'DELETE' })).status).toBe(204)
    expect((await world.fetch(path)).status).toBe(404)
    expect(await world.app.artifacts.list(`upload-${body.uploadId}`)).toEqual([])
  })

  it('report faults: offset, length, version, media type, headers', async () => {
    const { body } = await begin(world, 10, { filename: 'wrong.md' })
    const send = async (at: string, bytes: string, more = {}) =>
      (await patch(world, body.uploadId, at as never, Buffer.from(bytes), 'ada', more)).status
    expect(await send('3', 'abc')).toBe(409)
    expect(await send('-1', 'abc')).toBe(400)
    expect(await send('1e1', 'abc')).toBe(400)
    expect(await send('0', 'more than ten')).toBe(413)
    expect(await send('0', 'abc', { 'tus-resumable': '0.2.2' })).toBe(412)
    expect(await send('0', 'abc', { 'content-type': 'application/json' })).toBe(400)
    expect(await send('0', 'abc', { 'content-type': 'application/x-other' })).toBe(415)
    expect(await send('0', 'abc')).toBe(204)
    expect(await send('0', 'abc')).toBe(409)
    expect(await send('3', '')).toBe(204)
    expect(await world.json(`/uploads/${body.uploadId}`)).toMatchObject({ received: 3, bytes: 10 })
    const post = async (headers: Readonly<Record<string, string>>) =>
      (await world.fetch('/uploads', { method: 'POST', headers })).status
    expect(await post({})).toBe(400)
    expect(await post({ 'upload-length': 'ten' })).toBe(400)
    expect(await post({ 'upload-length': '150000001' })).toBe(413)
    expect(await post({ 'upload-length': '5', 'upload-metadata': 'a b c d' })).toBe(400)
    expect(await post({ 'upload-length': '5', 'upload-metadata': metadata({ collection: 'none' }) })).toBe(404)
    const options = await world.fetch('/uploads', { method: 'OPTIONS', as: null })
    const told = ['tus-version', 'tus-extension', 'tus-max-size'].map((one) => options.headers.get(one))
    expect([options.status, ...told]).toEqual([204, '1.0.0', 'creation,expiration,termination', '150000000'])
  })

  it('reserve storage from the beginning, within the limit of open uploads', async () => {
    const limit = (most?: number) =>
      world.fetch('/limits', {
        as: 'root',
        method: 'PUT',
        json: { to: 'everyone', measure: 'storage', period: 'ever', ...(most === undefined ? {} : { most }) },
      })
    await limit(3_000)
    const text = `# Rain\n\n${'It rains. '.repeat(200)}\n`
    const { status, body } = await begin(world, text.length, { filename: 'rain.md' }, 'ben')
    expect(status).toBe(201)
    expect((await begin(world, text.length, { filename: 'other.md' }, 'ben')).status).toBe(429)
    expect((await begin(world, 3_001, { filename: 'other.md' }, 'ben')).status).toBe(413)
    const form = new FormData()
    form.append('file', new Blob([text]), 'form.md')
    expect(await world.json('/upload', { as: 'ben', method: 'POST', body: form })).toMatchObject({ status: 429 })
    expect(await world.json('/limits', { as: 'ben' })).toMatchObject({ items: [{ used: text.length }] })
    await patch(world, body.uploadId, 0, Buffer.from(text), 'ben')
    expect((await world.fetch('/upload', { as: 'ben', json: { uploads: [body.uploadId] } })).status).toBe(201)
    expect(await world.json('/limits', { as: 'ben' })).toMatchObject({ items: [{ used: text.length }] })
    await limit()
    const begun = await Promise.all(Array.from({ length: 52 }, () => begin(world, 1, { filename: 'x' }, 'gus')))
    expect(begun.filter((one) => one.status === 429)).toHaveLength(2)
  })

  it('work with the tus client, which resumes at the offset', async () => {
    const bytes = bytesOf(3 * MB + 17)
    const options = {
      endpoint: `${world.url}/uploads`,
      headers: { 'x-test-person': 'ada' },
      metadata: { filename: 'of-tus.bin', filetype: 'application/octet-stream' },
      chunkSize: 700_000,
    }
    let url = ''
    await new Promise<void>((resolve, reject) => {
      const upload = new Upload(bytes, {
        ...options,
        onError: reject,
        onChunkComplete: (_size, accepted) => {
          if (accepted < MB) return
          url = upload.url!
          void upload.abort().then(resolve)
        },
      })
      upload.start()
    })
    await new Promise<void>((resolve, reject) => {
      new Upload(bytes, { ...options, uploadUrl: url, onError: reject, onSuccess: () => resolve() }).start()
    })
    const id = url.split('/').at(-1)!
    expect(digest(await kept(world, id))).toBe(digest(bytes))
    await new Upload(bytes, { ...options, uploadUrl: url }).abort(true)
    await Upload.terminate(url, options)
    expect((await world.fetch(`/uploads/${id}`)).status).toBe(404)
  })
})

const PLACES = ['memory', 'files', 'PostgreSQL'] as const

describe.each(PLACES)('in %s', (place) => {
  const isLeftOut = place === 'PostgreSQL' && inject('postgresUrl') === ''

  it.skipIf(isLeftOut)('a connection that is cut anywhere loses and repeats no bytes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tutti-uploads-'))
    const clock = new ManualClock(Date.now())
    const storage =
      place === 'memory'
        ? {}
        : place === 'files'
          ? { storage: { folder } }
          : { storage: { databaseUrl: await createTestDatabase(inject('postgresUrl')), secretKey: '0'.repeat(64) } }
    const world = await startHttpWorld({ ...storage, clock })
    const random = createRandom(SEED)
    try {
      const bytes = bytesOf(6 * MB + 4_321)
      const { body } = await begin(world, bytes.length, { filename: 'cut.bin' })
      const { uploadId } = body
      const where = async () => (await world.json<Begun>(`/uploads/${uploadId}`)).received
      let at = 0
      for (let i = 0; i < 20; i++) {
        const rest = bytes.subarray(at)
        const after = random.int(0, random.int(0, Math.min(rest.length, 3 * MB)))
        if (random.chance(0.3)) {
          // The next request overtakes a connection that is not yet known to be closed.
          const slow = cut(world, uploadId, at, rest, after)
          const found = await where()
          // When it is refused before it is read, its connection may be closed, too.
          await patch(world, uploadId, found, bytes.subarray(found, found + 1_000)).catch(() => undefined)
          await slow
        } else await cut(world, uploadId, at, rest, after)
        at = await where()
      }
      // Bytes that are still being written come first, or are refused.
      for (let status = 409; status === 409;) {
        at = await where()
        status = (await patch(world, uploadId, at, bytes.subarray(at))).status
      }
      expect(await where()).toBe(bytes.length)
      expect(digest(await kept(world, uploadId)), `seed ${SEED}`).toBe(digest(bytes))

      const other = await begin(world, 10, { filename: 'left.bin' })
      await clock.advance(23 * 3_600_000)
      await patch(world, other.body.uploadId, 0, Buffer.from('12345'))
      await clock.advance(2 * 3_600_000)
      await expect.poll(() => world.app.artifacts.list(`upload-${uploadId}`)).toEqual([])
      expect(await where().catch(() => undefined)).toBeUndefined()
      expect(await world.json('/uploads')).toMatchObject({ items: [{ uploadId: other.body.uploadId, received: 5 }] })
      const left = () => readdir(join(folder, 'artifacts')).catch(() => [`upload-${other.body.uploadId}`])
      await expect.poll(left).toEqual([`upload-${other.body.uploadId}`])
    } finally {
      await world.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
