/** Controls, halves of characters, ends of lines, and marks that turn the direction of what is read. */
const NEVER = /[\p{Cc}\p{Cs}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

/** Whether a name can be kept by each database, and is read as what it is. */
export function isPlainName(name: string): boolean {
  return !NEVER.test(name)
}

/** Whether each database gives a text back as it was: PostgreSQL takes no NUL, and half of a character comes back as another. */
export function isStorableText(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text)
}
