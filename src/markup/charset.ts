import { analyse } from 'chardet'

const SAMPLE_BYTES = 256_000

/** Whether bytes are binary data in any encoding. UTF-16 must be detected before. */
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

/** Hints about the encoding of bytes, apart from the bytes themselves. */
export interface Origin {
  /** The Content-Type header of their response. */
  readonly contentType?: string | undefined
  /** They are a page, which may name its encoding itself. */
  readonly isPage?: boolean
  /** The bytes were cut off, perhaps within a character. */
  readonly isCut?: boolean
}

export interface Decoded {
  readonly text: string
  /** The guessed encoding, if it may be wrong. */
  readonly guess?: string
}

/**
 * Decodes bytes as text. The order is: byte order mark or signs of a certain encoding; UTF-8 if the bytes are valid
 * beyond ASCII, since declared encodings are often wrong; the declared encoding if the bytes fit; a guess by letter
 * frequencies, which is accepted only if the result looks like text. Undefined when nothing gives text.
 */
export function decodeText(bytes: Uint8Array, origin: Origin = {}): Decoded | undefined {
  const fitting = (charset: string): string | undefined => fits(bytes, charset, origin.isCut === true)
  const marked = markedEncoding(bytes)
  if (marked !== undefined) return { text: new TextDecoder(marked).decode(bytes) }
  const declared = declaredCharset(bytes, origin)
  const isWide = declared !== undefined && /^(?:utf-?16|ucs-?2|iso-2022)/i.test(declared)
  const certain = isWide ? undefined : (unmarkedUtf16(bytes) ?? escapedEncoding(bytes))
  if (certain !== undefined) return { text: new TextDecoder(certain).decode(bytes) }
  const utf8 = isWide ? undefined : fitting('utf-8')
  if (utf8 !== undefined && NOT_ASCII.test(utf8)) return { text: utf8 }
  const text = (declared === undefined ? undefined : fitting(declared)) ?? utf8
  return text === undefined ? guessedText(bytes) : { text }
}

/** From this on, in percent, the detector is right; short texts give it too little to count. */
const SURE = 60
/** With fewer bytes beyond ASCII the detector cannot distinguish the Latin alphabets. */
const FEW_BYTES = 8

/** Decodes with the first encoding of the detector that gives text. */
function guessedText(bytes: Uint8Array): Decoded | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const guesses = analyse(sample).filter(({ confidence }) => confidence > 0)
  const [best, second] = guesses
  const isLatin = /^(?:iso-8859-|windows-125)/i.test(best?.name ?? LATIN)
  // The HTML standard's default for the web.
  const first = isLatin && sample.filter((byte) => byte > 0x7f).length < FEW_BYTES ? [LATIN] : []
  for (const encoding of [...first, ...guesses.map(({ name }) => name), LATIN]) {
    const text = decode(bytes, encoding)
    if (text === undefined || !isLikelyText(text)) continue
    const isSure = encoding === best?.name && best.confidence >= SURE && second?.confidence !== best.confidence
    return isSure ? { text } : { text, guess: encoding }
  }
  return undefined
}

/** The HTML standard looks for the `meta` in the first 1024 bytes; real pages put it later. */
const META_WITHIN = 4_096
export const LATIN = 'windows-1252'

function declaredCharset(bytes: Uint8Array, { contentType = '', isPage }: Origin): string | undefined {
  const headerCharset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]
  if (headerCharset !== undefined || isPage !== true) return headerCharset
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
    // Node's decoder drops characters that the standard maps controls to, such as quotation marks.
    return isWestern ? text.replaceAll(/[\u0080-\u009f]/g, (sign) => WESTERN[sign.charCodeAt(0) - 0x80]!) : text
  } catch {
    // UTF-32 and a few more are known to the detector and not to the decoder.
    return undefined
  }
}

/** The characters from 0x80 on in windows-1252; five positions are empty. */
const WESTERN = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

// oxlint-disable-next-line no-control-regex -- the whole of ASCII is meant
const NOT_ASCII = /[^\x00-\x7f]/
/** Controls and undecodable characters, which occur in no script. */
const UNREADABLE = /[\u0080-\u009f\ufffd\p{Co}]/gu

function isLikelyText(text: string): boolean {
  const sample = text.slice(0, SAMPLE_BYTES)
  return (sample.match(UNREADABLE)?.length ?? 0) <= sample.length / 1000
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
  const max = (length / 2) * 0.7
  if (odd > max && even === 0) return 'utf-16le'
  return even > max && odd === 0 ? 'utf-16be' : undefined
}
