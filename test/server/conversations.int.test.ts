import { lexer, walkTokens, type Tokens } from 'marked'
import { describe, expect, it } from 'vitest'
import { defineAgent } from '../../src/domain/actor.ts'
import { tableFromArrays } from '../../src/domain/table.ts'
import { shownMarkdown } from '../support/shown-markdown.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => startHttpWorld())

interface Talk {
  readonly conversationId: string
  readonly title: string
  readonly messages: readonly { readonly role: string; readonly text: string; readonly turn: number }[]
  readonly branches: readonly { readonly conversationId: string; readonly branchTurn: number }[]
}

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
    const theirs = await Promise.all(
      ['', '/export'].map(async (end) => (await world.fetch(`/conversations/${id}${end}`, { as: 'ben' })).status),
    )
    const asked = await world.fetch('/query', { as: 'ben', json: { question: 'And 2 times 2?', conversationId: id } })
    expect([...theirs, asked.status]).toEqual([404, 404, 400])
  })

  it('are renamed, pinned, archived and erased', async () => {
    const id = await talk('What is 5 times 5?')
    const patch = (json: object, as = 'ada') => world.json(`/conversations/${id}`, { method: 'PATCH', json, as })
    expect(await patch({ title: 'Squares', pinned: true })).toMatchObject({ title: 'Squares', isPinned: true })
    expect((await list('pinned=true')).map(({ title }) => title)).toEqual(['Squares'])
    expect(await patch({ pinned: false, archived: true })).toMatchObject({ isPinned: false, isArchived: true })
    expect((await list()).map(({ conversationId }) => conversationId)).not.toContain(id)
    expect(await patch({ title: 'Theirs' }, 'ben')).toMatchObject({ code: 'NotFound' })
    expect(await patch({ title: '' })).toMatchObject({ code: 'InvalidRequest' })
    expect((await world.fetch(`/conversations/${id}`, { method: 'DELETE', as: 'ben' })).status).toBe(404)
    expect((await world.fetch(`/conversations/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await world.fetch(`/conversations/${id}`)).status).toBe(404)
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
    const lister = defineAgent({
      name: 'lister',
      description: 'Lists customers.',
      capabilities: [],
      useCases: [],
      keywords: ['customers'],
      async run() {
        const rows = Array.from({ length: 130 }, (_, i) => [`Customer ${i} | ${'x'.repeat(i % 3)}`, i])
        const sources = [{ kind: 'database' as const, name: 'shop', detail: 'SELECT name,\n  n FROM customers' }]
        return {
          answer: 'Customer 0, Customer 1 and 128 more.',
          tabular: tableFromArrays(['name', 'n'], rows),
          sources: [
            ...sources,
            { kind: 'document' as const, name: 'lease.pdf', passage: { documentId: 'd', start: 0, end: 4, page: 3 } },
          ],
        }
      },
    })
    const own = await startHttpWorld({ agents: [lister] })
    try {
      const { metadata } = await own.json<{ metadata: { conversationId: string } }>('/query', {
        json: { question: 'List all customers' },
      })
      const path = `/conversations/${metadata.conversationId}/export`
      const page = await (await own.fetch(path)).text()
      for (const i of [0, 1, 64, 129]) expect(page).toContain(`| Customer ${i} \\| ${'x'.repeat(i % 3)} | ${i} |`)
      expect(page).toMatch(/Sources:\n\n- .*shop\n\n {2}```sql\n {2}SELECT name,\n {4}n FROM customers\n {2}```\n/)
      expect(page).toMatch(/\n- .*lease\.pdf, page 3\n/)
      const { messages } = await own.json<{ messages: { data?: { rows: object[] }; sources: object[] }[] }>(
        `${path}?format=json`,
      )
      expect(messages[1]!.data!.rows).toHaveLength(130)
      expect(messages[1]!.sources).toMatchObject([
        { title: 'shop', query: 'SELECT name,\n  n FROM customers' },
        { title: 'lease.pdf', page: 3 },
      ])
      expect(messages[0]).toMatchObject({ role: 'user', sources: [] })
    } finally {
      await own.close()
    }
  })

  it('values in them are plain text in the exported file, its tables and a shared page', async () => {
    const names = ['[x](http://evil.example)', 'a | b\rc', '<img src=x> http://evil.example', '**b** `c`']
    const lister = defineAgent({
      name: 'lister',
      description: 'Lists customers.',
      capabilities: [],
      useCases: [],
      keywords: ['customers'],
      async run() {
        const tabular = tableFromArrays(
          ['name', 'n'],
          names.map((name, i) => [name, i]),
        )
        return { answer: `They are ${names.join(', ')}.`, tabular }
      },
    })
    const own = await startHttpWorld({ agents: [lister] })
    try {
      const { answer, metadata } = await own.json<{
        answer: string
        metadata: { conversationId: string; format: string }
      }>('/query', { json: { question: 'List all [customers](http://evil.example)', disableAgents: ['web'] } })
      expect(metadata.format).toBe('text')
      const path = `/conversations/${metadata.conversationId}`
      const tokens = lexer(await (await own.fetch(`${path}/export`)).text())
      const kinds = new Set<string>()
      walkTokens(tokens, ({ type }) => void kinds.add(type))
      expect([...kinds].filter((kind) => ['link', 'image', 'html', 'codespan', 'em', 'def'].includes(kind))).toEqual([])
      const table = tokens.find((token) => token.type === 'table') as Tokens.Table
      expect(table.rows.map(([name]) => shownMarkdown(name!.tokens))).toEqual(
        names.map((name) => name.replace('\r', ' ')),
      )
      const link = await own.json<{ path: string }>(`${path}/shares`, { json: {} })
      const { messages } = await own.json<{ messages: object[] }>(link.path)
      expect(messages).toMatchObject([{ format: 'text' }, { format: 'text', text: answer }])
    } finally {
      await own.close()
    }
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
    expect(await world.json(`/conversations/${id}/export?format=json`)).toMatchObject({ conversationId: id, turns: 1 })
    const german = await world.fetch(`/conversations/${id}/export?language=de&zone=Asia/Tokyo`)
    expect(await german.text()).toMatch(/\*\*Sie\*\*, \d\d\.\d\d\.\d{4}, \d\d:\d\d\n/)
    expect((await world.fetch(`/conversations/${id}/export?zone=Nowhere`)).status).toBe(400)
  })
})
