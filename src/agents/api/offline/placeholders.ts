import { meansNoun, valueAfter, type Word } from './question.ts'
import { stem, wordsOf } from '../../../language/tokens.ts'

/** A placeholder of a path with the words that a question may name it by. */
export interface Placeholder {
  readonly name: string
  /** Stems: of the segment before it and of its own name without "id". */
  readonly nouns: readonly string[]
}

export function placeholdersOf(path: string): readonly Placeholder[] {
  const segments = path.split('/')
  return segments.flatMap((segment, i) =>
    [...segment.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => {
      const before = wordsOf(segments[i - 1] ?? '')
        .map(stem)
        .at(-1)
      const own = wordsOf(name!)
        .map(stem)
        .filter((word) => !['id', 'uuid', 'key', 'name', 'code', 'slug'].includes(word))
      return { name: name!, nouns: [...new Set([...(before === undefined ? [] : [before]), ...own])] }
    }),
  )
}

/**
 * Which word of the question fills which placeholder, as far as the question puts them side by side: "order 17", "pod
 * named "web-1"". Gives word indices by placeholder name.
 */
export function bindPlaceholders(words: readonly Word[], placeholders: readonly Placeholder[]): Map<string, number> {
  const bound = new Map<string, number>()
  const taken = new Set<number>()
  for (const { name, nouns } of [...placeholders].reverse()) {
    const found = words.flatMap((word, i) =>
      nouns.some((noun) => meansNoun(word, noun)) ? [valueAfter(words, i)] : [],
    )
    const value = found.find((index) => index >= 0 && !taken.has(index))
    if (value === undefined) continue
    bound.set(name, value)
    taken.add(value)
  }
  return bound
}
