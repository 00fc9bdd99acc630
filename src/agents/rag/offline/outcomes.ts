import { given } from '../../../core/given.ts'
import type { Outcome, Source } from '../../../core/result.ts'
import type { HitInContext } from '../../../knowledge/search/neighbours.ts'
import { citedSources, marksIn } from '../../citations.ts'
import { sourceOf as passageSource } from '../passages.ts'
import { rowsSaid } from './rows.ts'

export const NOTHING_FOUND = 'The documents say nothing on this.'
/** What holds some of the words may be the answer, in words of its own. */
export const NOTHING_CERTAIN = 'No passage answers this for certain.'

/** `data` in the form of SPEC R6; the answer's [n] are the places of `sources`. */
export function found(
  query: string,
  answer: string,
  hits: readonly HitInContext[],
  confidence: number,
  notes: readonly string[],
): Outcome {
  const cited = citedSources(answer, hits)
  return {
    answer: cited.answer,
    data: {
      chunks: hits.map(({ chunk, document, score }) => ({
        chunk_id: chunk.chunkId,
        score,
        text: chunk.text,
        metadata: {
          filename: document.name,
          doc_type: document.type,
          ...given({ page: chunk.page, section_title: chunk.section, date: document.date }),
        },
      })),
      sources: places(hits),
      query,
      notes,
      by: 'fallback',
    },
    confidence,
    sources: cited.sources.map((hit, i) => sourceOf(hit, saidOf(cited.answer, i + 1))),
  }
}

/** The passage that comes nearest to a question that the documents do not answer. */
export interface Nearest {
  readonly place: string
  readonly text: string
}

/**
 * The documents hold nothing on it: the question is for others, if there are any. The nearest passage stands in `data`
 * alone: an error's message goes into prompts and mails, where words of a document have no place.
 */
export function nothingFound(
  query: string,
  notes: readonly string[],
  nearest?: Nearest,
): Pick<Outcome, 'data' | 'confidence'> {
  return { data: { chunks: [], sources: [], query, notes, ...given({ nearest }) }, confidence: 0 }
}

/** Each place once: file, page, section. */
function places(hits: readonly HitInContext[]) {
  const all = hits.map(({ chunk, document }) => ({
    type: 'document',
    source: document.name,
    ...given({ page: chunk.page, section: chunk.section }),
  }))
  return [...new Map(all.map((place) => [JSON.stringify(place), place])).values()]
}

/** What of an answer a mark stands behind. */
function saidOf(answer: string, n: number): string {
  let from = 0
  return marksIn(answer)
    .flatMap(({ start, end, numbers }) => {
      const said = answer.slice(from, start)
      from = end
      return numbers.includes(n) ? [said] : []
    })
    .join(' ')
}

/** A passage as a source of an answer; of a table the rows of which something is said. */
function sourceOf({ chunk, document }: HitInContext, said: string): Source {
  const { start, end } = rowsSaid(chunk, said) ?? chunk
  const isWhole = start === chunk.start && end === chunk.end
  const text = isWhole ? chunk.text : chunk.text.slice(start - chunk.start, end - chunk.start)
  return passageSource({ chunk: { ...chunk, start, end, text }, document })
}
