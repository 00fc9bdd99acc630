import { once } from 'node:events'
import { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { toTuttiError } from '../../core/errors.ts'
import { startWatchdog } from '../../processes/watchdog.ts'
import { chunkDocument } from '../chunking/chunk.ts'
import { createTokenCounter } from '../chunking/tokens.ts'
import type { ParsedDocument } from '../types.ts'
import { countInWords, documentError } from './document-error.ts'
import { parseDocument } from './parse.ts'
import {
  ANSWER_DESCRIPTOR,
  type DocumentFacts,
  type ReadMessage,
  type ReadOrder,
  type SentChunk,
} from './read-messages.ts'

/**
 * The program of the process that reads one file: parses it, cuts it, sends both back and ends. It may be killed at any
 * time, and leaves nothing behind.
 */
const order = JSON.parse(process.argv[2] ?? '') as ReadOrder

const TEXT_PIECE = 32_000
const CHUNKS_A_MESSAGE = 100
const MOST_HEADINGS = 40

// Buffers are outside of the heap.
await startWatchdog({ everyMs: 100, residentMb: order.limits.residentMb })
const answer = new Socket({ fd: ANSWER_DESCRIPTOR, readable: false })
try {
  await read(await buffer(process.stdin))
} catch (thrown) {
  await send({ trouble: toTuttiError(thrown).message })
}
answer.end()
await once(answer, 'finish')
process.exit()

async function read(bytes: Buffer): Promise<void> {
  const document = await parseDocument({ name: order.name, bytes }, order.limits)
  const { text } = document
  for (let at = 0; at < text.length; at += TEXT_PIECE) await send({ text: text.slice(at, at + TEXT_PIECE) })
  await send({ stage: 'chunking' })
  const { chunks, parents } = chunkDocument(document, await createTokenCounter())
  if (chunks.length > order.limits.chunks) {
    throw documentError(
      `${order.name} falls into more than ${countInWords(order.limits.chunks)} passages; split it into several files and add those.`,
    )
  }
  for (let at = 0; at < chunks.length; at += CHUNKS_A_MESSAGE) {
    const batch = chunks.slice(at, at + CHUNKS_A_MESSAGE).map((chunk): SentChunk => {
      const { ordinal, start, end, kind, tokens } = chunk
      const page = chunk.page === undefined ? {} : { page: chunk.page }
      const section = chunk.section === undefined ? {} : { section: chunk.section }
      const parent = parents[ordinal]
      return { start, end, kind, tokens, ...page, ...section, ...(parent === undefined ? {} : { parent }) }
    })
    await send({ chunks: batch })
  }
  await send({ facts: factsOf(document) })
}

function factsOf({ type, text, blocks, pages, title, date, notes }: ParsedDocument): DocumentFacts {
  const headings = blocks.filter(({ kind }) => kind === 'heading').slice(0, MOST_HEADINGS)
  return {
    type,
    ...(pages === undefined ? {} : { pages }),
    ...(title === undefined ? {} : { title }),
    ...(date === undefined ? {} : { date }),
    notes,
    headings: headings.map(({ start, end }) => text.slice(start, end)),
  }
}

async function send(message: ReadMessage): Promise<void> {
  if (!answer.write(`${JSON.stringify(message)}\n`)) await once(answer, 'drain')
}
