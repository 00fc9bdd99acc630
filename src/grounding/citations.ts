import type { Source } from '../domain/result.ts'

/** ` [7]`, as finished answers cite, with the space before it; no index such as `a[0]`. A block of code is matched as a whole. */
const NUMBERED_MARK = /```[^]*?(?:```|$)|~~~[^]*?(?:~~~|$)| ?(?<!\w(?:\[\d{1,9}\]){0,3})\[[1-9]\d{0,8}\]/g
/** `s1`, `s1, s2`, `S1; 2`, `s1-s3`: ids of results as models write them. */
const IDS = '[sS]\\d+(?:[,;] ?[sS]?\\d+|[-–][sS]\\d+)*'
/** `[s1]`, `【s1】`, `[^s1]`, `[Source: s1]`: marks by which models cite ids; adjacent ones count as one. */
const ID_MARK = `(?:[[【]\\^?(?:\\p{L}{1,12}: ?)?${IDS}[\\]】])+`
/** `(s1)`, `(source: s1)`: a mark where all of its ids are known. */
const ROUND_MARK = `\\((?:\\p{L}{1,12}: ?)?${IDS}\\)`
/** A Markdown footnote definition, such as `[^s1]: …`. */
const FOOTNOTE = '\\n?(?<![^\\n])\\[\\^[sS]\\d+\\]:[^\\n]*'
/** At the beginning of a line with the space behind it. */
const MARK = new RegExp(
  `${FOOTNOTE}|(?<![^\\n])${ID_MARK} ?|${NUMBERED_MARK.source}| ?(?:${ID_MARK}|${ROUND_MARK})`,
  'gu',
)
/** A mark or a footnote that may not be complete yet, at the end of a text that is still coming. */
const OPEN_MARK =
  / ?(?:[[【(]\^?(?:\p{L}{0,12}(?:: ?)?|(?:\p{L}{1,12}: ?)?[sS\d][sS\d ,;–-]*))?$|\n?(?<![^\n])\[\^[sS]\d+\](?::[^\n]*)?$/u

/** Characters of a mark of several numbers, about. */
const MAX_MARK = 30
/** Maximum number of ids in a mark such as `[s2-s5]`. */
const MAX_RANGE = 20

export interface CitedText {
  /** The text with `[n]` in place of its marks. */
  readonly text: string
  /** What `[1]`, `[2]` … mean, in this order. */
  readonly cited: readonly Source[]
  /** Ids that it names and no source has. */
  readonly unknown: readonly string[]
}

/**
 * Replaces the marks of a model's text by `[n]`, numbered by first occurrence. A mark of an unknown id is removed with
 * the space before it; the rest of the text is unchanged. Without sources, `[7]` is kept.
 */
export function numberCitations(text: string, sources: readonly Source[]): CitedText {
  const sourceById = new Map(sources.map((source) => [source.id, source]))
  const cited: Source[] = []
  const unknownIds = new Set<string>()
  const numbered = text.replace(MARK, (mark, at: number) => {
    if (/^\n?\[\^.+?\]:/.test(mark)) return ''
    const isPlain = /^ ?\[\d/.test(mark)
    if (isBlock(mark) || (isPlain && sources.length === 0)) return mark
    const ids = idsIn(mark)
    if (/^ ?\(/.test(mark) && !ids.every((id) => sourceById.has(id))) return mark
    const numbers = ids.flatMap((id) => {
      const source = sourceById.get(id)
      if (source === undefined) unknownIds.add(isPlain ? id.slice(1) : id)
      else if (!cited.includes(source)) cited.push(source)
      return source === undefined ? [] : [cited.indexOf(source) + 1]
    })
    const [before, after] = [mark.startsWith(' ') ? ' ' : '', mark.endsWith(' ') ? ' ' : '']
    if (numbers.length > 0) return before + [...new Set(numbers)].map((n) => `[${n}]`).join('') + after
    // The texts on both sides of a removed mark must not form a mark.
    const isWithinMark = /\[[\d, ]*$/.test(text.slice(Math.max(0, at - MAX_MARK), at))
    return (isWithinMark ? /[\d,\]]/ : /[\d\]]/).test(text[at + mark.length] ?? '') ? ' ' : ''
  })
  return { text: numbered, cited, unknown: [...unknownIds] }
}

/** A fenced block of code. */
function isBlock(mark: string): boolean {
  return /^(?:```|~~~)/.test(mark)
}

function idsIn(mark: string): readonly string[] {
  return [...mark.matchAll(/(\d+)(?:[-–][sS](\d+))?/g)].flatMap(([, first, last = first]) => {
    const rangeLength = Math.min(Math.max(Number(last) - Number(first), 0), MAX_RANGE)
    return Array.from({ length: rangeLength + 1 }, (_, i) => `s${Number(first) + i}`)
  })
}

/**
 * A finished answer with ids in place of its numbers; a mark without a known id is removed with the space before it.
 */
export function withKnownIds(answer: string, ids: ReadonlyMap<number | undefined, string | undefined>): string {
  return answer.replace(NUMBERED_MARK, (mark) => {
    if (isBlock(mark)) return mark
    const id = ids.get(Number(mark.replaceAll(/\D/g, '')))
    return id === undefined ? '' : mark.replace(/\d+/, id)
  })
}

/**
 * A finished answer without its citations, for readers without its sources: its numbers would refer to other sources
 * there.
 */
export function withoutMarks(answer: string): string {
  return withKnownIds(answer, new Map())
}

/** The sources of a finished answer by the number of their marks, most first; with as many in their order. */
export function sortByMentions(answer: string, cited: readonly Source[]): readonly Source[] {
  const mentions = new Map<number, number>()
  for (const [mark] of answer.matchAll(NUMBERED_MARK)) {
    const n = isBlock(mark) ? 0 : Number(mark.replaceAll(/\D/g, ''))
    mentions.set(n, (mentions.get(n) ?? 0) + 1)
  }
  const mentionCounts = cited.map((source, i) => ({ source, times: mentions.get(i + 1) ?? 0 }))
  return mentionCounts.toSorted((a, b) => b.times - a.times).map(({ source }) => source)
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
