/** What cannot be seen, or turns the order of what can, is shown by its number: whoever decides on a text sees all of it. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(
      /[\p{Cf}\p{Co}\p{Zl}\p{Zp}\u2800]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|(?![\n\t])\p{Cc}/gu,
      (one) => `⟨U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
    )
}
