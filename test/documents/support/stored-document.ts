import type { NewDocument } from '../../../src/documents/types.ts'

/** A document of the given passages, one chunk each. */
export function documentOf(name: string, passages: readonly string[], more: Partial<NewDocument> = {}): NewDocument {
  let text = ''
  const chunks = passages.map((passage, ordinal) => {
    const start = text.length
    text += `${passage}\n`
    return { ordinal, text: passage, start, end: start + passage.length, kind: 'text' as const, tokens: 10 }
  })
  return {
    name,
    type: 'txt',
    hash: JSON.stringify([name, passages]),
    description: `About ${name}.`,
    topics: [],
    bytes: text.length,
    addedAt: 1_000,
    notes: [],
    text,
    chunks,
    parents: chunks.map(() => undefined),
    ...more,
  }
}
