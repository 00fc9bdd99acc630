import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { PICTURE_TYPES } from '../../src/domain/answer-files.ts'
import type { RunResponse } from '../../src/domain/response.ts'
import { filesForm, startHttpWorld, type Asking } from '../support/http-server.ts'
import { painter } from '../support/painter.ts'
import { undescribed } from './fuzz/described.ts'
import { operationsOf, type Document } from './fuzz/requests.ts'
import type { Answer } from './fuzz/send.ts'
import { authenticateBy } from '../../src/server/session/authenticate.ts'
import { openForAll } from '../support/opened.ts'

/**
 * Cases that generated requests rarely reach: valid answers of every media type, compared with the server's OpenAPI
 * document.
 */

const QUESTION = 'What is 6 times 7?'
const PDF = await readFile(join(import.meta.dirname, '../../assets/demo/brindlemoor-documents/returns-policy.pdf'))
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
}

const OF_EVERY_TYPE = [...PICTURE_TYPES, 'text/csv'].map((mediaType) => {
  return { name: mediaType, mediaType, bytes: Buffer.from('bytes') }
})

const world = openForAll(() => startHttpWorld({ agents: [painter(OF_EVERY_TYPE)] }))
let document: Document
beforeAll(async () => {
  document = await world.json<Document>('/openapi.json')
})

function operationAt(method: string, path: string) {
  const [plain] = path.split('?', 1)
  const found = operationsOf(document).filter(
    (one) => one.method === method && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(plain!),
  )
  // Literal path segments take precedence over parameters.
  return found.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0]!
}

/** @param until text of a stream after which reading stops */
async function ask(path: string, options: Asking = {}, inWorld = world, until?: string): Promise<Answer> {
  const method = options.method ?? (options.json === undefined ? 'GET' : 'POST')
  const response = await inWorld.fetch(path, options)
  let text = ''
  const decoder = new TextDecoder()
  if (response.body !== null)
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(part, { stream: true })
      if (until !== undefined && text.includes(until)) break
    }
  const answer = { status: response.status, headers: Object.fromEntries(response.headers), text }
  const operation = operationAt(method, path)
  expect([method, path, undescribed(document, operation, answer)]).toEqual([method, path, []])
  return answer
}

const json = <T>({ text }: Answer): T => JSON.parse(text) as T

describe('answers other than plain JSON match /openapi.json', () => {
  it('runs as streams', async () => {
    for (const format of ['tutti', 'ui', 'ag-ui']) {
      const body = { question: `${QUESTION} (${format})` }
      const { text } = await ask(`/query/stream?format=${format}`, { json: body })
      expect(text.split('\n\n').length).toBeGreaterThan(5)
    }
    const { runId } = json<{ runId: string }>(await ask('/runs', { json: { question: QUESTION } }))
    await world.app.as('ada').runs.outcome(runId)
    for (const format of ['tutti', 'log']) await ask(`/runs/${runId}/events?format=${format}`)
    expect((await ask(`/runs/${runId}/events?after=999`)).status).toBe(204)
  })

  it('pending approvals and active chats', async () => {
    const asked = { question: QUESTION, confirmPlan: true, conversationId: 'chat-1' }
    await world.app.conversations.open('ada', { conversationId: 'chat-1', title: 'x', createdAt: 0 })
    const { runId } = json<{ runId: string }>(await ask('/runs', { json: asked }))
    const { text } = await ask(`/runs/${runId}/events`, {}, world, 'event: hitl_required')
    expect(text).toContain('event: hitl_required')
    const [approval] = await world.app.as('ada').runs.approvals({ runId })
    await world.app.as('ada').runs.decide(approval!.approvalId, 'approved', 'ada', 'start')
    expect((await ask(`/runs/${runId}/events`)).text).toMatch(/event: hitl_approved[^]*event: done/)
    await ask('/conversations/chat-1/export')
  })

  it('/v1', async () => {
    const chat = { model: 'auto', messages: [{ role: 'user', content: QUESTION }] }
    await ask('/v1/models')
    await ask('/v1/models/auto')
    for (const stream of [false, true])
      await ask('/v1/chat/completions', { json: { ...chat, stream, stream_options: { include_usage: true } } })
    expect((await ask('/v1/models/none')).status).toBe(404)
    expect((await ask('/v1/chat/completions', { json: {} })).status).toBe(400)
    expect((await ask('/v1/models', { as: null })).status).toBe(401)
  })

  it('/mcp', async () => {
    const headers = { accept: 'application/json, text/event-stream' }
    await ask('/mcp', { json: initialize, headers })
    const told = await ask('/mcp', { json: { jsonrpc: '2.0', method: 'notifications/initialized' }, headers })
    expect(told.status).toBe(202)
    await ask('/mcp', { json: { jsonrpc: '2.0', id: 2, method: 'tools/list' }, headers })
    await ask('/mcp', { json: { jsonrpc: '2.0', id: 3, method: 'nothing' }, headers })
    expect((await ask('/mcp', { json: {}, headers })).status).toBe(400)
    for (const method of ['GET', 'DELETE']) expect(await world.status('/mcp', { method, headers })).toBe(405)
    expect((await ask('/mcp', { json: initialize })).status).toBe(406)
    expect((await ask('/mcp', { json: initialize, as: null })).status).toBe(401)
  })

  it('files', async () => {
    const body = filesForm({ 'policy.pdf': new Uint8Array(PDF) })
    const sent = json<{ items: { document: { documentId: string } }[] }>(await ask('/upload', { method: 'POST', body }))
    await ask(`/documents/${sent.items[0]!.document.documentId}/file`)
    const painted = await ask('/query', { json: { question: 'Paint it', strategy: 'pipeline' } })
    const { files, metadata } = json<RunResponse>(painted)
    for (const { id } of files!) await ask(`/runs/${metadata.runId}/files/${id}`)
    const people = await startHttpWorld({ config: { people: { registration: 'open' } } }, authenticateBy)
    try {
      const password = 'the password of root'
      const made = await people.fetch('/session/register', { as: null, json: { username: 'root', password } })
      const cookie = made.headers.getSetCookie().map((one) => one.split(';', 1)[0])
      const options = { as: null, headers: { cookie: cookie.join('; ') } }
      const { person } = (await made.json()) as { person: { userId: string } }
      await ask(`/people/${person.userId}/export`, options, people)
      expect((await ask('/session/export', { ...options, json: { password } }, people)).status).toBe(200)
    } finally {
      await people.close()
    }
  })
})
