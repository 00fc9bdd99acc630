import type { MarkedExtension, Tokens } from 'marked'

/** Mathematics in an answer: `\(…\)`, `\[…\]`, `$…$` and `$$…$$`. Anything ambiguous stays plain text. */
export interface MathToken extends Tokens.Generic {
  readonly type: 'math'
  readonly tex: string
  readonly isDisplay: boolean
}

/** Maximum length of a formula in characters. It also limits the search, since Markdown calls it for each word. */
const MAX_FORMULA_CHARS = 1_000
/** A formula on lines of its own. It contains no blank line, so a finished block does not change while streaming. */
const BLOCK =
  /^ {0,3}(?:\$\$((?:(?!\n[ \t]*\n)[^$]){1,1000}?)\$\$|\\\[((?:(?!\n[ \t]*\n)[\s\S]){1,1000}?)\\\])[ \t]*(?:\n+|$)/
const INLINE =
  /^(?:\$\$((?:\\.|[^$\\\n])+)\$\$|\\\[([^\n]{1,1000}?)\\\]|\\\(([^\n]{1,1000}?)\\\)|\$(?![\s$])((?:\\.|[^$\\\n])*?(?:\\.|[^\s$\\]))\$(?![\w$]))/

/** Words allowed in a formula: function names, and units written without a command. */
const NAMES = /\b(?:sin|cos|tan|log|exp|min|max|lim|det|mod|arg|gcd|sup|inf)\b/g

/**
 * Returns whether a text must be mathematics: it has a command, a power or an index, or letters joined by operators,
 * and no natural-language word outside braces, as in a text between two prices.
 */
export function isMath(tex: string): boolean {
  const trimmed = tex.trim()
  if (trimmed === '' || trimmed.length > MAX_FORMULA_CHARS || !isBalanced(trimmed)) return false
  // Remove groups from the innermost braces outwards: they hold names or texts.
  let open = trimmed.replaceAll(/\\[{}%$&#_]/g, ' ')
  for (let before = ''; before !== open;) [before, open] = [open, open.replaceAll(/\{[^{}]*\}/g, '∘')]
  const hasCommand = /\\[a-zA-Z]+/.test(open)
  const bare = open.replaceAll(/\\[a-zA-Z]+/g, ' ').replaceAll(NAMES, ' ')
  if (/\p{L}{3}|\p{Sc}|["?@`]/u.test(bare)) return false
  if (hasCommand || /[\w)\]}∘|]\s*\^\s*[\w({\\∘*+-]/.test(bare) || /[a-zA-Z)\]}∘]\s*_\s*[\w∘\\]/.test(bare)) return true
  // “$x$”, “$n + 1 = k$” and “$2x = 6$” are formulas; digits alone and “$5k” are amounts of money.
  return (
    /^[a-zA-Z]$|^(?=.*\b\d*[a-zA-Z]\b)(?=.*[=<>+*/|()-])[\w\s=<>+*/|().,!'-]+$/.test(bare) &&
    !/^\d[\d.,]*\s*[kKmMbB]?\s*(?:[-–/+]|$)/.test(bare)
  )
}

function isBalanced(tex: string): boolean {
  let depth = 0
  for (const [sign] of tex.matchAll(/\\.|[{}]/gs)) {
    depth += sign === '{' ? 1 : sign === '}' ? -1 : 0
    if (depth < 0) return false
  }
  return depth === 0
}

function token(match: RegExpExecArray | null, isDisplay: (match: RegExpExecArray) => boolean): MathToken | undefined {
  const tex = match?.slice(1).find((group) => group !== undefined)
  if (match === null || tex === undefined || !isMath(tex)) return undefined
  return { type: 'math', raw: match[0], tex: tex.trim(), isDisplay: isDisplay(match) }
}

function blockAt(text: string, from: number): MathToken | undefined {
  return token(BLOCK.exec(text.slice(from)), () => true)
}

/** Marked extension that parses mathematics. */
export const math: MarkedExtension = {
  extensions: [
    {
      name: 'math',
      level: 'block',
      // Return a position only for a real formula: Marked splits the paragraph there, which is slow if done often.
      start: (text) =>
        [...text.slice(0, MAX_FORMULA_CHARS).matchAll(/\n(?= {0,3}(?:\$\$|\\\[))/g)].find(({ index }) =>
          blockAt(text, index + 1),
        )?.index,
      tokenizer: (text) => blockAt(text, 0),
    },
    {
      name: 'math',
      level: 'inline',
      start: (text) => /(?<![\w$\\])\$|\\[([]/.exec(text.slice(0, MAX_FORMULA_CHARS))?.index,
      tokenizer: (text) => token(INLINE.exec(text), ([raw]) => raw.startsWith('$$') || raw.startsWith('\\[')),
    },
  ],
}
