import { expect, it } from 'vitest'
import type { Operations } from '../../src/client/api-types.ts'
import { ManualClock } from '../../src/testing/manual-clock.ts'
import { createFolder } from '../support/folder.ts'
import { filesForm, startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

/** Files of one question: searched first, visible to no other user, and in no library. */

const clock = new ManualClock()
const folder = openForAll(createFolder)
const world = openForAll(() => startHttpWorld({ clock, storage: { folder: folder.path } }))

type Sent = Pick<Operations['POST /attachments']['answer'], 'documents' | 'items'>

/** When the only file is refused, the request is refused. */
async function send(name: string, text: string, to?: string): Promise<Sent & { readonly status: number }> {
  const path = `/attachments${to === undefined ? '' : `?to=${to}`}`
  const answer = await world.fetch(path, { method: 'POST', body: filesForm({ [name]: text }) })
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
  expect(await world.status(passage, { as: 'ben' })).toBe(404)
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
  const both = filesForm({ 'picture.xyz': '\u0000\u0001\u0002', 'more.md': '# Some\n\nMore words.' })
  const mixed = await world.json<Sent>(`/attachments?to=${documents}`, { method: 'POST', body: both })
  expect(mixed.items.map(({ error }) => error === undefined)).toEqual([false, true])
  expect(mixed.documents).toBe(documents)
  for (const { documentId } of [sent.items[0]!, mixed.items[1]!]) {
    const path = `/attachments/${documents}/${documentId}`
    expect(await world.status(path, { method: 'DELETE' })).toBe(204)
  }
  await expect(world.json('/runs', { json: { question: NOTICE, documents } })).resolves.toMatchObject({
    code: 'InvalidRequest',
  })
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
