import type { Chunk, Hit, KnowledgeStore, OwnerScope } from '../types.ts'

/** Characters shown of a neighbour: enough to understand a sentence that began or continues there. */
const SHOWN = 600

export interface HitInContext extends Hit {
  /** The text before the passage in its section, where that was cut. */
  readonly before?: string
  /** The text after it. */
  readonly after?: string
}

/** Adds the text before and after to passages that were cut in the middle of a section, unless it was found as well. */
export async function withNeighbours(
  store: KnowledgeStore,
  scope: OwnerScope,
  hits: readonly Hit[],
): Promise<HitInContext[]> {
  const found = new Set(hits.map(({ chunk }) => chunk.chunkId))
  return Promise.all(
    hits.map(async (hit) => {
      const { chunk, document } = hit
      if (chunk.kind === 'table') return hit
      const around = await store.chunks(scope, document.documentId, Math.max(0, chunk.ordinal - 1), chunk.ordinal + 1)
      const neighbour = (ordinal: number): Chunk | undefined =>
        around.find((other) => other.ordinal === ordinal && isSameText(other, chunk) && !found.has(other.chunkId))
      const before = neighbour(chunk.ordinal - 1)
      const after = neighbour(chunk.ordinal + 1)
      return {
        ...hit,
        ...(before === undefined ? {} : { before: lastPart(before.text) }),
        ...(after === undefined ? {} : { after: firstPart(after.text) }),
      }
    }),
  )
}

function isSameText(a: Chunk, b: Chunk): boolean {
  return a.kind === 'text' && a.section === b.section
}

/** From a word's beginning. */
export function lastPart(text: string): string {
  return text.length <= SHOWN ? text : text.slice(-SHOWN).replace(/^\S*\s+/, '')
}

/** To a word's end. */
export function firstPart(text: string): string {
  return text.length <= SHOWN ? text : text.slice(0, SHOWN).replace(/\s+\S*$/, '')
}
