/** Marks that Markdown takes for something else than themselves, wherever they stand. */
const MARKS = /[\\`*<>|~&]|(?<![^\W_])_|_(?![^\W_])|!(?=\[)|\[(?!\d{1,3}\](?![([:]))/g
/** Addresses that become links on their own. */
const ADDRESSES = /:(?=\/\/)|(?<=www)\.|@/gi
/** Beginnings of lines that are not paragraphs. */
const STARTS = /^([ \t]*\d{0,9})(#(?=#*(?:\s|$))|[+.)-](?=\s|$)|[-=:](?=[-=:\s]*$))/

/** Line ends, as any renderer defines them. */
const ENDS = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/
/** The same with the white space around. */
const BREAKS = /\s*[\n\v\f\r\u0085\u2028\u2029]\s*/g

/** Escapes a value for a line of Markdown, such as a cell of a table; the marks [n] of sources are kept. */
export function escapeMarkdownLine(value: string): string {
  return value.replaceAll(BREAKS, ' ').replaceAll(MARKS, '\\$&').replaceAll(ADDRESSES, '\\$&')
}

/** Escapes a text of several lines; line ends are kept. */
export function escapeMarkdown(text: string): string {
  const lines = text.split(ENDS).map((line) => escapeMarkdownLine(line.trim()).replace(STARTS, '$1\\$2'))
  return lines.map((line, at) => (line === '' || (lines[at + 1] ?? '') === '' ? line : `${line}\\`)).join('\n')
}
