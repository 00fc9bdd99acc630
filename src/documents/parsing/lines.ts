const BULLET = /^\s*(?:[-*+•‣◦▪–·]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S/

/**
 * Returns whether a line starts a list item: a bullet, a number or a letter.
 * @param above the previous line of the paragraph: a number after a broken sentence starts no item
 */
export function isListItem(line: string, above = ''): boolean {
  if (!BULLET.test(line)) return false
  return above === '' || !/^\s*(?:\d|[a-z]\.)/.test(line) || /[.:;!?…]["'”’)\]]*\s*$/.test(above) || BULLET.test(above)
}

const NUMBERED = /^(\d{1,2}(?:\.\d{1,3}){0,4})[.)]?\s+\p{Lu}/u
const MAX_HEADING_CHARS = 80

/**
 * Level of a heading in text without markup: numbered (`2.1 Returns`) or in capitals; `undefined` for other lines. Call
 * it only for lines that form a paragraph of their own.
 */
export function plainHeadingLevel(line: string): number | undefined {
  const text = line.trim()
  if (text.length > MAX_HEADING_CHARS || /[.!?;:,]$/.test(text)) return undefined
  const number = NUMBERED.exec(text)?.[1]
  if (number !== undefined) return number.split('.').length
  return /\p{Lu}.*\p{Lu}.*\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text) && /^\p{L}/u.test(text) ? 1 : undefined
}
