import { lexer, walkTokens, type Tokens } from 'marked'
import { describe, expect, it } from 'vitest'
import type { Operations } from '../../src/client/api-types.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import { tableFromArrays } from '../../src/domain/table.ts'
import { agent } from '../support/engine-world.ts'
import { shownMarkdown } from '../support/shown-markdown.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

const NAMES = ['[x](http://evil.example)', 'a | b\rc', '<img src=x> http://evil.example', '**b** `c`']
const LEASE = { documentId: 'd', start: 0, end: 4, page: 3 }
const lister = agent(
  'lister',
  async () => ({
    answer: 'Customer 0, Customer 1 and 128 more.',
    tabular: tableFromArrays(
      ['name', 'n'],
      Array.from({ length: 130 }, (_, i) => [`Customer ${i} | ${'x'.repeat(i % 3)}`, i]),
    ),
    sources: [
      { kind: 'database', name: 'shop', detail: 'SELECT name,\n  n FROM customers' },
      { kind: 'document', name: 'lease.pdf', passage: LEASE },
    ],
  }),
  { keywords: ['customers'] },
)
const quoter = agent(
  'quoter',
  async () => ({
    answer: `They are ${NAMES.join(', ')}.`,
    tabular: tableFromArrays(
      ['name', 'n'],
      NAMES.map((name, i) => [name, i]),
    ),
  }),
  { keywords: ['suppliers'] },
)
const world = openForAll(() => startHttpWorld({ agents: [lister, quoter] }))

type Talk = Operations['GET /conversations/{conversationId}']['answer']

/** Asks the questions in sequence in one conversation, and returns its id. */
async function talk(...questions: readonly string[]): Promise<string> {
  let conversationId: string | undefined
  for (const question of questions) {
    const { metadata } = await world.json<{ metadata: { conversationId: string } }>('/query', {
      json: { question, ...(conversationId === undefined ? {} : { conversationId }) },
    })
    ;({ conversationId } = metadata)
  }
  return conversationId!
}

const list = async (query = '', as = 'ada'): Promise<readonly Talk[]> =>
  (await world.json<{ items: readonly Talk[] }>(`/conversations?${query}`, { as })).items

