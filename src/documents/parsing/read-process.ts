import { once } from 'node:events'
import { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { toTuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { startProcessWatchdog } from '../../processes/end-with-parent.ts'
import { chunkDocument } from '../chunking/chunk.ts'
import type { ParsedDocument } from '../types.ts'
import { countInWords, documentError } from './document-error.ts'
import type { ReadLimits } from './limits.ts'
import { parseDocument, type FileContent } from './parse.ts'
import { ANSWER_DESCRIPTOR, type DocumentFacts, type ReadMessage, type SentChunk } from './read-messages.ts'

/**
 * Program of the reader process: parses and chunks the file of its input and sends the result. It may be killed at any
 * time.
 */
const limits = JSON.parse(process.argv[2] ?? '') as ReadLimits

const TEXT_PIECE = 32_000
const CHUNKS_PER_MESSAGE = 100
const MAX_HEADINGS = 40

// Buffers are not part of the heap, so its limit does not cover them.
await startProcessWatchdog({ everyMs: 100, residentMb: limits.residentMb })
const answer = new Socket({ fd: ANSWER_DESCRIPTOR, readable: false })
try {
  const input = await buffer(process.stdin)
  const start = input.indexOf('\n')
  await read({ name: JSON.parse(input.toString('utf8', 0, start)) as string, bytes: input.subarray(start + 1) })
} catch (thrown) {
  await send({ error: toTuttiError(thrown).message })
}
answer.end()
await once(answer, 'finish')
process.exit()

async function read({ name, bytes }: FileContent): Promise<void> {
  const document = await parseDocument({ name, bytes }, limits)
  const { text } = document
  for (let at = 0; at < text.length; at += TEXT_PIECE) await send({ text: text.slice(at, at + TEXT_PIECE) })
  await send({ stage: 'chunking' })
  const { chunks, parents } = chunkDocument(document)
  if (chunks.length > limits.chunks) {
    throw documentError(
      `${name} has more than ${countInWords(limits.chunks)} passages; split it into several files and add those.`,
    )
  }
  for (let at = 0; at < chunks.length; at += CHUNKS_PER_MESSAGE) {
    const batch = chunks.slice(at, at + CHUNKS_PER_MESSAGE).map((chunk): SentChunk => {
      const { start, end, kind, tokens, page, pages, section } = chunk
      return { start, end, kind, tokens, ...omitUndefined({ page, pages, section, parent: parents[chunk.ordinal] }) }
    })
    await send({ chunks: batch })
  }
  await send({ facts: factsOf(document) })
}

function factsOf({ type, text, blocks, pages, title, date, notes }: ParsedDocument): DocumentFacts {
  const headings = blocks.filter(({ kind }) => kind === 'heading').slice(0, MAX_HEADINGS)
  return {
    type,
    ...omitUndefined({ pages, title, date }),
    notes,
    headings: headings.map(({ start, end }) => text.slice(start, end)),
  }
}

async function send(message: ReadMessage): Promise<void> {
  if (!answer.write(`${JSON.stringify(message)}\n`)) await once(answer, 'drain')
}
