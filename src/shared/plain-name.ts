/** Control characters, lone surrogates, line ends, and marks that change the text direction. */
const NEVER = /[\p{Cc}\p{Cs}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

/** Whether every database can store a name, and it reads as written. */
export function isPlainName(name: string): boolean {
  return !NEVER.test(name)
}

/** Whether every database returns a text unchanged. */
export function isStorableText(text: string): boolean {
  return storableText(text) === text
}

/**
 * The same text, of the same length, without what a database refuses: NUL (PostgreSQL) and lone surrogates, which have
 * no UTF-8 (libsql ends the process).
 */
export function storableText(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\uFFFD')
}
