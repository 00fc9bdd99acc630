import { beforeAll, expect, it } from 'vitest'
import type { RunResponse } from '../../src/domain/response.ts'
import { painter, SVG } from '../support/painter.ts'
import { startHttpWorld } from '../support/http-server.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => startHttpWorld({ agents: [painter()] }))
let runId: string
let files: NonNullable<RunResponse['files']>
beforeAll(async () => {
  const response = await world.json<RunResponse>('/query', { json: { question: 'Paint it', strategy: 'pipeline' } })
  runId = response.metadata.runId
  files = response.files!
})

const addressOf = (n: number, run = runId): string => `/runs/${run}/files/${files[n]!.id}`

it('gives a picture as it is, and lets it run no script', async () => {
  expect(files).toMatchObject([{ name: 'heat map.svg' }, { name: 'page.html' }])
  const response = await world.fetch(addressOf(0))
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-disposition': "inline; filename*=UTF-8''heat%20map.svg",
    'content-security-policy': expect.stringMatching(/^default-src 'none';.* sandbox$/),
    'x-content-type-options': 'nosniff',
  })
  await expect(response.text()).resolves.toBe(SVG)
})

it('gives every other file as a download', async () => {
  const { headers } = await world.fetch(addressOf(1))
  expect(headers.get('content-type')).toBe('application/octet-stream')
  expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''page.html")
})

it('gives the files of a run to its owner alone, and no others of theirs', async () => {
  const other = await world.json<RunResponse>('/query', { json: { question: 'What is 6 times 7?' } })
  const loose = await world.app.artifacts.keep('ada', {
    name: 'b.svg',
    mediaType: 'image/svg+xml',
    bytes: Buffer.from(SVG),
  })
  const asked: readonly (readonly [address: string, as: string | null])[] = [
    ...['ben', 'root', null, 'key-decide', 'key-ask'].map((as) => [addressOf(0), as] as const),
    [addressOf(0, other.metadata.runId), 'ada'],
    [`/runs/${runId}/files/${loose.id}`, 'ada'],
  ]
  const statuses = await Promise.all(asked.map(([address, as]) => world.status(address, { as })))
  expect(statuses).toEqual([404, 404, 401, 403, 200, 404, 404])
})
