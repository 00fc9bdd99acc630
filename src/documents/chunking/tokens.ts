/** Pieces of about one token: up to six Latin letters, three of other alphabets, three digits, two signs, one ideograph. */
const TOKEN =
  /\p{Script=Latin}{1,6}|[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]{1,3}|\p{N}{1,3}|[^\s\p{L}\p{N}]{1,2}|\p{L}/gu

/**
 * Estimates the tokens of a text without the vocabulary of a model. Counts of parts that are split at white space add up.
 * @param max stops counting once there are more
 */
export function countTokens(text: string, max = Infinity): number {
  const pieces = text.matchAll(TOKEN)
  let count = 0
  while (count <= max && pieces.next().done !== true) count++
  return count
}
