import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => startHttpWorld())

interface Uploaded {
  readonly items: readonly {
    readonly name: string
    readonly status: string
    readonly error?: string
    readonly document?: { readonly documentId: string; readonly chunks: number }
  }[]
}

async function upload(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  as = 'ada',
): Promise<[number, Uploaded]> {
  const body = new FormData()
  for (const [name, content] of Object.entries(files)) body.append('file', new Blob([content]), name)
  const response = await world.fetch('/upload', { method: 'POST', body, as })
  return [response.status, (await response.json()) as Uploaded]
}

const POLICY = `# Holiday\n\nEmployees get 28 days of holiday.\n\n# Returns\n\nDamaged goods go back within 7 days.\n`
const CARE = `# Cleaning\n\nWipe the trays daily.\n\n# Scale\n\nDescale the machines every 40 hours.\n`

describe('documents', () => {
  it('are available with their text after the upload, and answer only questions of their owner', async () => {
    const before = await world.json<{ answer: string }>('/query', {
      json: { question: 'How many days of holiday do employees get?' },
    })
    expect(before.answer).not.toContain('28')
    const [status, { items }] = await upload({ '../../etc/po\u202Elicy.md': POLICY, 'empty.pdf': 'no pdf' })
    expect(status).toBe(201)
    expect(items.map((item) => [item.name, item.status])).toEqual([
      ['policy.md', 'added'],
      ['empty.pdf', 'failed'],
    ])
    expect(items[1]!.error).toContain('empty.pdf')
    const ask = (as: string) =>
      world.json<{ answer: string }>('/query', { as, json: { question: 'How many days of holiday do employees get?' } })
    expect((await ask('ada')).answer).toContain('28')
    expect((await ask('ben')).answer).not.toContain('28')
    expect((await upload({ 'policy.md': POLICY }))[1].items[0]!.status).toBe('unchanged')
  })

  it('have the name of the file, although a form cannot contain its characters', async () => {
    const [, { items }] = await upload({ 'Vertr\u00e4ge & "K\u00fcndigung"\r\n 100%25 \u202Ecod.md': CARE })
    expect(items.map(({ name }) => name)).toEqual(['Vertr\u00e4ge & "K\u00fcndigung" 100%25 cod.md'])
  })

  it('are opened at a passage, with its context', async () => {
    const [, { items }] = await upload({ 'passage.md': CARE })
    const { documentId } = items[0]!.document!
    const found = await world.json<{ items: { start: number; text: string; name: string }[] }>(
      '/documents/search?q=descale%20machines',
    )
    const hit = found.items.find(({ name }) => name === 'passage.md')!
    const start = hit.start + hit.text.indexOf('every')
    const passage = await world.json<{ text: string; section: string; mark: { start: number; end: number } }>(
      `/documents/${documentId}/passage?start=${start}&end=${start + 14}`,
    )
    expect(passage.text.slice(passage.mark.start, passage.mark.end)).toBe('every 40 hours')
    expect(passage.text).toContain('Descale the machines')
    for (const place of ['start=90000&end=90010', 'start=10&end=5']) {
      expect((await world.fetch(`/documents/${documentId}/passage?${place}`)).status).toBe(400)
    }
  })

  it('of a format with pages are opened at the page', async () => {
    const folder = join(import.meta.dirname, '..', '..', 'assets', 'demo', 'brindlemoor-documents')
    const [, { items }] = await upload({
      'returns-policy.pdf': new Uint8Array(await readFile(join(folder, 'returns-policy.pdf'))),
    })
    const { documentId } = items[0]!.document!
    const found = await world.json<{ items: { documentId: string; start: number; end: number; page: number }[] }>(
      '/documents/search?q=damaged%20goods%20must%20be%20reported',
    )
    const hit = found.items.find((one) => one.documentId === documentId)!
    const passage = await world.json<{ text: string; page: number; mark: { start: number; end: number } }>(
      `/documents/${documentId}/passage?start=${hit.start}&end=${hit.end}`,
    )
    expect(passage.page).toBe(hit.page)
    expect(passage.text.slice(passage.mark.start, passage.mark.end)).not.toBe('')
  })

  it('are filtered by type, time and section', async () => {
    const [, { items }] = await upload({
      'narrow.md':
        '---\ndate: 2024-05-06\n---\n# Grinders\n\nGrinders are cleaned weekly.\n\n# Kettles\n\nKettles are cleaned weekly.\n',
    })
    const { documentId } = items[0]!.document!
    const found = async (narrowing: string) => {
      const path = `/documents/search?q=cleaned%20weekly&${narrowing}`
      const { items: all } = await world.json<{ items: { documentId: string; section: string }[] }>(path)
      return all.filter((one) => one.documentId === documentId).map(({ section }) => section)
    }
    expect((await found('types=md,txt&from=2024-05-06&to=2024-05-06')).toSorted()).toEqual(['Grinders', 'Kettles'])
    expect(await found('section=kettles')).toEqual(['Kettles'])
    for (const other of ['types=pdf', 'from=2024-05-07', 'to=2024-05-05']) expect(await found(other)).toEqual([])
    for (const wrong of ['types=exe', 'from=yesterday', 'to=2024-13-01']) {
      expect((await world.fetch(`/documents/search?q=x&${wrong}`)).status).toBe(400)
    }
  })

  it('are listed, removed, and missing for other users', async () => {
    const [, { items }] = await upload({ 'gone.md': '# Gone\n\nTo be removed.\n' })
    const path = `/documents/${items[0]!.document!.documentId}`
    const mine = await world.json<{ items: { name: string }[] }>('/documents?search=gone&limit=1')
    expect(mine.items.map(({ name }) => name)).toEqual(['gone.md'])
    expect(mine.items[0]).not.toHaveProperty('path')
    expect(await world.json('/documents', { as: 'ben' })).toEqual({ items: [] })
    const theirs = ['GET', 'DELETE'].map(async (method) => (await world.fetch(path, { method, as: 'ben' })).status)
    expect(await Promise.all(theirs)).toEqual([404, 404])
    expect((await world.fetch(`${path}/read`, { method: 'POST' })).status).toBe(400)
    expect((await world.fetch(path, { method: 'DELETE' })).status).toBe(204)
    expect((await world.fetch(path)).status).toBe(404)
  })

  it('keep to the storage limit of their owner, until some are removed', async () => {
    const limit = (most?: number) =>
      world.fetch('/limits', {
        as: 'root',
        method: 'PUT',
        json: { to: 'everyone', measure: 'storage', period: 'ever', ...(most === undefined ? {} : { most }) },
      })
    expect((await limit(3_000)).status).toBe(204)
    const text = (words: string): string => `# ${words}\n\n${'It rains. '.repeat(150)}\n`
    const [made, { items }] = await upload({ 'one.md': text('one') }, 'ben')
    expect(made).toBe(201)
    // A replacement counts only once.
    expect((await upload({ 'one.md': text('won') }, 'ben'))[0]).toBe(201)
    expect(await upload({ 'two.md': text('two') }, 'ben')).toMatchObject([429, { code: 'LimitReached' }])
    expect(await upload({ 'two.md': text('two').repeat(3) }, 'ben')).toMatchObject([413, { code: 'TooLarge' }])
    const [, both] = await upload({ 'two.md': text('two'), 'small.md': '# Small\n\nA word.\n' }, 'ben')
    expect(both.items.map(({ status }) => status)).toEqual(['failed', 'added'])
    const own = await world.json<{ items: object[] }>('/limits', { as: 'ben' })
    expect(own.items).toMatchObject([{ measure: 'storage', most: 3_000, used: text('won').length + 17 }])
    const { items: mine } = await world.json<{ items: { documentId: string; name: string }[] }>('/documents', {
      as: 'ben',
    })
    expect(items).toHaveLength(1)
    for (const { documentId } of mine) await world.fetch(`/documents/${documentId}`, { method: 'DELETE', as: 'ben' })
    expect((await upload({ 'two.md': text('two') }, 'ben'))[0]).toBe(201)
    await limit()
  })

  it('that cannot be read, and requests without any, are refused with a hint', async () => {
    const [status, problem] = await upload({ 'picture.xyz': 'no text' })
    expect([status, problem]).toMatchObject([400, { code: 'DocumentError' }])
    expect((await world.fetch('/upload', { json: {} })).status).toBe(400)
    expect((await upload({}))[0]).toBe(400)
    const broken = await world.fetch('/upload', {
      method: 'POST',
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\nhalf',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(broken.status).toBe(400)
  })
})
