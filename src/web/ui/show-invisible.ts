/**
 * Replaces invisible characters, and characters that change the text direction, by their code point, so that the user
 * who approves a text sees all of it.
 */
export function showInvisible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(
      /[\p{Cf}\p{Co}\p{Zl}\p{Zp}\u2800]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|(?![\n\t])\p{Cc}/gu,
      (one) => `⟨U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
    )
}
