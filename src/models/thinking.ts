const OPEN = '<think>'
const CLOSE = '</think>'

/** The thoughts that servers without a reasoning parser leave at the beginning of a model's text, and the answer after them. */
interface Split {
  readonly reasoning: string
  readonly text: string
}

/**
 * Separates a model's thinking from its answer. If the prompt's template has opened the block, the text only contains
 * the closing tag; it counts only at the edge of a line, so that an answer may mention it.
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

/** Maximum length of a tag with surrounding spaces; this much of the previous text is searched. */
const TAIL = 64

/**
 * The same for a stream, in linear time. `add` returns the new visible text or, after a closing tag without an opening
 * one, `replaced`: the text that replaces all visible text.
 */
export function thinkingFilter(): { add(delta: string): { readonly more: string } | { readonly replaced: string } } {
  let state: 'undecided' | 'thinking' | 'text' | 'after' = 'undecided'
  let whole = ''
  let tail = ''
  let hasText = false

  function trimStartOnce(text: string): { readonly more: string } {
    const more = hasText ? text : text.trimStart()
    hasText ||= more !== ''
    return { more }
  }

  return {
    add(delta) {
      if (state === 'after') return trimStartOnce(delta)
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
        return trimStartOnce(splitThinking(whole).text)
      }
      // The end of the line may still be to come.
      const split = splitAtClose(whole, /(?:^|\n)[ \t]*<\/think>|<\/think>[ \t]*(?=\n)/)
      if (split === undefined) return { more: delta }
      state = 'after'
      return { replaced: trimStartOnce(split.text).more }
    },
  }
}
