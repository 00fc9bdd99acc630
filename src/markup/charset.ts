import { analyse } from 'chardet'

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

/** What is known of bytes besides themselves. */
export interface Origin {
  /** The Content-Type header of the response that they came in. */
  readonly contentType?: string | undefined
  /** They are a page, which may name its encoding itself. */
  readonly isPage?: boolean
  /** They end where the reading of them ended, perhaps within a character. */
  readonly isCut?: boolean
}

/**
 * Bytes as text: by byte order mark or signs of a certain encoding; as UTF-8 where they are valid beyond ASCII, since what is
 * declared is often wrong; else as is declared, if they fit; else as what their letters look like. That is a guess, which is taken
 * only if what comes out looks like text. Undefined when nothing gives text.
 */
export function decodeText(bytes: Uint8Array, origin: Origin = {}): string | undefined {
  const fitting = (charset: string): string | undefined => fits(bytes, charset, origin.isCut === true)
  const marked = markedEncoding(bytes)
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes)
  const declared = declaredCharset(bytes, origin)
  const isWide = declared !== undefined && /^(?:utf-?16|ucs-?2|iso-2022)/i.test(declared)
  const certain = isWide ? undefined : (unmarkedUtf16(bytes) ?? escapedEncoding(bytes))
  if (certain !== undefined) return new TextDecoder(certain).decode(bytes)
  const utf8 = isWide ? undefined : fitting('utf-8')
  if (utf8 !== undefined && NOT_ASCII.test(utf8)) return utf8
  const asDeclared = declared === undefined ? undefined : fitting(declared)
  if (asDeclared !== undefined || utf8 !== undefined) return asDeclared ?? utf8
  const guesses = analyse(bytes.subarray(0, SAMPLE_BYTES)).map((guess) => guess.name)
  // A few accents do not tell which Latin alphabet it is, so the web's usual one is taken (HTML standard).
  if (/^(?:iso-8859-[29]|windows-125[04])$/i.test(guesses[0] ?? '') && foreignBytes(bytes) < 8) guesses.unshift(LATIN)
  for (const encoding of [...guesses, LATIN]) {
    const text = decode(bytes, encoding)
    if (text !== undefined && isLikelyText(text)) return text
  }
  return undefined
}

function foreignBytes(bytes: Uint8Array): number {
  return bytes.subarray(0, SAMPLE_BYTES).reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0)
}

/** The HTML standard looks for the `meta` in the first 1024 bytes; real pages put it later. */
const META_WITHIN = 4_096
export const LATIN = 'windows-1252'

function declaredCharset(bytes: Uint8Array, { contentType = '', isPage }: Origin): string | undefined {
  const inHeader = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]
  if (inHeader !== undefined || isPage !== true) return inHeader
  const start = new TextDecoder(LATIN).decode(bytes.subarray(0, META_WITHIN))
  return /<(?:meta|\?xml)\b[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1]
}

/** Undefined when the bytes do not fit or the encoding is unknown. */
function fits(bytes: Uint8Array, charset: string, isCut: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return undefined // the next guess is tried
  }
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  const isWestern = /^(?:iso-8859-1|ascii|windows-1252)$/i.test(encoding)
  try {
    const text = new TextDecoder(isWestern ? LATIN : encoding).decode(bytes)
    // Node's decoder leaves out what the standard puts in place of controls, such as quotation marks.
    return isWestern ? text.replaceAll(/[\u0080-\u009f]/g, (sign) => WESTERN[sign.charCodeAt(0) - 0x80]!) : text
  } catch {
    // UTF-32 and a few more are known to the detector and not to the decoder.
    return undefined
  }
}

/** What stands from 0x80 on in windows-1252; five places are empty. */
const WESTERN = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** What no writing has: controls, what could not be decoded, signs and capitals in the middle of words. */
const UNREADABLE = /[\u0080-\u009f\ufffd\p{Co}]/gu
const AMID_WORD = /(?<=\p{Ll})(?:(?![’·\u200B-\u200D])[^\p{L}\p{M}\p{N}\s!-~]|(?![A-Z])\p{Lu})(?=\p{Ll})/gu
// oxlint-disable-next-line no-control-regex -- the whole of ASCII is meant
const NOT_ASCII = /[^\x00-\x7f]/

function isLikelyText(text: string): boolean {
  const sample = text.slice(0, SAMPLE_BYTES)
  const foreign = sample.match(new RegExp(NOT_ASCII, 'g'))?.length ?? 0
  const unreadable = sample.match(UNREADABLE)?.length ?? 0
  const amiss = sample.match(AMID_WORD)?.length ?? 0
  return unreadable <= sample.length / 1000 && amiss <= foreign / 10
}

/** Japanese mail changes its alphabet by escape sequences, in bytes that are ASCII. */
function escapedEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SAMPLE_BYTES)).toString('latin1')
  return ['$@', '$B'].some((code) => start.includes(`\u001B${code}`)) ? 'iso-2022-jp' : undefined
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
