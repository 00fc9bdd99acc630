const OPEN = '<think>'
const CLOSE = '</think>'

/** The thoughts that servers without a reasoning parser leave at the beginning of a model's text, and the answer after them. */
interface Split {
  readonly reasoning: string
  readonly text: string
}

/**
 * Separates thoughts from an answer. Where the prompt's template has opened the block, the text holds the closing tag alone:
 * it counts at the edge of a line, so that an answer may mention it.
 */
export function splitThinking(text: string): Split {
  const trimmed = text.trimStart()
  if (trimmed.startsWith(OPEN)) {
    const end = trimmed.indexOf(CLOSE)
    if (end === -1) return { reasoning: trimmed.slice(OPEN.length), text: '' }
    return { reasoning: trimmed.slice(OPEN.length, end), text: trimmed.slice(end + CLOSE.length).trimStart() }
  }
  return splitAtClose(text, /(?:^|\n)[ \t]*<\/think>|<\/think>[ \t]*(?=\n|$)/) ?? { reasoning: '', text }
}

function splitAtClose(text: string, pattern: RegExp): Split | undefined {
  const close = text.includes(CLOSE) ? pattern.exec(text) : null
  if (close === null) return undefined
  return { reasoning: text.slice(0, close.index), text: text.slice(close.index + close[0].length).trimStart() }
}

/** As much of the text before is looked at as a tag, with spaces around it, may take up. */
const TAIL = 64

/**
 * The same while the text arrives, in linear time. `add` returns what becomes visible: more text, or, after a closing tag
 * that was alone, `replaced`: the text that is in place of all that was visible.
 */
export function thinkingFilter(): { add(delta: string): { readonly more: string } | { readonly replaced: string } } {
  let state: 'undecided' | 'thinking' | 'text' | 'after' = 'undecided'
  let whole = ''
  let tail = ''
  let hasText = false

  function after(text: string): { readonly more: string } {
    const more = hasText ? text : text.trimStart()
    hasText ||= more !== ''
    return { more }
  }

  return {
    add(delta) {
      if (state === 'after') return after(delta)
      whole += delta
      const end = tail + delta
      tail = end.slice(-TAIL)
      if (state === 'undecided') {
        const trimmed = whole.trimStart()
        if (OPEN.startsWith(trimmed)) {
          if (trimmed !== OPEN) return { more: '' }
        } else if (!trimmed.startsWith(OPEN)) {
          state = 'text'
          return { more: whole }
        }
        state = 'thinking'
      }
      if (!end.includes(CLOSE)) return { more: state === 'text' ? delta : '' }
      if (state === 'thinking') {
        state = 'after'
        return after(splitThinking(whole).text)
      }
      // The end of the line may still be to come.
      const split = splitAtClose(whole, /(?:^|\n)[ \t]*<\/think>|<\/think>[ \t]*(?=\n)/)
      if (split === undefined) return { more: delta }
      state = 'after'
      return { replaced: after(split.text).more }
    },
  }
}
