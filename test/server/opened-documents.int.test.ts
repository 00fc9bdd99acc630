import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Operations } from '../../src/client/api-types.ts'
import { documentOf } from '../documents/support/stored-document.ts'
import { createFolder } from '../support/folder.ts'
import { filesForm, startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

const PDF = join(import.meta.dirname, '..', '..', 'assets', 'demo', 'brindlemoor-documents', 'returns-policy.pdf')

const sent = Buffer.from(await readFile(PDF))
const folder = openForAll(createFolder)
const world = openForAll(() => startHttpWorld({ storage: { folder: join(folder.path, 'data') } }))

async function upload(name: string, bytes: Uint8Array<ArrayBuffer>, path = '/upload') {
  interface Made {
    readonly items: readonly { readonly documentId?: string; readonly document?: { readonly documentId: string } }[]
    readonly documents?: string
  }
  return world.json<Made>(path, { method: 'POST', body: filesForm({ [name]: bytes }) })
}

const libraryId = async (name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  (await upload(name, bytes)).items[0]!.document!.documentId

const fileOf = (documentId: string, as = 'ada') => world.fetch(`/documents/${documentId}/file`, { as })

let policy: string
beforeAll(async () => {
  policy = await libraryId('policy.pdf', sent)
})

describe('the file of a document', () => {
  it('equals the upload, and is for its owner alone', async () => {
    const id = policy
    const response = await fileOf(id)
    expect(Buffer.from(await response.arrayBuffer()).equals(sent)).toBe(true)
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    expect((await fileOf(id, 'ben')).status).toBe(404)
    expect(await world.json(`/documents/${id}`)).toMatchObject({ hasFile: true, isOfRun: false })
  })

  it('is deleted when it is replaced, and with the document', async () => {
    const first = await libraryId('again.pdf', sent)
    const other = Buffer.concat([sent, Buffer.from('\n% another\n')])
    const second = await libraryId('again.pdf', other)
    expect(await world.app.knowledge.originals.uploadOf(first)).toBeUndefined()
    expect(Buffer.from(await (await fileOf(second)).arrayBuffer()).equals(other)).toBe(true)
    await world.fetch(`/documents/${second}`, { method: 'DELETE' })
    expect((await fileOf(second)).status).toBe(404)
    expect(await world.app.knowledge.originals.uploadOf(second)).toBeUndefined()
  })

  it('is stored for no other type', async () => {
    const id = await libraryId('notes.md', Buffer.from('# Notes\n\nIt rains.\n'))
    expect(await world.json(`/documents/${id}`)).toMatchObject({ hasFile: false })
    expect(await (await fileOf(id)).json()).toMatchObject({ code: 'NotFound', detail: expect.stringContaining('text') })
  })

  it('of this machine is read in place, unless it has changed', async () => {
    const path = join(folder.path, 'here.pdf')
    await copyFile(PDF, path)
    const [added] = await world.app.knowledge.ingest.addPaths('ada', [path], { cwd: folder.path })
    const id = 'added' in added! ? added.added.record.documentId : ''
    expect(Buffer.from(await (await fileOf(id)).arrayBuffer()).equals(sent)).toBe(true)
    // The same length as before: only its content shows the change.
    await writeFile(path, Buffer.from(sent.map((byte) => byte ^ 1)))
    expect((await fileOf(id)).status).toBe(404)
    await rm(path)
    expect(await world.json(`/documents/${id}`)).toMatchObject({ hasFile: false })
  })

  it('of a single question is deleted with its run', async () => {
    const { items, documents } = await upload('contract.pdf', sent, '/attachments')
    const id = items[0]!.documentId!
    expect(await world.json(`/documents/${id}`)).toMatchObject({ hasFile: true, isOfRun: true })
    expect((await fileOf(id)).status).toBe(200)
    expect(await world.status(`/documents/${id}`, { method: 'DELETE' })).toBe(404)
    expect(await world.status(`/attachments/${documents}/${id}`, { method: 'DELETE' })).toBe(204)
    expect((await fileOf(id)).status).toBe(404)
    expect(await world.app.knowledge.originals.uploadOf(id)).toBeUndefined()
  })
})

describe('the text of a document', () => {
  it('is complete, also from a character on, and only for its owner', async () => {
    const lease = documentOf('lease.md', ['4. Rent', 'It is 900.', '5. Notice', 'Four weeks 🗝.'])
    const { documentId: id } = (await world.app.knowledge.store.put('ada', lease)).record
    type Text = Operations['GET /documents/{documentId}/text']['answer']
    const whole = await world.json<Text>(`/documents/${id}/text`)
    expect(whole.text).toMatch(/4\. Rent[^]+900[^]+5\. Notice[^]+Four weeks 🗝/)
    expect(whole.isCut).toBe(false)
    const rest = await world.json<Text>(`/documents/${id}/text?from=12`)
    expect(rest).toEqual({ text: whole.text.slice(12), isCut: false })
    expect(await world.status(`/documents/${id}/text`, { as: 'ben' })).toBe(404)
  })
})

describe('the passages of a document', () => {
  it('are complete, in order, in pages', async () => {
    const id = policy
    type Passages = Operations['GET /documents/{documentId}/passages']['answer']
    const all = await world.json<Passages>(`/documents/${id}/passages`)
    expect(all.total).toBe(all.items.length)
    expect(all.items.map(({ ordinal }) => ordinal)).toEqual(all.items.map((_none, at) => at))
    const first = await world.json<Passages>(`/documents/${id}/passages?limit=2`)
    const second = await world.json<Passages>(`/documents/${id}/passages?limit=2&from=${first.next}`)
    expect([...first.items, ...second.items]).toEqual(all.items.slice(0, 4))
    const found = await world.json<Passages>(`/documents/${id}/passages?search=DAMAGED%20carriage`)
    expect(found.total).toBeGreaterThan(0)
    expect(found.total).toBeLessThan(all.total)
    expect(await world.status(`/documents/${id}/passages`, { as: 'ben' })).toBe(404)
  })
})
