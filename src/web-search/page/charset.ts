const BOMS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** The HTML standard looks for the `meta` in the first 1024 bytes; real pages put it later. */
const META_WITHIN = 4_096
const GUESS_FROM = 100_000
const LATIN = 'windows-1252'

/**
 * Bytes as text, in the encoding they are really in. What a server or page declares is often wrong: bytes that are
 * valid UTF-8 beyond ASCII are UTF-8; else what is declared holds, if the bytes fit it; else it is guessed.
 * @param isCut the last character may be incomplete
 */
export async function decodeText(bytes: Uint8Array, contentType: string | undefined, isCut: boolean): Promise<string> {
  const bom = BOMS.find(([, start]) => start.every((byte, i) => bytes[i] === byte))
  if (bom !== undefined) return decoded(bytes, bom[0], isCut) ?? new TextDecoder(bom[0]).decode(bytes)
  const declared = declaredCharset(bytes, contentType)
  const isWide = declared !== undefined && /^(utf-?16|ucs-?2|iso-2022)/i.test(declared)
  const utf8 = isWide ? undefined : decoded(bytes, 'utf-8', isCut)
  if (utf8 !== undefined && /[^\0-\x7f]/.test(utf8)) return utf8
  const asDeclared = declared === undefined ? undefined : decoded(bytes, declared, isCut)
  if (asDeclared !== undefined) return asDeclared
  if (utf8 !== undefined) return utf8
  const { detect } = await import('chardet')
  const guessed = detect(bytes.subarray(0, GUESS_FROM)) ?? LATIN
  const charset = isLatin(guessed) ? LATIN : guessed
  return decoded(bytes, charset, isCut) ?? new TextDecoder(LATIN).decode(bytes)
}

/** A few accents do not tell which Latin alphabet it is, so the web's usual one is used (HTML standard). */
function isLatin(charset: string): boolean {
  return /^(iso-8859-(1|2|9)|windows-125[024])$/i.test(charset)
}

function declaredCharset(bytes: Uint8Array, contentType = ''): string | undefined {
  const inHeader = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]
  if (inHeader !== undefined) return inHeader
  const start = new TextDecoder(LATIN).decode(bytes.subarray(0, META_WITHIN))
  return /<(?:meta|\?xml)\b[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1]
}

/** Undefined when the bytes do not fit or the encoding is unknown. */
function decoded(bytes: Uint8Array, charset: string, isCut: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return undefined // the next guess is tried
  }
}
