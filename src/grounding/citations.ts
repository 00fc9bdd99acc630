import type { Source } from '../core/result.ts'

/** `[s1]`, `[s1, s2]`, `[s1; 2]`: marks by which a model cites the ids of its results. */
const MARK = / ?\[s\d+(?:[,;] ?s?\d+)*\]/g
/** A mark that may not be complete yet, at the end of a text that is still coming. */
const OPEN_MARK = / ?(?:\[[s\d ,;]*)?$/

export interface CitedText {
  /** The text with `[n]` in place of its marks. */
  readonly text: string
  /** What `[1]`, `[2]` … stand for, in this order. */
  readonly cited: readonly Source[]
  /** Ids that it names and no source has. */
  readonly unknown: readonly string[]
}

/** The id of a result's place among those known so far: the same place keeps its id. */
export function withId(source: Source, known: readonly Source[]): Source {
  const key = placeKey(source)
  const id = known.find((other) => placeKey(other) === key)?.id ?? `s${highest(known) + 1}`
  return { ...source, id }
}

function highest(known: readonly Source[]): number {
  return known.reduce((max, { id }) => Math.max(max, Number(id?.slice(1) ?? 0)), 0)
}

/**
 * Replaces the marks of a model's text by `[n]`, numbered by first occurrence. A mark of an unknown id is removed with the
 * space before it; nothing else of the text changes.
 */
export function numberCitations(text: string, sources: readonly Source[]): CitedText {
  const byId = new Map(sources.map((source) => [source.id, source]))
  const cited: Source[] = []
  const unknown = new Set<string>()
  const numbered = text.replace(MARK, (mark, at: number) => {
    const ids = Array.from(mark.matchAll(/\d+/g), ([digits]) => `s${digits}`)
    const numbers = ids.flatMap((id) => {
      const source = byId.get(id)
      if (source === undefined) unknown.add(id)
      else if (!cited.includes(source)) cited.push(source)
      return source === undefined ? [] : [cited.indexOf(source) + 1]
    })
    const space = mark.startsWith(' ') ? ' ' : ''
    if (numbers.length > 0) return space + [...new Set(numbers)].map((n) => `[${n}]`).join('')
    // What stands on both sides of a mark that goes must not become a mark.
    return /[\d,\]]/.test(text[at + mark.length] ?? '') ? ' ' : ''
  })
  return { text: numbered, cited, unknown: [...unknown] }
}

/** For streaming: the text so far with its marks numbered, without a mark at its end that may be incomplete. */
export function numberedSoFar(soFar: string, sources: readonly Source[]): string {
  return numberCitations(soFar.replace(OPEN_MARK, ''), sources).text
}

/** Two sources of the same place have the same key. */
export function placeKey({ kind, name, detail, url, passage }: Source): string {
  const place = passage === undefined ? [] : [passage.documentId, passage.start, passage.end]
  return JSON.stringify([kind, name, detail, url, ...place])
}
