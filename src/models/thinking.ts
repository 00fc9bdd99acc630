const OPEN = '<think>'
/** Where a prompt's template has opened the block, the reply holds the closing tag alone, at the edge of a line. */
const CLOSE_ONLY = /(?:^|\n)[ \t]*<\/think>|<\/think>[ \t]*(?=\n|$)/

/** The thoughts that servers without a reasoning parser leave at the beginning of a model's text, and the answer after them. */
export function splitThinking(text: string): { readonly reasoning: string; readonly text: string } {
  const trimmed = text.trimStart()
  if (trimmed.startsWith(OPEN)) {
    const end = trimmed.indexOf('</think>')
    if (end === -1) return { reasoning: trimmed.slice(OPEN.length), text: '' }
    return { reasoning: trimmed.slice(OPEN.length, end), text: trimmed.slice(end + '</think>'.length).trimStart() }
  }
  // A stream may have brought a part of the tag only.
  if (trimmed !== '' && OPEN.startsWith(trimmed)) return { reasoning: '', text: '' }
  if (!text.includes('</think>')) return { reasoning: '', text }
  const close = CLOSE_ONLY.exec(text)
  if (close === null) return { reasoning: '', text }
  return { reasoning: text.slice(0, close.index), text: text.slice(close.index + close[0].length).trimStart() }
}
