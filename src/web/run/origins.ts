import type { Provenance } from '../../client/run.ts'
import type { RunView } from './run-log.ts'

export interface Origin {
  readonly author: Provenance['author']
  /** The place as named in the run; absent for the user's own text. */
  readonly names?: readonly string[]
}

/** A part of a text with the places where it occurs verbatim; none if unknown. */
export interface Stretch {
  readonly text: string
  readonly origin?: Origin
}

interface Place {
  readonly words: string
  readonly origin: Origin
}

/** Fewer words in a row are everybody's. */
const MIN_WORDS = 4
const MAX_TEXT_CHARS = 20_000

/** What a call can have been made from, the least trusted last: the person's words, then what calls before it gave back. */
export function textSources({ state, calls }: RunView): Place[] {
  const { question, systemPrompt = '' } = state.request
  const approvalTexts = [...state.approvals.values()].map(({ instructions = '' }) => instructions)
  const own: Place = {
    words: plain([question, systemPrompt, ...approvalTexts].join(' | ')),
    origin: { author: 'user' },
  }
  const found = [...calls.values()].flat().flatMap(({ kind, name, output, provenance }): Place[] => {
    if (kind !== 'tool' || output === undefined || provenance === undefined || provenance.author === 'user') return []
    const names = provenance.sources.length === 0 ? [name] : provenance.sources
    return [{ words: plain(textOf(output)), origin: { author: provenance.author, names } }]
  })
  const order = ['user', 'own', 'outside']
  return [own, ...found.toSorted((a, b) => order.indexOf(a.origin.author) - order.indexOf(b.origin.author))]
}

/**
 * A text in stretches: words that are in one of the places as they do here, at least four in a row, or a single address or
 * number. The person's own words win over all others; data over what strangers wrote.
 */
export function splitByOrigin(text: string, places: readonly Place[]): Stretch[] {
  if (text.length > MAX_TEXT_CHARS) return [{ text }]
  const parts = text.match(/\s*\S+\s*/g) ?? []
  const words = parts.map(plain)
  const stretches: Stretch[] = []
  const plainly = (piece: string): void => {
    const last = stretches.at(-1)
    if (last !== undefined && last.origin === undefined) stretches[stretches.length - 1] = { text: last.text + piece }
    else if (piece !== '') stretches.push({ text: piece })
  }
  const push = (from: number, to: number, origin?: Origin): void => {
    const piece = parts.slice(from, to).join('')
    const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(piece)!
    if (origin === undefined) return plainly(piece)
    plainly(before)
    stretches.push({ text: words, origin })
    plainly(after)
  }
  for (let at = 0; at < parts.length;) {
    const found = longest(words, at, places)
    push(at, at + (found?.length ?? 1), found?.origin)
    at += found?.length ?? 1
  }
  return stretches
}

function longest(words: readonly string[], at: number, places: readonly Place[]) {
  let best: { length: number; origin: Origin } | undefined
  for (const { words: all, origin } of places) {
    let length = 0
    while (at + length < words.length && ` ${all} `.includes(` ${words.slice(at, at + length + 1).join(' ')} `))
      length++
    const isTelling = length >= MIN_WORDS || (length > 0 && isSpecific(words[at]!))
    if (isTelling && length > (best?.length ?? 0)) best = { length, origin }
  }
  return best
}

/** Alone it says where it comes from: an address, a number of some length. */
function isSpecific(word: string): boolean {
  return word.includes('@') || word.replace(/\D/g, '').length >= 2
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}@.\-_]+/gu, ' ')
    .replaceAll(/[.\-_]+(?=\s|$)|(?<=^|\s)[.\-_]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** All values of an output, one after the other. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.values(value).map(textOf).join(' | ')
}
