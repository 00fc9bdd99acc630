import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpWorld, type HttpWorld } from '../support/http-server.ts'

/** Files of one question: asked first, seen by nobody else, and in no library. */

let world: HttpWorld
beforeAll(async () => void (world = await startHttpWorld()))
afterAll(() => world.close())

interface Sent {
  readonly documents: string
  readonly items: readonly { readonly name: string; readonly documentId?: string; readonly error?: string }[]
}

function send(name: string, text: string, to?: string): Promise<Sent> {
  const body = new FormData()
  body.append('file', new File([text], name))
  return world.json(`/attachments${to === undefined ? '' : `?to=${to}`}`, { method: 'POST', body })
}

const NOTICE = 'What is the notice period of the contract?'
const CONTRACT = 'The notice period of the contract is six weeks to the end of a quarter.'

it('are asked by the question that names them, and by no other', async () => {
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

it('are refused one by one with the reason, and can be taken back', async () => {
  const { documents, items } = await send('picture.xyz', '\u0000\u0001\u0002')
  expect(items[0]!.error).toContain('picture.xyz')
  const more = await send('contract.md', CONTRACT, documents)
  expect(more.documents).toBe(documents)
  const path = `/attachments/${documents}/${more.items[0]!.documentId}`
  expect((await world.fetch(path, { method: 'DELETE' })).status).toBe(204)
  await expect(world.json('/runs', { json: { question: NOTICE, documents } })).resolves.toMatchObject({
    code: 'InvalidRequest',
  })
})

it('are nobody else’s', async () => {
  const { documents } = await send('contract.md', CONTRACT)
  const asked = { as: 'ben', json: { question: NOTICE, documents } }
  await expect(world.json('/runs', asked)).resolves.toMatchObject({ code: 'InvalidRequest' })
})
