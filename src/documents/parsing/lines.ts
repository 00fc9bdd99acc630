const BULLET = /^\s*(?:[-*+•‣◦▪–·]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S/

/**
 * Whether a line begins an item of a list: a bullet, a number or a letter.
 * @param above the line before it in the same paragraph: a number that a sentence was broken at is none
 */
export function isListItem(line: string, above = ''): boolean {
  if (!BULLET.test(line)) return false
  return above === '' || !/^\s*(?:\d|[a-z]\.)/.test(line) || /[.:;!?…]["'”’)\]]*\s*$/.test(above) || BULLET.test(above)
}

const NUMBERED = /^(\d{1,2}(?:\.\d{1,3}){0,4})[.)]?\s+\p{Lu}/u
const MOST_HEADING_CHARACTERS = 80

/**
 * Level of a heading in text without marks: numbered (`2.1 Returns`) or in capitals; `undefined` for other lines. Only
 * lines that stand alone should be asked about.
 */
export function plainHeadingLevel(line: string): number | undefined {
  const text = line.trim()
  if (text.length > MOST_HEADING_CHARACTERS || /[.!?;:,]$/.test(text)) return undefined
  const number = NUMBERED.exec(text)?.[1]
  if (number !== undefined) return number.split('.').length
  return /\p{Lu}.*\p{Lu}.*\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text) && /^\p{L}/u.test(text) ? 1 : undefined
}
