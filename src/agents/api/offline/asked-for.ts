import type { Endpoint } from '../catalogue/types.ts'
import { meansNoun, valueAfter, type Word } from './question.ts'
import { stem, wordsOf } from '../../../language/tokens.ts'

/** The stem of the thing that an endpoint is about: of the last fixed part of its path. */
export function resourceOf({ path }: Endpoint): string | undefined {
  const last = path.split('/').findLast((segment) => segment !== '' && !/[{}]/.test(segment))
  return last === undefined ? undefined : wordsOf(last).map(stem).at(-1)
}

/**
 * What a question asks for when it names the thing of this endpoint only to narrow that down: "orders of customer 57" and
 * "customer 57's orders" ask for orders, so `/customers/{id}` is not meant. Undefined when it may be meant.
 * @param resources what the endpoints are about that come into question
 */
export function askedInstead(
  endpoint: Endpoint,
  words: readonly Word[],
  resources: ReadonlySet<string>,
): string | undefined {
  const own = resourceOf(endpoint)
  if (own === undefined || endpoint.effect !== 'read' || !/\{[^{}]*\}\/?$/.test(endpoint.path)) return undefined
  const isOther = (word: Word | undefined): word is Word =>
    word !== undefined && !meansNoun(word, own) && resources.has(word.stem)
  for (const [at, word] of words.entries()) {
    const value = meansNoun(word, own) ? valueAfter(words, at) : -1
    if (value < 0) continue
    const asked = words.slice(0, at).find(isOther) ?? (isOther(words[value + 1]) ? words[value + 1] : undefined)
    if (asked !== undefined) return asked.text
  }
  return undefined
}

/** Whether the value at `at` is the name of a thing of another kind: in "the customer of order 915" no customer's. */
export function belongsToOther(
  words: readonly Word[],
  at: number,
  nouns: readonly string[],
  resources: ReadonlySet<string>,
): boolean {
  return words.some((word, i) => {
    return valueAfter(words, i) === at && resources.has(word.stem) && !nouns.some((noun) => meansNoun(word, noun))
  })
}
