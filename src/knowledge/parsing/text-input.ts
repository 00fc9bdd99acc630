import { cleanText, tooLong } from './document-text.ts'
import { decodeText } from './encoding.ts'
import type { Source } from './source.ts'

/** In no encoding does a character take more. */
const MOST_BYTES_A_CHARACTER = 4

/**
 * The whole of a text file, with `\n` alone between lines.
 * @throws TuttiError `DocumentError` when it is longer than what is taken, or in an unknown encoding
 */
export function readText({ name, bytes, limits: { characters } }: Source): string {
  // Found out before the work of decoding where it is certain.
  if (bytes.length > characters * MOST_BYTES_A_CHARACTER) throw tooLong(name, characters)
  const text = cleanText(decodeText(name, bytes))
  if (text.length > characters) throw tooLong(name, characters)
  return text
}
