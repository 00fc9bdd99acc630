/**
 * A text as a renderer reads it, with a map back: character `i` of `text` is at `from[i]` to `to[i]` of the original.
 */
export interface View {
  readonly original: string
  readonly text: string
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** Invisible characters, in which addresses and messages can be hidden. */
// oxlint-disable-next-line no-misleading-character-class
const UNSEEN = /[\u00AD\u200B\u202A-\u202E\u2060-\u206F\uFE00-\uFE0D\uFEFF\u{E0000}-\u{E0FFF}]|(?![\t\n\r])\p{Cc}/gu
/** The joiners belong to scripts and emoji, the selectors to signs; in an address they are only in the way. */
// oxlint-disable-next-line no-misleading-character-class
const IGNORED = /[\u200C\u200D\uFE0E\uFE0F]/u

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  ast: '*',
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  dash: '‐',
  equals: '=',
  excl: '!',
  gt: '>',
  lbrack: '[',
  lowbar: '_',
  lpar: '(',
  lsqb: '[',
  lt: '<',
  nbsp: ' ',
  newline: '\n',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quest: '?',
  quot: '"',
  rbrack: ']',
  rpar: ')',
  rsqb: ']',
  semi: ';',
  shy: '',
  sol: '/',
  tab: '\t',
  zerowidthspace: '',
  zwj: '',
  zwnj: '',
}

const UNIT = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));?|\\([!-/:-@[-`{-~])|[\s\S]/giu

/**
 * Terminal control sequences (ECMA-48): colours, cursor, titles, links. Without their first character, the rest would
 * be visible.
 */
// oxlint-disable-next-line no-control-regex -- control characters are searched for
const STEERING = /\u001b(?:\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|\[[0-?]*[ -/]*[@-~])/g

/** The text without invisible characters. */
export function removeInvisible(text: string): string {
  return text.replace(STEERING, '').replace(UNSEEN, '')
}

/** Character references and escapes resolved, unseen characters gone. */
export function renderedView(original: string): View {
  let text = ''
  const from: number[] = []
  const to: number[] = []
  for (const match of original.matchAll(UNIT)) {
    const [whole, hex, decimal, name, escaped] = match
    const shown = escaped ?? reference(hex, decimal, name, whole)
    for (const unit of IGNORED.test(shown) || shown.replace(UNSEEN, '') === '' ? '' : shown.split('')) {
      text += unit
      from.push(match.index)
      to.push(match.index + whole.length)
    }
  }
  return { original, text, from, to }
}

function reference(
  hex: string | undefined,
  decimal: string | undefined,
  name: string | undefined,
  whole: string,
): string {
  if (name !== undefined) return whole.endsWith(';') ? (NAMED[name.toLowerCase()] ?? whole) : whole
  if (hex === undefined && decimal === undefined) return whole
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\uFFFD' : String.fromCodePoint(code)
}
