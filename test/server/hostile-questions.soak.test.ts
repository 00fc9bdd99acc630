// Soak test: long and hostile questions.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunResponse } from '../../src/domain/response.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { startServed, type Served } from '../support/served.ts'

const PROGRAM = `for (const order of orders) {
  if (order.total > 100 && (order.status === 'open' || order.note.includes("late, then paid"))) {
    send(order.customer, \`You owe \${order.total}. Please pay it, and tell us when.\`)
  }
}
`
const MAIL = `Dear team, please write to our suppliers that invoice 4711 of EUR 12,400 was paid on 3 March 2024, and that we
would like to order another 250 pallets. The customer asked how many orders were late, and which came from Brazil.

`

const QUESTIONS: Readonly<Record<string, string>> = {
  'a pasted program': PROGRAM.repeat(100).slice(0, 20_000),
  'a run of blanks': `How many${' '.repeat(48_000)}customers?`,
  'a word of 100,000 letters': 'ж'.repeat(100_000),
  'a pasted mail': `Summarise this mail and answer it: ${MAIL.repeat(60).slice(0, 12_000)}`,
  'a mail of blanks': `Send a mail to${' '.repeat(3_900)}Anna`,
}

/** A model that gives no usable JSON, and answers with text. */
const SCRIPT = [{ reply: { text: 'The customer asked about late orders.' } }]

/** Asks, and polls `/health` meanwhile. @returns the answer, and the longest time of `/health` in ms */
async function askBeside(url: string, question: string) {
  const answered = new AbortController()
  const asking = fetch(`${url}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question }),
  }).finally(() => answered.abort())
  const waits: number[] = []
  while (!answered.signal.aborted) {
    const begun = performance.now()
    await (await fetch(`${url}/health`)).text()
    waits.push(performance.now() - begun)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const response = await asking
  return { status: response.status, body: (await response.json()) as RunResponse, longest: Math.max(...waits) }
}

describe.each(['no model', 'a model'])('a server with %s', (kind) => {
  let model: ModelServer | undefined
  let served: Served
  beforeAll(async () => {
    model = kind === 'a model' ? await startModelServer(SCRIPT) : undefined
    const env = model === undefined ? {} : { TUTTI_MODEL_URL: model.url, TUTTI_MODEL: 'compatible:scripted' }
    const mailbox = { TUTTI_MAIL_URL: 'maildir:mailbox', TUTTI_MAIL_FROM: 'ada@example.com' }
    const prepare = async ({ folder }: Served['world']): Promise<void> => {
      for (const name of ['cur', 'new', 'tmp']) await mkdir(join(folder, 'mailbox', name), { recursive: true })
    }
    served = await startServed(prepare, ['--db', 'sqlite:shop.sqlite'], { ...mailbox, ...env })
  })
  afterAll(async () => {
    await served?.close()
    await model?.close()
  })

  it.each(Object.keys(QUESTIONS))('serves others while it works on %s, and ends with an answer', async (name) => {
    const { status, body, longest } = await askBeside(served.url, QUESTIONS[name]!)
    expect(status).toBe(200)
    expect(body.answer).toMatch(/\S/)
    expect(body.metadata.isAnswered).toBe(model !== undefined)
    // Without the limits each of these takes 8 s to several minutes.
    expect(longest).toBeLessThan(6_000)
  })
})
