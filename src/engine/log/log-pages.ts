import type { RunEvent, RunId } from '../../domain/events.ts'
import type { RunFeed, TextPosition } from '../../domain/store.ts'

/** Events of one block; blocks begin at its multiples, so that readers in different places share them. */
const BLOCK = 256
/** Limits of the cache for all logs: characters of JSON, and blocks. */
const MAX_CHARS = 16_000_000
const MAX_BLOCKS = 256
const MAX_ANSWERS = 1_000

/** The part of one log that starts at a block boundary, as far as it was read. */
interface Block {
  readonly events: RunEvent[]
  chars: number
  reading: Promise<void> | undefined
}

/**
 * A cache of logs, shared by the readers of a process. Old blocks are evicted and read again on demand; logs only grow.
 */
export class LogPages {
  private readonly feed: RunFeed
  /** The most recently used block is last. */
  private readonly blocks = new Map<string, Block>()
  private chars = 0
  private readonly answers = new Map<string, Promise<TextPosition | undefined>>()

  constructor(feed: RunFeed) {
    this.feed = feed
  }

  /** Some of the events after `seq`, in order; empty only if there are none. @throws TuttiError `StorageError` */
  async after(runId: RunId, seq: number): Promise<readonly RunEvent[]> {
    const start = seq - (seq % BLOCK)
    const key = `${start} ${runId}`
    const block = this.blocks.get(key) ?? { events: [], chars: 0, reading: undefined }
    this.blocks.delete(key)
    this.blocks.set(key, block)
    if (start + block.events.length <= seq) {
      // Concurrent readers wait for the same read.
      block.reading ??= this.extend(key, block, runId, start).finally(() => (block.reading = undefined))
      await block.reading
    }
    return block.events.slice(seq - start)
  }

  /** The position in the answer's text when the log ended at `seq`; one query for all readers that resume there. */
  answerAt(runId: RunId, seq: number): Promise<TextPosition | undefined> {
    const key = `${seq} ${runId}`
    let answer = this.answers.get(key)
    if (answer === undefined) {
      answer = this.feed
        .lastText(runId, seq)
        .then((piece) => piece && { part: piece.part, length: piece.offset + piece.text.length })
      answer.catch(() => this.answers.delete(key))
      if (this.answers.size >= MAX_ANSWERS) this.answers.clear()
      this.answers.set(key, answer)
    }
    return answer
  }

  private async extend(key: string, block: Block, runId: RunId, start: number): Promise<void> {
    const have = block.events.length
    const { events, chars } = await this.feed.page(runId, start + have, BLOCK - have)
    block.events.push(...events)
    if (this.blocks.get(key) !== block) return // dropped meanwhile
    block.chars += chars
    this.chars += chars
    for (const [oldest, { chars: freed }] of this.blocks) {
      if (this.chars <= MAX_CHARS && this.blocks.size <= MAX_BLOCKS) break
      this.blocks.delete(oldest)
      this.chars -= freed
    }
  }
}
