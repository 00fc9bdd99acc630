import { createSecrets, MASK } from './secrets.ts'

const LONGEST = 240
/** As much is looked through for what was sent. */
const MOST_LOOKED_AT = 1_000
/** Stands for a part of the prompt that was taken out. */
const TAKEN_OUT = '…'
/** Letters in a row that are no chance any more; one of a script that writes words in few letters counts for three. */
const SHARED = 16
/** What is left of a key that a provider shows, as many do: its first or its last characters. */
const SHOWN_OF_KEY = 4
/** Of a shorter key such an end is half of a word. */
const SHORTEST_KEY = 2 * SHOWN_OF_KEY

/** What is no letter or digit as it is: one as JSON escapes it, the other escapes of JSON, HTML and URLs, and all else. */
const NO_LETTERS =
  /\\+u([0-9a-f]{4})|\\+[bfnrt]|&(?:#\w{1,6}|[a-z]{2,6});|%[0-9a-f]{2}|[^\p{L}\p{M}\p{N}\\&%]+|[\\&%]/giu
const IN_WORD = /[\p{L}\p{M}\p{N}]/u
/** A word, also one with masks in it or dots before it. */
const WORD = /[\w*•….+/=~-]{0,300}[\w*•…]/g
const IS_MASKED_OR_RANDOM = /[\d*•…]|\.\./

interface Letters {
  readonly text: string
  /** Where each stands, from and to. */
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/**
 * Makes one short line of what a provider said in an error, fit for logs and screens: no markup, no control characters,
 * no keys, nothing of the prompt. Providers repeat the key they refuse, so the key, an end of it and anything that looks
 * like one are masked; and they quote what they cannot read, which is not for everybody who sees the reason.
 */
export function errorText(text: string, apiKey: string | undefined, sent: readonly string[]): string {
  const unmasked = text
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<\/?[a-z!][^<>]*>/gi, ' ')
    // oxlint-disable-next-line no-control-regex -- control characters are what must go
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ')
    .trim()
  const masked = createSecrets(apiKey === undefined ? [] : [apiKey]).text(unmasked)
  const own = withoutPrompt(withoutEndsOf(apiKey, masked.slice(0, MOST_LOOKED_AT)), sent)
  return own.length > LONGEST ? `${own.slice(0, LONGEST - 1)}…` : own
}

function withoutEndsOf(key: string | undefined, said: string): string {
  if (key === undefined || key.length < SHORTEST_KEY) return said
  const [head, tail] = [key.slice(0, SHOWN_OF_KEY), key.slice(-SHOWN_OF_KEY)]
  const isOfKey = (word: string): boolean =>
    word.endsWith(tail) || (word.startsWith(head) && IS_MASKED_OR_RANDOM.test(word))
  return said.replace(WORD, (word) => (isOfKey(word) ? MASK : word))
}

function withoutPrompt(said: string, sent: readonly string[]): string {
  const own = lettersOf(said)
  const texts = sent.map((text) => text.replace(NO_LETTERS, escapedLetter).toLowerCase())
  const isSent = own.from.map(() => false)
  for (let start = 0; start < isSent.length; start++) {
    const end = endOfRun(own.text, start)
    const run = own.text.slice(start, end)
    if (end > start && texts.some((text) => text.includes(run))) isSent.fill(true, start, end)
  }
  let shown = ''
  let at = 0
  for (let first = isSent.indexOf(true); first !== -1; first = isSent.indexOf(true, first)) {
    let last = first
    while (isSent[last + 1] === true) last++
    let [from, to] = [own.from[first]!, own.to[last]!]
    while (from > at && IN_WORD.test(said[from - 1]!)) from--
    while (to < said.length && IN_WORD.test(said[to]!)) to++
    shown += said.slice(at, from) + TAKEN_OUT
    at = Math.max(at, to)
    first = last + 1
  }
  return shown + said.slice(at)
}

/** Behind a run that is long enough to be no chance; its start where the text ends before. */
function endOfRun(letters: string, start: number): number {
  let weight = 0
  for (let end = start; end < letters.length; end++) {
    weight += letters.charCodeAt(end) < 0x2e_80 ? 1 : 3
    if (weight >= SHARED) return end + 1
  }
  return start
}

/** With where each stands; the text as what was sent is read, too. */
function lettersOf(source: string): Letters {
  let text = ''
  const from: number[] = []
  const to: number[] = []
  const add = (letters: string, start: number, length: number): void => {
    for (let at = 0; at < letters.length; at++) {
      // Of a letter that is escaped, all of it; a letter that becomes two in lower case is left as it is.
      const small = letters[at]!.toLowerCase()
      text += small.length === 1 ? small : letters[at]!
      from.push(length === letters.length ? start + at : start)
      to.push(length === letters.length ? start + at + 1 : start + length)
    }
  }
  let at = 0
  for (const { 0: found, 1: code, index } of source.matchAll(NO_LETTERS)) {
    add(source.slice(at, index), at, index - at)
    add(escapedLetter(found, code), index, found.length)
    at = index + found.length
  }
  add(source.slice(at), at, source.length - at)
  return { text, from, to }
}

function escapedLetter(_found: string, code: string | undefined): string {
  const letter = code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16))
  return IN_WORD.test(letter) ? letter : ''
}
