import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'

/** Files of one question: searched first, visible to no other user, and in no library. */

const clock = new ManualClock()
let world: HttpWorld
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-attachments-'))
  world = await startHttpWorld({ clock, storage: { folder } })
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

interface Sent {
  readonly documents: string
  readonly items: readonly { readonly name: string; readonly documentId?: string; readonly error?: string }[]
}

/** When the only file is refused, the request is refused. */
async function send(name: string, text: string, to?: string): Promise<Sent & { readonly status: number }> {
  const body = new FormData()
  body.append('file', new File([text], name))
  const answer = await world.fetch(`/attachments${to === undefined ? '' : `?to=${to}`}`, { method: 'POST', body })
  const said = (await answer.json()) as Sent & { readonly detail: string }
  const { status } = answer
  return answer.ok ? { ...said, status } : { documents: to ?? '', items: [{ name, error: said.detail }], status }
}

const NOTICE = 'What is the notice period of the contract?'
const CONTRACT = 'The notice period of the contract is six weeks to the end of a quarter.'

it('are searched by the question that names them, and by no other', async () => {
  const { documents, items } = await send('contract.md', CONTRACT)
  expect(items).toMatchObject([{ name: 'contract.md' }])
  interface Cited {
    readonly name: string
    readonly passage: { readonly documentId: string; readonly start: number; readonly end: number }
  }
  const { answer, citations } = await world.json<{ answer: string; citations: { source: Cited }[] }>('/query', {
    json: { question: NOTICE, documents },
  })
  expect(answer).toContain('six weeks')
  expect(citations.map(({ source }) => source.name)).toEqual(['contract.md'])
  const { documentId, start, end } = citations[0]!.source.passage
  const passage = `/documents/${documentId}/passage?start=${start}&end=${end}`
  await expect(world.json(passage)).resolves.toMatchObject({ name: 'contract.md', text: CONTRACT })
  expect((await world.fetch(passage, { as: 'ben' })).status).toBe(404)
  await expect(world.json('/documents')).resolves.toEqual({ items: [] })
  const without = await world.json<{ answer?: string; detail?: string }>('/query', { json: { question: NOTICE } })
  expect(without.answer ?? without.detail).not.toContain('six weeks')
})

it('are refused one by one with the reason, and can be removed', async () => {
  const sent = await send('contract.md', CONTRACT)
  const { documents } = sent
  const { items, status } = await send('picture.xyz', '\u0000\u0001\u0002', documents)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(items[0]!.error).toContain('picture.xyz')
  const both = new FormData()
  both.append('file', new File(['\u0000\u0001\u0002'], 'picture.xyz'))
  both.append('file', new File(['# Some\n\nMore words.'], 'more.md'))
  const mixed = await world.json<Sent>(`/attachments?to=${documents}`, { method: 'POST', body: both })
  expect(mixed.items.map(({ error }) => error === undefined)).toEqual([false, true])
  expect(mixed.documents).toBe(documents)
  for (const { documentId } of [sent.items[0]!, mixed.items[1]!]) {
    const path = `/attachments/${documents}/${documentId}`
    expect((await world.fetch(path, { method: 'DELETE' })).status).toBe(204)
  }
  await expect(world.json('/runs', { json: { question: NOTICE, documents } })).resolves.toMatchObject({
    code: 'InvalidRequest',
  })
})

it('count for the storage limit of their owner, wherever they are', async () => {
  const set = (most?: number) =>
    world.app.people.quotas.set('root', { to: 'user:ada', measure: 'storage', period: 'ever', most })
  await set(1_000_000)
  const used = async () => (await world.json<{ items: { used: number }[] }>('/limits')).items[0]!.used
  const start = await used()
  await set(start + 1_000)
  const said: (string | undefined)[] = []
  const { documents, items } = await send('a.md', 'rain '.repeat(90))
  said.push(items[0]!.error, (await send('b.md', 'snow '.repeat(90), documents)).items[0]!.error)
  expect(await used()).toBe(start + 900)
  // A replacement counts only once.
  said.push((await send('b.md', 'hail '.repeat(90), documents)).items[0]!.error)
  expect(said).toEqual([undefined, undefined, undefined])
  expect((await send('c.md', 'mist '.repeat(90), documents)).items[0]!.error).toContain('limit')
  expect((await send('c.md', 'mist '.repeat(90))).items[0]!.error).toContain('limit')
  await set()
})

it('accept an invented collection name, too', async () => {
  const documents = `documents-${'a'.repeat(32)}`
  await send('orphan.md', CONTRACT, documents)
  const notes = async () => (await world.app.artifacts.begun()).filter(({ files }) => files.includes(documents))
  expect(await notes()).toEqual([])
  await clock.advance(2 * 86_400_000)
  expect(await notes()).toHaveLength(1)
})

it('are private', async () => {
  const { documents } = await send('contract.md', CONTRACT)
  const asked = { as: 'ben', json: { question: NOTICE, documents } }
  await expect(world.json('/runs', asked)).resolves.toMatchObject({ code: 'InvalidRequest' })
})
