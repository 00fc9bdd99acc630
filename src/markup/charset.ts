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
  return text === undefined ? guessedText(bytes, origin.isCut === true) : { text }
}

/** From this on, in percent, the detector is right; short texts give it too little to count. */
const SURE = 60
/** Tried in addition to the detector's result, which only knows frequent letters. */
const LEGACY = (
  'shift_jis euc-jp gb18030 big5 euc-kr windows-1251 koi8-r windows-1250 windows-1253 windows-1254 windows-1255 windows-1256 ' +
  'windows-874 ibm866'
).split(' ')

/**
 * Decodes with the encoding that gives the fewest unreadable characters; of several, the one that the detector prefers.
 */
function guessedText(bytes: Uint8Array, isCut: boolean): Decoded | undefined {
  const [best, ...others] = analyse(bytes.subarray(0, SAMPLE_BYTES)).filter(({ confidence }) => confidence > 0)
  const guessedNames = [best, ...others].flatMap((guess) => guess?.name ?? [])
  // A few accents do not tell which Latin alphabet it is, so the web's usual one is taken (HTML standard).
  if (/^(?:iso-8859-[29]|windows-125[04])$/i.test(guessedNames[0] ?? '') && foreignBytes(bytes) < 8)
    guessedNames.unshift(LATIN)
  const tries = [...guessedNames, LATIN, ...LEGACY].flatMap((encoding, rank) => {
    const text = LEGACY.includes(encoding.toLowerCase()) ? fits(bytes, encoding, isCut) : decode(bytes, encoding)
    if (text === undefined || !isLikelyText(text)) return []
    const odd = oddities(text)
    return odd > foreignBytes(bytes) / 4 ? [] : [{ encoding, text, rank, odd: isUnmistakable(text) ? -1 : odd }]
  })
  const [taken] = tries.toSorted((a, b) => a.odd - b.odd || a.rank - b.rank)
  if (taken === undefined) return undefined
  const isSure = taken.encoding === best?.name && best.confidence >= SURE && others[0]?.confidence !== best.confidence
  return isSure ? { text: taken.text } : { text: taken.text, guess: taken.encoding }
}

/**
 * Pairs of characters that are rare in every script: letters of two alphabets, signs beside letters, capitals after
 * small letters.
 */
const ODD = [
  /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Han}]/gu,
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}]\p{Script=Latin}/gu,
  /[\u2190-\u25ff]|[\u00a1-\u00a9\u00ac-\u00b4\u00b6-\u00bf\u00d7\u00f7](?=\p{L})|(?<=\p{L})[\u00a1-\u00a9\u00ac-\u00b9\u00bb-\u00bf\u00d7\u00f7]/gu,
  /\p{Ll}(?![A-Z])\p{Lu}/gu,
  /[\u00c0-\u024f]{3,}/gu,
  /[\uff61-\uff9f](?=[\p{Script=Han}\p{Script=Latin}])|\p{Script=Han}(?=[\uff61-\uff9f])/gu,
]

/** Whether text is Korean or Japanese: bytes of another encoding do not give only Hangul or many kana by chance. */
function isUnmistakable(text: string): boolean {
  const sample = text.slice(0, SAMPLE_BYTES)
  const count = (script: RegExp): number => sample.match(script)?.length ?? 0
  const hangul = count(/[가-힣]/g)
  const others = count(/\p{Script=Han}/gu)
  const kana = count(/[ぁ-ヾ]/g)
  return hangul + kana + others > 3 && (hangul > 9 * (others + kana) || (hangul === 0 && kana * 3 > others))
}

function oddities(text: string): number {
  const sample = text.slice(0, SAMPLE_BYTES)
  return ODD.reduce((sum, odd) => sum + (sample.match(odd)?.length ?? 0), 0)
}

function foreignBytes(bytes: Uint8Array): number {
  return bytes.subarray(0, SAMPLE_BYTES).reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0)
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

/** Characters that occur in no script: controls, undecodable ones, signs and capitals in the middle of words. */
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
  const max = (length / 2) * 0.7
  if (odd > max && even === 0) return 'utf-16le'
  return even > max && odd === 0 ? 'utf-16be' : undefined
}
