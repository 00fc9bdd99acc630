/** Replaces each character of quotes, code, addresses, numbers and abbreviations by `MASK`. */
export const MASK = '\uE000'

/** Text that is not in the user's own words, or is not prose. */
const FOREIGN = [
  /```[\s\S]*?(?:```|$)/g,
  /`[^`\n]+`/g,
  /"[^"]*"|„[^„“”]*[“”]|“[^“”]*”|«[^«»]*»|‘[^‘’]*’/g,
  /(?<![\p{L}\p{N}])'[^'\n]+'(?![\p{L}\p{N}])/gu,
  /\bhttps?:\/\/\S+/gi,
  /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+/g,
  /\b(?:\w{1,60}[/\\]){0,10}\w{1,60}\.(?:pdf|docx?|xlsx?|csv|txt|md|html?|json|ya?ml|py|sql)\b/gi,
]

const OPAQUE = [
  ...FOREIGN,
  /\d+(?:[.,:]\d+)+/g,
  /\b(?:e\.g\.|i\.e\.|etc\.|vs\.|approx\.|no\.(?=\s*\d)|mr\.|mrs\.|ms\.|dr\.|inc\.|ltd\.|co\.|st\.|u\.s\.|u\.k\.|a\.m\.|p\.m\.)/gi,
]

export const mask = (question: string): string => masked(question, OPAQUE)

/** Masks quoted text, code, addresses and file names; numbers and abbreviations stay readable. */
export const maskForeign = (text: string): string => masked(text, FOREIGN)

function masked(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((rest, pattern) => rest.replace(pattern, (found) => MASK.repeat(found.length)), text)
}
