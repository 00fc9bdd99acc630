import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Operations } from '../../src/client/api-types.ts'
import { documentOf } from '../documents/support/stored-document.ts'
import { filesForm, startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => startHttpWorld())

type Uploaded = Operations['POST /upload']['answer']

async function upload(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  as = 'ada',
): Promise<[number, Uploaded]> {
  const response = await world.fetch('/upload', { method: 'POST', body: filesForm(files), as })
  return [response.status, (await response.json()) as Uploaded]
}

const POLICY = `# Holiday\n\nEmployees get 28 days of holiday.\n\n# Returns\n\nDamaged goods go back within 7 days.\n`
const CARE = `# Cleaning\n\nWipe the trays daily.\n\n# Scale\n\nDescale the machines every 40 hours.\n`

describe('documents', () => {
  it('are available with their text after the upload, and answer only questions of their owner', async () => {
    const ask = (as: string) =>
      world.json<{ answer: string }>('/query', { as, json: { question: 'How many days of holiday do employees get?' } })
    expect((await ask('ada')).answer).not.toContain('28')
    const [status, { items }] = await upload({ '../../etc/po\u202Elicy.md': POLICY, 'empty.pdf': 'no pdf' })
    expect(status).toBe(201)
    expect(items.map((item) => [item.name, item.status])).toEqual([
      ['policy.md', 'added'],
      ['empty.pdf', 'failed'],
    ])
    expect(items[1]!.error).toContain('empty.pdf')
    expect((await ask('ada')).answer).toContain('28')
    expect((await ask('ben')).answer).not.toContain('28')
    expect((await upload({ 'policy.md': POLICY }))[1].items[0]!.status).toBe('unchanged')
  })

  it('have the name of the file, although a form cannot contain its characters; are opened at a passage', async () => {
    const [, { items }] = await upload({ 'Vertr\u00e4ge & "K\u00fcndigung"\r\n 100%25 \u202Ecod.md': CARE })
    expect(items.map(({ name }) => name)).toEqual(['Vertr\u00e4ge & "K\u00fcndigung" 100%25 cod.md'])
    const { documentId } = items[0]!.document!
    const { hits } = await world.app.knowledge.search('ada', 'descale machines', { limit: 20 })
    const hit = hits.find(({ document }) => document.documentId === documentId)!.chunk
    const start = hit.start + hit.text.indexOf('every')
    const passage = await world.json<{ text: string; section: string; mark: { start: number; end: number } }>(
      `/documents/${documentId}/passage?start=${start}&end=${start + 14}`,
    )
    expect(passage.text.slice(passage.mark.start, passage.mark.end)).toBe('every 40 hours')
    expect(passage.text).toContain('Descale the machines')
    for (const place of ['start=90000&end=90010', 'start=10&end=5']) {
      expect(await world.status(`/documents/${documentId}/passage?${place}`)).toBe(400)
    }
  })

  it('of a format with pages are opened at the page', async () => {
    const folder = join(import.meta.dirname, '..', '..', 'assets', 'demo', 'brindlemoor-documents')
    const [, { items }] = await upload({
      'returns-policy.pdf': new Uint8Array(await readFile(join(folder, 'returns-policy.pdf'))),
    })
    const { documentId } = items[0]!.document!
    const { hits } = await world.app.knowledge.search('ada', 'damaged goods must be reported', { limit: 20 })
    const hit = hits.find(({ document }) => document.documentId === documentId)!.chunk
    const passage = await world.json<{ text: string; page: number; mark: { start: number; end: number } }>(
      `/documents/${documentId}/passage?start=${hit.start}&end=${hit.end}`,
    )
    expect(passage.page).toBe(hit.page)
    expect(passage.text.slice(passage.mark.start, passage.mark.end)).not.toBe('')
  })

  it('are listed, removed, and missing for other users', async () => {
    const gone = await world.app.knowledge.store.put('ada', documentOf('gone.md', ['To be removed.']))
    const path = `/documents/${gone.record.documentId}`
    const mine = await world.json<{ items: { name: string }[] }>('/documents?search=gone&limit=1')
    expect(mine.items.map(({ name }) => name)).toEqual(['gone.md'])
    expect(mine.items[0]).not.toHaveProperty('path')
    expect(await world.json('/documents', { as: 'ben' })).toEqual({ items: [] })
    const theirs = ['GET', 'DELETE'].map(async (method) => await world.status(path, { method, as: 'ben' }))
    expect(await Promise.all(theirs)).toEqual([404, 404])
    expect(await world.status(path, { method: 'DELETE' })).toBe(204)
    expect(await world.status(path)).toBe(404)
  })

  it('that cannot be read, and requests without any, are refused with a hint', async () => {
    const [status, problem] = await upload({ 'picture.xyz': 'no text' })
    expect([status, problem]).toMatchObject([400, { code: 'DocumentError' }])
    expect(await world.status('/upload', { json: {} })).toBe(400)
    expect((await upload({}))[0]).toBe(400)
    const broken = await world.fetch('/upload', {
      method: 'POST',
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\nhalf',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(broken.status).toBe(400)
  })
})
