import { z } from 'zod'

/** One of these words, in whatever case and form: “Approved” is `approve`. */
export function verdict<const T extends string>(words: readonly [T, ...T[]]) {
  return z.preprocess((said) => words.find((word) => isForm(word, said)) ?? said, z.enum(words))
}

function isForm(word: string, said: unknown): boolean {
  if (typeof said !== 'string') return false
  const [shorter, longer] = [word, said.trim()].map((one) => one.toLowerCase()).toSorted((a, b) => a.length - b.length)
  return longer!.startsWith(shorter!) && longer!.length - shorter!.length <= 2
}
