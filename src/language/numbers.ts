/** From “zero” to “twenty”, each at its own place. */
export const NUMBER_WORDS: readonly string[] = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen twenty'
).split(' ')

/** A number in digits or in one of these words; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  const place = NUMBER_WORDS.indexOf(text.toLowerCase())
  if (place >= 0) return place
  return /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/.test(text) ? Number(text.replaceAll(',', '')) : undefined
}
