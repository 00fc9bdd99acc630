/** Text that was struck out, also in parts, marked as in Markdown; white space around it stays outside. */
export function struckOut(text: string): string {
  const inner = text.trim()
  return inner === '' ? text : text.replace(inner, () => `~~${inner.replaceAll('~~', '')}~~`)
}

/** Adds a note for the model that explains ~~ to a text that contains it. */
export function withStrikeNote(text: string): string {
  return /~~[^~\n]+~~/.test(text) ? `${text}\n[Text between ~~ and ~~ was struck out: it is no longer valid.]` : text
}
