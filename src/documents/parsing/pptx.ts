import { omitUndefined } from '../../shared/json.ts'
import { plainShifted, type Shift } from '../../shared/superscripts.ts'
import { struckOut } from '../../domain/strikethrough.ts'
import { withTarget } from '../../markup/links.ts'
import { DocumentText } from './document-text.ts'
import { equationsNote } from './equations.ts'
import { packageProperties } from './properties.ts'
import { relationsOf } from './relations.ts'
import type { Parsed, ZipSource } from './source.ts'
import { tableLines, type MergedCells } from './table-rows.ts'
import { readXml } from './xml.ts'
import type { ZipEntry } from './zip.ts'

const PRESENTATION = 'ppt/presentation.xml'

/** Placeholders that repeat on every slide, or show an image of it. */
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

/**
 * Parses a presentation: each slide is a page, with its title as heading, followed by the speaker notes. @see ECMA-376
 * Part 1, 19.3
 */
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
  // Read each slide once, under its own number, even if the list repeats it.
  const slides = new Set<string>()
  for (const [i, path] of paths.entries()) {
    if (path === undefined || !parts.has(path)) missing.push(i + 1)
    if (path === undefined || slides.has(path)) continue
    slides.add(path)
    const notes = (await relationsOf(parts, path)).find(({ type }) => type === 'notesSlide')?.path
    for (const part of [path, notes ?? '']) {
      const links = new Map((await relationsOf(parts, part)).map(({ id, target }) => [id, target]))
      const entry = parts.get(part)
      if (entry !== undefined) equations += await addSlide(text, entry, i + 1, links)
    }
  }
  const { title = text.firstHeading, date } = packageProperties(entries)
  return {
    text: text.text(),
    blocks: text.blocks,
    pages: paths.length,
    ...omitUndefined({ title, date }),
    notes: [
      ...equationsNote(equations),
      ...(missing.length === 0 ? [] : [`${missing.length} of ${paths.length} slides are not in the file.`]),
    ],
  }
}

/** A shape with its content. */
interface Shape {
  role: string
  readonly lines: string[]
}

/** Adds the shapes of a slide in order. Returns the number of omitted equations. */
async function addSlide(
  text: DocumentText,
  entry: ZipEntry,
  page: number,
  targets: ReadonlyMap<string, string>,
): Promise<number> {
  let equations = 0
  /** Nesting depth within skipped elements: equations, and fallback images of newer elements. */
  let hidden = 0
  let shape: Shape = { role: '', lines: [] }
  let line: string | undefined
  let level = 0
  let isText = false
  let shift: Shift | undefined
  let run = ''
  let last = ''
  let isStruckOut = false
  let link: string | undefined
  let rows: { readonly number: number; readonly cells: string[] }[] | undefined
  let merged: MergedCells[] = []
  await readXml(entry, {
    open(name, attributes) {
      if (name === 'oMath') equations++
      if (name === 'oMath' || name === 'Fallback') hidden++
      if (hidden > 0) return
      if (name === 'sp') shape = { role: '', lines: [] }
      else if (name === 'ph') shape.role = attributes['type'] ?? 'body'
      else if (name === 'tbl') {
        rows = []
        merged = []
      } else if (name === 'tr') rows?.push({ number: rows.length + 1, cells: [] })
      else if (name === 'tc') {
        const row = rows?.at(-1)
        if (row === undefined) return
        row.cells.push('')
        merged.push(...mergedFrom(row.number, row.cells.length - 1, attributes))
      } else if (name === 'p') {
        line = ''
        last = ''
        level = 0
      } else if (name === 'pPr') level = Math.min(8, Number(attributes['lvl'] ?? 0) || 0)
      else if (name === 'br' && line !== undefined) line += '\n'
      else if (name === 'r' || name === 'fld') {
        shift = undefined
        isStruckOut = false
        link = undefined
      } else if (name === 'rPr') {
        shift = shiftOf(attributes['baseline'])
        isStruckOut = ['sngStrike', 'dblStrike'].includes(attributes['strike'] ?? '')
      } else if (name === 'hlinkClick') link = targets.get(attributes['id'] ?? '')
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
        const text = shift === undefined ? run : plainShifted(run, shift, last)
        const written = withTarget(isStruckOut ? struckOut(text) : text, link ?? '')
        if (line !== undefined) line += written
        last = written.slice(-1)
        run = ''
      } else if (name === 'p' && line !== undefined) {
        const row = rows?.at(-1)
        if (row !== undefined) row.cells.push(`${row.cells.pop() ?? ''} ${line}`.trim())
        else if (line.trim() !== '') shape.lines.push(`${'  '.repeat(level)}${line.trim()}`)
        line = undefined
      } else if (name === 'tbl' && rows !== undefined) {
        text.add('table', tableLines(rows, merged).join('\n'), { page })
        rows = undefined
      } else if (name === 'sp') addShape(text, shape, page)
    },
  })
  return equations
}

function mergedFrom(
  number: number,
  left: number,
  { gridSpan, rowSpan }: Readonly<Record<string, string>>,
): MergedCells[] {
  const [wide, high] = [Number(gridSpan ?? 1), Number(rowSpan ?? 1)]
  return wide > 1 || high > 1 ? [{ top: number, bottom: number + high - 1, left, right: left + wide - 1 }] : []
}

/** Shift of a run by its baseline offset in thousandths of a percent. */
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
