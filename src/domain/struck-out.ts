/** Text that was struck out, with the sign of it that Markdown has; white space around it stays outside. */
export function struckOut(text: string): string {
  const inner = text.trim()
  return inner === '' ? text : text.replace(inner, () => `~~${inner}~~`)
}

/** Tells a model what the sign means, below a text that has it. */
export function withStrikeNote(text: string): string {
  return /~~[^~\n]+~~/.test(text) ? `${text}\n[Text between ~~ and ~~ was struck out: it is no longer valid.]` : text
}
