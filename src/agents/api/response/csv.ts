/**
 * Records of a CSV text with a heading line; undefined when it is not one. The delimiter is whichever of comma,
 * semicolon and tab the heading has most of. Cells stay texts, except plain numbers.
 */
export async function recordsInCsv(
  text: string,
  isCut: boolean,
): Promise<readonly Readonly<Record<string, string | number>>[] | undefined> {
  const { parse } = await import('csv-parse/sync')
  const heading = text.split('\n', 1)[0] ?? ''
  const delimiter = [',', ';', '\t'].sort((a, b) => heading.split(b).length - heading.split(a).length)[0]!
  try {
    // The last line of a cut text is most likely half a record.
    return parse(isCut ? text.slice(0, text.lastIndexOf('\n')) : text, {
      columns: true,
      skip_empty_lines: true,
      trim: true,
      relax_column_count: true,
      delimiter,
      // A leading zero or more digits than a number holds means a code.
      cast: (cell) => (/^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(cell) ? Number(cell) : cell),
    })
  } catch {
    return undefined // shown as the text it is
  }
}
