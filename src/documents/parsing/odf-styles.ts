import { struckOut } from '../../domain/strikethrough.ts'
import { plainShifted, type Shift } from '../../shared/superscripts.ts'
import { readXml } from './xml.ts'
import type { ZipEntry } from './zip.ts'

/** What a style or a link makes of its text; `before` is the last character in front of it. */
export type Mark = (run: string, before: string) => string

/** Styles that raise, lower or strike out text, by family and name. @see OASIS OpenDocument 1.3, part 3, 20.365, 20.393 */
export async function odfMarks(entry: ZipEntry | undefined): Promise<Map<string, Mark | undefined>> {
  const marks = new Map<string, Mark | undefined>()
  if (entry === undefined) return marks
  let style = ''
  await readXml(entry, {
    open(name, attributes) {
      if (name === 'style') {
        const { family = '', name: own = '', 'parent-style-name': parent = '' } = attributes
        style = `${family} ${own}`
        marks.set(style, marks.get(`${family} ${parent}`))
      } else if (name === 'text-properties' && style !== '') {
        const { 'text-position': position, 'text-line-through-type': type } = attributes
        // LibreOffice writes the type alone for a part of a cell.
        const line = attributes['text-line-through-style'] ?? type
        const shift = shiftOf(position ?? '')
        if (position !== undefined) marks.set(style, shift && ((run, before) => plainShifted(run, shift, before)))
        if (line !== undefined) marks.set(style, line === 'none' ? undefined : struckOut)
      }
    },
    close(name) {
      if (name === 'style') style = ''
    },
  })
  return marks
}

function shiftOf(position: string): Shift | undefined {
  const offset = Number.parseInt(position, 10)
  if (position.startsWith('super') || offset > 0) return 'raised'
  return position.startsWith('sub') || offset < 0 ? 'lowered' : undefined
}
