import { omitUndefined } from '../../shared/json.ts'
import { z } from 'zod'
import { searchTerms } from '../search/analysis.ts'
import type { Chunk, DocumentRecord } from '../types.ts'
import type { Condition, IndexKind, Point } from './client.ts'
import { pointId } from './names.ts'

/**
 * Indexed fields: those that other readers of the collection expect, and all fields used in filters here, since a
 * server in strict mode rejects filters on other fields.
 */
export const INDEXES: readonly (readonly [string, IndexKind])[] = [
  ['metadata.doc_type', 'keyword'],
  ['metadata.date', 'keyword'],
  ['metadata.section_title', 'text'],
  ['metadata.section_terms', 'keyword'],
  ['type', 'keyword'],
  ['doc_id', 'keyword'],
  ['embedding_model', 'keyword'],
]

export const typeCondition = (type: 'chunk' | 'document_entry'): Condition => ({ key: 'type', match: { value: type } })
export const modelCondition = (model: string): Condition => ({ key: 'embedding_model', match: { value: model } })
export const documentCondition = (documentId: string): Condition => ({ key: 'doc_id', match: { value: documentId } })

/** Matches points not created by this program: its own points name their model. */
export const FOREIGN: Condition = { is_empty: { key: 'embedding_model' } }

/** The point of a chunk. */
export function chunkPoint(chunk: Chunk, document: DocumentRecord, model: string, vector: Float32Array): Point {
  const { name, type, date, documentId } = document
  const { section, text, page } = chunk
  return {
    id: pointId('chunk', chunk.chunkId),
    vector: { dense: [...vector] },
    payload: {
      type: 'chunk',
      doc_id: documentId,
      embedding_model: model,
      text,
      metadata: {
        chunk_id: chunk.chunkId,
        ordinal: chunk.ordinal,
        filename: name,
        doc_type: type,
        kind: chunk.kind,
        start: chunk.start,
        end: chunk.end,
        ...omitUndefined({ page, date }),
        ...(section === undefined ? {} : { section_title: section, section_terms: [...new Set(searchTerms(section))] }),
      },
    },
  }
}

/** The point of a whole document. */
export function documentPoint(document: DocumentRecord, model: string): Point {
  const { documentId, name, description, type, addedAt, chunks } = document
  return {
    id: pointId('document_entry', documentId),
    vector: {},
    payload: {
      type: 'document_entry',
      doc_id: documentId,
      embedding_model: model,
      filename: name,
      description,
      doc_type: type,
      uploaded_at: new Date(addedAt).toISOString(),
      total_chunks: chunks,
    },
  }
}

const place = z.object({ doc_id: z.string(), metadata: z.object({ ordinal: z.number().int() }) })

/** Reads the fields that identify the chunk of a point; undefined for a point without them. */
export const PLACE_FIELDS = ['doc_id', 'metadata.ordinal'] as const
export function pointLocation(
  payload: Readonly<Record<string, unknown>>,
): { readonly documentId: string; readonly ordinal: number } | undefined {
  const { data } = place.safeParse(payload)
  return data === undefined ? undefined : { documentId: data.doc_id, ordinal: data.metadata.ordinal }
}
