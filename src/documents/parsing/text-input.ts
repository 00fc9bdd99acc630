import { cleanText, tooLong } from './document-text.ts'
import { decodeText } from '../../markup/charset.ts'
import { documentError } from './document-error.ts'
import type { Source } from './source.ts'

/** In no encoding does a character take more. */
const MAX_BYTES_PER_CHAR = 4

export interface TextInput {
  readonly text: string
  /** Problems of the text. */
  readonly notes: readonly string[]
}

/**
 * The whole text of a file, with `
 * ` line ends.
 * @throws TuttiError `DocumentError` if it is too long or in an unknown encoding
 */
export function readTextFile({ name, bytes, limits: { characters } }: Source, isPage = false): TextInput {
  // Found out before the work of decoding where it is certain.
  if (bytes.length > characters * MAX_BYTES_PER_CHAR) throw tooLong(name, characters)
  const decoded = decodeText(bytes, { isPage })
  if (decoded === undefined) {
    throw documentError(`${name} is in an encoding that cannot be detected; save it as UTF-8 and add that.`)
  }
  const text = cleanText(decoded.text)
  if (text.length > characters) throw tooLong(name, characters)
  return { text, notes: decoded.guess === undefined ? [] : [doubt(decoded.guess)] }
}

function doubt(encoding: string): string {
  return `Its encoding is not certain; it was read as ${encoding}. If it looks wrong, save it as UTF-8 and add that.`
}
