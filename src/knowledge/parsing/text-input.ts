import { cleanText, tooLong } from './document-text.ts'
import { decodeText } from '../../markup/charset.ts'
import { documentError } from './document-error.ts'
import { MOST_BYTES_A_CHARACTER } from './limits.ts'
import type { Source } from './source.ts'

/**
 * The whole of a text file, with `\n` alone between lines.
 * @throws TuttiError `DocumentError` when it is longer than what is taken, or in an unknown encoding
 */
export function readText({ name, bytes, limits: { characters } }: Source, isPage = false): string {
  // Found out before the work of decoding where it is certain.
  if (bytes.length > characters * MOST_BYTES_A_CHARACTER) throw tooLong(name, characters)
  const decoded = decodeText(bytes, { isPage })
  if (decoded === undefined) {
    throw documentError(`${name} is in an encoding that cannot be told for sure; save it as UTF-8 and add that.`)
  }
  const text = cleanText(decoded)
  if (text.length > characters) throw tooLong(name, characters)
  return text
}
