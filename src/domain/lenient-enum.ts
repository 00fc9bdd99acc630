import { z } from 'zod'

/** One of these words, in whatever case and form: “Approved” is `approve`. */
export function lenientEnum<const T extends string>(words: readonly [T, ...T[]]) {
  return z.preprocess((value) => words.find((word) => isForm(word, value)) ?? value, z.enum(words))
}

function isForm(word: string, value: unknown): boolean {
  if (typeof value !== 'string') return false
  const [shorter, longer] = [word, value.trim()].map((one) => one.toLowerCase()).toSorted((a, b) => a.length - b.length)
  return longer!.startsWith(shorter!) && longer!.length - shorter!.length <= 2
}