describe('conversations', () => {
  it('are stored and found by their messages; those of other users are not found', async () => {
    const id = await talk('What is 6 times 7?', 'What is 12 times 12?')
    const { messages } = await world.json<Talk>(`/conversations/${id}`)
    expect(messages.map(({ role, turn }) => `${turn} ${role}`)).toEqual([
      '1 user',
      '1 assistant',
      '2 user',
      '2 assistant',
    ])
    expect(messages.map(({ text }) => text).join()).toMatch(/42.*144/s)
    expect((await list('search=144')).map(({ conversationId }) => conversationId)).toEqual([id])
    expect(await list('search=144', 'ben')).toEqual([])
    const asked = { as: 'ben', json: { question: 'And 2 times 2?', conversationId: id } }
    expect([await world.status(`/conversations/${id}`, { as: 'ben' }), await world.status('/query', asked)]).toEqual([
      404, 400,
    ])
  })

  it('are renamed, pinned and erased', async () => {
    const id = await talk('What is 5 times 5?')
    const patch = (json: object, as = 'ada') => world.json(`/conversations/${id}`, { method: 'PATCH', json, as })
    expect(await patch({ title: 'Squares', pinned: true })).toMatchObject({ title: 'Squares', isPinned: true })
    expect((await list('pinned=true')).map(({ title }) => title)).toEqual(['Squares'])
    expect(await patch({ pinned: false })).toMatchObject({ isPinned: false })
    expect(await patch({ title: 'Theirs' }, 'ben')).toMatchObject({ code: 'NotFound' })
    expect(await patch({ title: '' })).toMatchObject({ code: 'InvalidRequest' })
    expect(await world.status(`/conversations/${id}`, { method: 'DELETE', as: 'ben' })).toBe(404)
    expect(await world.status(`/conversations/${id}`, { method: 'DELETE' })).toBe(204)
    expect(await world.status(`/conversations/${id}`)).toBe(404)
  })

  it('branch where a question is changed or repeated, and keep the original', async () => {
    const id = await talk('What is 3 times 3?', 'What is 4 times 4?')
    const branch = (json: object) =>
      world.fetch(`/conversations/${id}/branches`, { json, headers: { 'idempotency-key': JSON.stringify(json) } })
    const edited = (await (await branch({ turn: 2, question: 'What is 9 times 9?' })).json()) as Record<string, string>
    await world.app.as('ada').runs.outcome(edited['runId']!)
    const repeated = await (await branch({ turn: 2, question: 'What is 9 times 9?' })).json()
    expect(repeated).toEqual(edited)
    const again = (await (await branch({ turn: 1 })).json()) as Record<string, string>
    await world.app.as('ada').runs.outcome(again['runId']!)
    const texts = async (one: string): Promise<string> =>
      (await world.json<Talk>(`/conversations/${one}`)).messages.map(({ text }) => text).join(' | ')
    expect(await texts(edited['conversationId']!)).toMatch(/3 times 3.*9 times 9.*81/s)
    expect(await texts(again['conversationId']!)).toMatch(/^What is 3 times 3\? \| [^|]*9[^|]*$/)
    expect(await texts(id)).toMatch(/16/)
    const { branches } = await world.json<Talk>(`/conversations/${id}`)
    expect(branches.map(({ branchTurn }) => branchTurn).sort()).toEqual([1, 2])
    expect((await branch({ turn: 3 })).status).toBe(404)
  })

  it('are exported with their tables, sources and queries', async () => {
    const { metadata } = await world.json<RunResponse>('/query', { json: { question: 'List all customers' } })
    const path = `/conversations/${metadata.conversationId}/export`
    const page = await (await world.fetch(path)).text()
    for (const i of [0, 1, 64, 129]) expect(page).toContain(`| Customer ${i} \\| ${'x'.repeat(i % 3)} | ${i} |`)
    expect(page).toMatch(/Sources:\n\n- .*shop\n\n {2}```sql\n {2}SELECT name,\n {4}n FROM customers\n {2}```\n/)
    expect(page).toMatch(/\n- .*lease\.pdf, page 3\n/)
  })

  it('values in them are plain text in the exported file, its tables and a shared page', async () => {
    const json = { question: 'List all [suppliers](http://evil.example)', disableAgents: ['web'] }
    const { answer, metadata } = await world.json<RunResponse>('/query', { json })
    expect(metadata.format).toBe('text')
    const path = `/conversations/${metadata.conversationId}`
    const tokens = lexer(await (await world.fetch(`${path}/export`)).text())
    const kinds = new Set<string>()
    walkTokens(tokens, ({ type }) => void kinds.add(type))
    expect([...kinds].filter((kind) => ['link', 'image', 'html', 'codespan', 'em', 'def'].includes(kind))).toEqual([])
    const table = tokens.find((token) => token.type === 'table') as Tokens.Table
    expect(table.rows.map(([name]) => shownMarkdown(name!.tokens))).toEqual(
      NAMES.map((name) => name.replace('\r', ' ')),
    )
    const link = await world.json<{ path: string }>(`${path}/shares`, { json: {} })
    const { messages } = await world.json<{ messages: object[] }>(link.path)
    expect(messages).toMatchObject([{ format: 'text' }, { format: 'text', text: answer }])
  })

  it('are exported', async () => {
    const id = await talk('What is 8 times 8?')
    const page = await world.fetch(`/conversations/${id}/export`)
    const day = new Date().toISOString().slice(0, 10)
    expect(page.headers.get('content-disposition')).toBe(
      `attachment; filename*=UTF-8''${encodeURIComponent(`What is 8 times 8 ${day}.md`)}`,
    )
    expect(await page.text()).toMatch(
      /^# What is 8 times 8\?\n\n\*\*You\*\*, \w{3} \d+, \d{4}, \d+:\d\d.[AP]M UTC\n\nWhat is 8 times 8\?\n\n\*\*Tutti\*\*.*64/s,
    )
    const german = await world.fetch(`/conversations/${id}/export?language=de&zone=Asia/Tokyo`)
    expect(await german.text()).toMatch(/\*\*Sie\*\*, \d\d\.\d\d\.\d{4}, \d\d:\d\d\n/)
    expect(await world.status(`/conversations/${id}/export?zone=Nowhere`)).toBe(400)
  })
})
