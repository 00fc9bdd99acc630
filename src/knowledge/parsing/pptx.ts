import { shifted, type Shift } from '../../core/superscripts.ts'
import { DocumentText, oneLine, tableRow } from './document-text.ts'
import { equationsNote } from './equations.ts'
import { packageProperties } from './properties.ts'
import { relationsOf } from './relations.ts'
import type { Parsed, ZipSource } from './source.ts'
import { readXml } from './xml.ts'
import type { ZipEntry } from './zip.ts'

const PRESENTATION = 'ppt/presentation.xml'

/** What stands on every slide alike, or is a picture of it. */
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

/** A presentation: each slide is a page, with its title as heading, and what the speaker noted after it. @see ECMA-376 Part 1, 19.3 */
export async function parsePptx({ name, entries, limits }: ZipSource): Promise<Parsed> {
  const parts = new Map(entries.map((entry) => [entry.name, entry]))
  const targets = new Map((await relationsOf(parts, PRESENTATION)).map(({ id, path }) => [id, path]))
  const paths: (string | undefined)[] = []
  await readXml(parts.get(PRESENTATION)!, {
    open(element, attributes) {
      if (element !== 'sldId') return
      const [, id = ''] = Object.entries(attributes).find(([name]) => name.endsWith(':id')) ?? []
      paths.push(targets.get(id))
    },
  })
  const text = new DocumentText(name, limits.characters)
  let equations = 0
  const missing: number[] = []
  // Each slide once, whatever the list says, under its own number.
  const seen = new Set<string>()
  for (const [i, path] of paths.entries()) {
    if (path === undefined || !parts.has(path)) missing.push(i + 1)
    if (path === undefined || seen.has(path)) continue
    seen.add(path)
    const notes = (await relationsOf(parts, path)).find(({ type }) => type === 'notesSlide')?.path
    for (const entry of [parts.get(path), parts.get(notes ?? '')]) {
      if (entry !== undefined) equations += await addSlide(text, entry, i + 1)
    }
  }
  const { title = text.firstHeading, date } = packageProperties(entries)
  return {
    text: text.text(),
    blocks: text.blocks,
    pages: paths.length,
    ...(title === undefined ? {} : { title }),
    ...(date === undefined ? {} : { date }),
    notes: [
      ...equationsNote(equations),
      ...(missing.length === 0 ? [] : [`${missing.length} of ${paths.length} slides are not in the file.`]),
    ],
  }
}

/** A shape with what is in it. */
interface Shape {
  role: string
  readonly lines: string[]
}

/** Adds the shapes of a slide in their order, and says how many equations were left out. */
async function addSlide(text: DocumentText, entry: ZipEntry, page: number): Promise<number> {
  let equations = 0
  /** How deep inside of what is not read: an equation, or the picture that stands for something newer. */
  let hidden = 0
  let shape: Shape = { role: '', lines: [] }
  let line: string | undefined
  let level = 0
  let isText = false
  let shift: Shift | undefined
  let run = ''
  let last = ''
  let rows: string[][] | undefined
  await readXml(entry, {
    open(name, attributes) {
      if (name === 'oMath') equations++
      if (name === 'oMath' || name === 'Fallback') hidden++
      if (hidden > 0) return
      if (name === 'sp') shape = { role: '', lines: [] }
      else if (name === 'ph') shape.role = attributes['type'] ?? 'body'
      else if (name === 'tbl') rows = []
      else if (name === 'tr') rows?.push([])
      else if (name === 'tc') rows?.at(-1)?.push('')
      else if (name === 'p') {
        line = ''
        last = ''
        level = 0
      } else if (name === 'pPr') level = Math.min(8, Number(attributes['lvl'] ?? 0) || 0)
      else if (name === 'br' && line !== undefined) line += '\n'
      else if (name === 'r' || name === 'fld') shift = undefined
      else if (name === 'rPr') shift = shiftOf(attributes['baseline'])
      else if (name === 't') isText = true
    },
    text(piece) {
      if (hidden === 0 && isText) run += piece
    },
    close(name) {
      if (name === 'oMath' || name === 'Fallback') hidden--
      else if (hidden > 0) return
      else if (name === 't') {
        isText = false
        const written = shift === undefined ? run : shifted(run, shift, last)
        if (line !== undefined) line += written
        last = written.slice(-1)
        run = ''
      } else if (name === 'p' && line !== undefined) {
        const row = rows?.at(-1)
        if (row !== undefined) row[row.length - 1] = `${row.at(-1) ?? ''} ${line}`.trim()
        else if (line.trim() !== '') shape.lines.push(`${'  '.repeat(level)}${line.trim()}`)
        line = undefined
      } else if (name === 'tbl' && rows !== undefined) {
        text.add('table', rows.flatMap((cells) => tableRow(cells.map(oneLine)) ?? []).join('\n'), { page })
        rows = undefined
      } else if (name === 'sp') addShape(text, shape, page)
    },
  })
  return equations
}

/** From the offset of a run in thousandths of a percent of its size. */
function shiftOf(baseline: string | undefined): Shift | undefined {
  const offset = Number.parseInt(baseline ?? '0', 10)
  return offset > 0 ? 'raised' : offset < 0 ? 'lowered' : undefined
}

function addShape(text: DocumentText, { role, lines }: Shape, page: number): void {
  if (REPEATED.has(role)) return
  if (role === 'title' || role === 'ctrTitle') text.add('heading', lines.join(' '), { page, level: 1 })
  else if (lines.length === 1) text.add('paragraph', lines[0]!, { page })
  else text.add('list', lines.map((line) => line.replace(/^ */, '$&- ')).join('\n'), { page })
}
