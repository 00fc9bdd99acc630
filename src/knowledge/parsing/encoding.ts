import { detect } from 'chardet'

const SAMPLE_BYTES = 256_000

/** Whether bytes are no text in any encoding: they hold what only programs write. UTF-16 must be told apart before. */
export function isBinary(bytes: Uint8Array): boolean {
  if (markedEncoding(bytes) !== undefined || unmarkedUtf16(bytes) !== undefined) return false
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  let controls = 0
  for (const byte of sample) {
    if (byte === 0) return true
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) controls++
  }
  return controls > Math.max(4, sample.length / 50)
}

/**
 * Bytes as text: by byte order mark, else as UTF-8 where they are valid, else as what their letters look like, which is
 * a guess between the encodings of one byte a character.
 */
export function decodeText(bytes: Uint8Array): string {
  const certain = markedEncoding(bytes) ?? unmarkedUtf16(bytes)
  if (certain !== undefined) return decode(bytes, certain)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decode(bytes, detect(bytes.subarray(0, SAMPLE_BYTES)) ?? 'windows-1252')
  }
}

function decode(bytes: Uint8Array, encoding: string): string {
  // UTF-32 and a few more are known to the detector and not to the decoder.
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function markedEncoding([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return undefined
}

/** In UTF-16 of European languages nearly every second byte is zero, on one side. */
function unmarkedUtf16(bytes: Uint8Array): string | undefined {
  const length = Math.min(bytes.length, 4096) & ~1
  if (length < 4 || bytes.length % 2 === 1) return undefined
  let even = 0
  let odd = 0
  for (let i = 0; i < length; i += 2) {
    if (bytes[i] === 0) even++
    if (bytes[i + 1] === 0) odd++
  }
  const most = (length / 2) * 0.7
  if (odd > most && even === 0) return 'utf-16le'
  return even > most && odd === 0 ? 'utf-16be' : undefined
}
