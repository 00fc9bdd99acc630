import type { Clock } from '../../shared/clock.ts'
import type { CutDocument } from '../chunking/chunk.ts'
import { documentError } from './document-error.ts'
import { DEFAULT_LIMITS, type ReadLimits } from './limits.ts'
import type { NamedBytes } from './file-bytes.ts'
import { assertSize } from './parse.ts'
import { ReadChild } from './read-child.ts'
import type { DocumentFacts, ReadMessage } from './read-messages.ts'

/** A file as text and passages, ready for the store. */
export interface ReadDocument extends DocumentFacts, CutDocument {
  readonly text: string
}

export interface ReadOptions {
  readonly clock: Clock
  readonly limits?: Partial<ReadLimits>
  readonly signal?: AbortSignal
  /** Told when the text is known and is being cut. */
  readonly onChunking?: () => void
}

/** Longer than on any disk. */
const MAX_NAME_CHARS = 4000

/**
 * Parses and chunks a file in a separate process that is killed if it exceeds its time or memory. The process leaves
 * nothing behind.
 * @throws TuttiError `DocumentError` with one sentence that says what to do, or the signal's reason
 */
export async function readDocument(file: NamedBytes, options: ReadOptions): Promise<ReadDocument> {
  const { clock, signal, onChunking } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  signal?.throwIfAborted()
  if (file.name.length > MAX_NAME_CHARS) {
    throw documentError('The name of the file is longer than any file has; give it a shorter one.')
  }
  assertSize(file.name, file.bytes.length, limits)
  if (file.bytes.length === 0) throw documentError(`${file.name} is empty; add a file that has content.`)
  const child = new ReadChild(limits)
  const answer = new Answer()
  const stop = (): void => void child.kill('stopped')
  const cancel = startTimer(child, clock, timeFor(file.bytes.length, limits))
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await child.read(file, (message) => {
      if ('stage' in message) onChunking?.()
      answer.take(message)
    })
  } finally {
    cancel()
    signal?.removeEventListener('abort', stop)
    await child.kill()
  }
  signal?.throwIfAborted()
  return answer.document(file.name, child.error)
}

/** What any file is given, and what one is given by its size besides: a small one that takes long was made to. */
const MIN_TIME_MS = 15_000
const MS_PER_MEGABYTE = 5_000

function timeFor(bytes: number, { timeMs }: ReadLimits): number {
  return Math.min(timeMs, MIN_TIME_MS + Math.ceil(bytes / 1_000_000) * MS_PER_MEGABYTE)
}

/** Ends the reader that is late; one that had to wait for the processor is given its time again, so often. */
const MAX_TIME_EXTENSIONS = 5

function startTimer(child: ReadChild, clock: Clock, timeMs: number): () => void {
  let times = 1
  const onTime = (): void => {
    if (!child.isStarved(timeMs) || times >= MAX_TIME_EXTENSIONS) return void child.kill('late', timeMs)
    times++
    cancel = clock.timer(timeMs, onTime)
  }
  let cancel = clock.timer(timeMs, onTime)
  return () => cancel()
}

/** Puts the messages of the process together. */
class Answer {
  readonly #pieces: string[] = []
  readonly #chunks: CutDocument['chunks'][number][] = []
  readonly #parents: (number | undefined)[] = []
  #text: string | undefined
  #facts: DocumentFacts | undefined
  #error: string | undefined

  take(message: ReadMessage): void {
    if ('text' in message) this.#pieces.push(message.text)
    else if ('facts' in message) this.#facts = message.facts
    else if ('error' in message) this.#error = message.error
    else if ('stage' in message) this.#text = this.#pieces.join('')
    else {
      for (const { parent, ...chunk } of message.chunks) {
        const text = (this.#text ?? '').slice(chunk.start, chunk.end)
        this.#chunks.push({ ...chunk, ordinal: this.#chunks.length, text })
        this.#parents.push(parent)
      }
    }
  }

  document(name: string, error: string | undefined): ReadDocument {
    if (this.#error !== undefined) throw documentError(this.#error)
    if (this.#facts === undefined || this.#text === undefined) {
      throw documentError(
        `${name} could not be read: ${error ?? 'its reader ended unexpectedly; save it again and add that'}.`,
      )
    }
    return { ...this.#facts, text: this.#text, chunks: this.#chunks, parents: this.#parents }
  }
}
