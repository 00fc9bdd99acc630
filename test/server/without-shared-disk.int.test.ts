import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PdfDocument from 'pdfkit'
import { expect, inject, it } from 'vitest'
import { createTestDatabase } from '../support/postgres.ts'
import { filesForm, startHttpWorld, type HttpWorld } from '../support/http-server.ts'

/** A PDF of one page with a large attachment. */
async function pdf(): Promise<Uint8Array<ArrayBuffer>> {
  const document = new PdfDocument({ compress: false })
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise((resolve) => document.on('end', resolve))
  document.text('Employees get 28 days of holiday.')
  document.file(Buffer.alloc(700_000, 'noise '), { name: 'noise.bin' })
  document.end()
  await ended
  return new Uint8Array(Buffer.concat(parts))
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
    const form = () => ({ method: 'POST', body: filesForm({ 'holiday.pdf': bytes }) })
    const taken = await b.json<{ items: { document: { documentId: string } }[] }>('/upload', form())
    const { documentId } = taken.items[0]!.document
    for (const one of [a, b]) {
      const file = await one.fetch(`/documents/${documentId}/file`)
      expect(file.status).toBe(200)
      expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
      const found = await one.json('/query', { json: { question: 'How many days of holiday do employees get?' } })
      expect(JSON.stringify(found)).toContain('28 days')
    }
    const { documents } = await a.json<{ documents: string }>('/attachments', form())
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
