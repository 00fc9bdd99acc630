import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PdfDocument from 'pdfkit'
import { expect, inject, it } from 'vitest'
import { createTestDatabase } from '../support/postgres.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'

/** A PDF of one page that is larger than a piece of an upload. */
async function pdf(): Promise<Buffer> {
  const document = new PdfDocument({ compress: false })
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise((resolve) => document.on('end', resolve))
  document.text('Employees get 28 days of holiday.')
  document.file(Buffer.alloc(700_000, 'noise '), { name: 'noise.bin' })
  document.end()
  await ended
  return Buffer.concat(parts)
}

/** Requests go to either of two servers that share PostgreSQL, but no files. */
it.skipIf(inject('postgresUrl') === '')('two servers without a shared disk have the same files', async () => {
  const databaseUrl = await createTestDatabase(inject('postgresUrl'))
  const folders = await Promise.all(['a', 'b'].map((name) => mkdtemp(join(tmpdir(), `tutti-apart-${name}-`))))
  const start = (cwd: string): Promise<HttpWorld> =>
    startHttpWorld({ storage: { databaseUrl, secretKey: '7'.repeat(64) }, cwd, documents: [] })
  const [a, b] = (await Promise.all(folders.map(start))) as [HttpWorld, HttpWorld]
  try {
    const bytes = await pdf()
    const tus = { 'tus-resumable': '1.0.0' }
    const metadata = `filename ${Buffer.from('holiday.pdf').toString('base64')}`
    const begin = { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': metadata }
    const sent = async (to: HttpWorld): Promise<object> => {
      const { uploadId } = await a.json<{ uploadId: string }>('/uploads', { method: 'POST', headers: begin })
      const patch = async (at: HttpWorld, from: number, end: number): Promise<number> => {
        const headers = {
          ...tus,
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(from),
        }
        const body = new Uint8Array(bytes.subarray(from, end))
        return (await at.fetch(`/uploads/${uploadId}`, { method: 'PATCH', headers, body })).status
      }
      expect(await patch(a, 0, 600_000)).toBe(204)
      expect(await patch(b, 0, 10)).toBe(409)
      // In parallel: it is stored once, and both get the same answer.
      const both = await Promise.all([a, b].map((one) => patch(one, 600_000, bytes.length)))
      expect(both).toContain(204)
      expect(await to.json(`/uploads/${uploadId}`)).toMatchObject({ received: bytes.length })
      return { uploads: [uploadId] }
    }

    const taken = await b.json<{ items: { document: { documentId: string } }[] }>('/upload', { json: await sent(b) })
    const { documentId } = taken.items[0]!.document
    for (const one of [a, b]) {
      const file = await one.fetch(`/documents/${documentId}/file`)
      expect(file.status).toBe(200)
      expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
      const found = await one.json('/documents/search?q=days+of+holiday')
      expect(JSON.stringify(found)).toContain('28 days')
    }
    const { documents } = await a.json<{ documents: string }>('/attachments', { json: await sent(a) })
    const asked = { json: { question: 'How many days of holiday do employees get?', documents } }
    expect((await b.json<{ answer: string }>('/query', asked)).answer).toContain('28')

    const kept = await a.app.artifacts.keep('ada', {
      name: 'chart',
      mediaType: 'image/svg+xml',
      bytes: Buffer.from('<svg>'),
    })
    expect(String(Buffer.from((await b.app.artifacts.read('ada', kept.id)).bytes))).toBe('<svg>')
    expect((await b.fetch(`/documents/${documentId}`, { method: 'DELETE' })).status).toBe(204)
    expect((await a.fetch(`/documents/${documentId}/file`)).status).toBe(404)
    expect(await Promise.all(folders.map((folder) => readdir(folder)))).toEqual([[], []])
  } finally {
    await Promise.all([a.close(), b.close()])
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  }
})
