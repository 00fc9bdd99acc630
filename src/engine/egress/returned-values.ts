const MAX_VALUES = 20_000
/** Total size of all values: a text of a million characters is stored whole, by lines and by parts. */
const MAX_CHARS = 4_000_000
/** Folders are looked for in pieces of at most so many characters: each costs the path before it once more. */
const MAX_PATH_CHARS = 300
const MAX_FOLDERS = 16

/**
 * Values that a destination returned, as they are and in lower case: strings and numbers of its output, and for texts
 * also the lines, the pieces between spaces and punctuation, and the folders of paths, since many services reply in
 * prose. Each choice among them costs bits, so pieces of a long text cost more.
 */
export function returnedValues(output: unknown): ReadonlySet<string> {
  const values = new Set<string>()
  let left = MAX_CHARS
  const add = (value: string): void => {
    if (value === '' || values.size >= MAX_VALUES || value.length > left || values.has(value)) return
    values.add(value).add(value.toLowerCase())
    left -= value.length
  }
  const visit = (value: unknown): void => {
    if (typeof value === 'number') add(String(value))
    if (typeof value === 'string') {
      add(value)
      for (const piece of value.split(/\n/)) add(piece.trim())
      for (const piece of value.split(/[\s"'`“”,;()[\]{}<>|]+/)) {
        add(piece.replace(/[.:!?]+$/, ''))
        if (piece.length > MAX_PATH_CHARS) continue
        for (const { index } of [...piece.matchAll(/\//g)].slice(0, MAX_FOLDERS)) add(piece.slice(0, index))
      }
    }
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) visit(inner)
  }
  visit(output)
  return values
}
