import { omitUndefined } from '../../shared/json.ts'
import { DocumentText, tableRow } from './document-text.ts'
import { isListItem } from './lines.ts'
import { parseIsoDay } from './properties.ts'
import type { Parsed, Source } from './source.ts'
import { readTextFile } from './text-input.ts'

/** Markdown: headings, fenced code, tables and lists; what marks words inside a line stays as it is. */
export function parseMarkdown(source: Source): Parsed {
  const { text: input, notes: doubts } = readTextFile(source)
  const { body, title, date } = frontMatter(input)
  const text = new DocumentText(source.name, source.limits.characters)
  const lines = body.split('\n')
  for (let at = 0; at < lines.length;) at = addBlock(text, lines, at)
  const heading = title ?? text.firstHeading
  return {
    text: text.text(),
    blocks: text.blocks,
    ...omitUndefined({ title: heading, date }),
    notes: doubts,
  }
}

/** Title and date of the YAML between `---` at the top, which is no text of the document. */
function frontMatter(input: string): { body: string; title?: string; date?: string } {
  const [all, fields = ''] = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(input) ?? []
  if (all === undefined || !/^[\w-]+[ \t]*:/m.test(fields)) return { body: input }
  const title = /^title[ \t]*:[ \t]*(["']?)(.+)\1[ \t]*$/im.exec(fields)?.[2]?.trim()
  const date = parseIsoDay(/^date[ \t]*:[ \t]*["']?(.*)$/im.exec(fields)?.[1])
  return {
    body: input.slice(all.length),
    ...omitUndefined({ title, date }),
  }
}

const ATX = /^ {0,3}(#{1,6})(?:[ \t](.*?))?(?:[ \t]#+)?$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const SETEXT = /^ {0,3}(=+|-+)[ \t]*$/
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/

/** Adds the block that begins at a line and gives the line after it. */
function addBlock(text: DocumentText, lines: readonly string[], at: number): number {
  const line = lines[at]!
  if (line.trim() === '' || RULE.test(line)) return at + 1
  const heading = headingAt(line)
  if (heading !== null) {
    text.add('heading', (heading[2] ?? '').trim(), { level: heading[1]!.length })
    return at + 1
  }
  if (FENCE.test(line)) return addCode(text, lines, at)
  if (isTableAt(lines, at)) return addTable(text, lines, at)
  return isListItem(line) ? addList(text, lines, at) : addParagraph(text, lines, at)
}

/** Very long text is no heading and would make the pattern slow. */
function headingAt(line: string): RegExpExecArray | null {
  return line.length > 1000 ? null : ATX.exec(line.trimEnd())
}

function addCode(text: DocumentText, lines: readonly string[], at: number): number {
  const fence = FENCE.exec(lines[at]!)![1]!
  let end = at + 1
  while (end < lines.length && !(lines[end]!.trim().startsWith(fence) && /^\s*[`~]+\s*$/.test(lines[end]!))) end++
  text.add('code', lines.slice(at + 1, end).join('\n'))
  return end + 1
}

function isTableAt(lines: readonly string[], at: number): boolean {
  const rule = lines[at + 1]
  return (
    lines[at]!.includes('|') && rule !== undefined && rule.includes('-') && rule.includes('|') && TABLE_RULE.test(rule)
  )
}

function addTable(text: DocumentText, lines: readonly string[], at: number): number {
  let end = at + 2
  while (end < lines.length && lines[end]!.includes('|') && lines[end]!.trim() !== '') end++
  const rows = [lines[at]!, ...lines.slice(at + 2, end)].flatMap((line) => tableRow(cellsOf(line)) ?? [])
  text.add('table', rows.join('\n'))
  return end
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll(String.raw`\|`, '|'))
}

/** Items continue over indented lines, and over an empty line when another item or an indented line follows. */
function addList(text: DocumentText, lines: readonly string[], at: number): number {
  let end = at + 1
  while (end < lines.length) {
    const line = lines[end]!
    if (line.trim() === '') {
      const next = lines[end + 1]
      if (next === undefined || !(isListItem(next) || /^\s{2,}\S/.test(next))) break
    } else if (startsOther(lines, end)) break
    end++
  }
  text.add('list', lines.slice(at, end).join('\n'))
  return end
}

function addParagraph(text: DocumentText, lines: readonly string[], at: number): number {
  let end = at + 1
  while (end < lines.length && lines[end]!.trim() !== '' && !startsOther(lines, end) && !isListItem(lines[end]!)) {
    const underline = SETEXT.exec(lines[end]!)?.[1]
    if (underline !== undefined) {
      text.add('heading', lines.slice(at, end).join(' '), { level: underline.startsWith('=') ? 1 : 2 })
      return end + 1
    }
    end++
  }
  text.add('paragraph', lines.slice(at, end).join('\n'))
  return end
}

/** A heading, code or a table ends a paragraph or a list without an empty line between them. */
function startsOther(lines: readonly string[], at: number): boolean {
  const line = lines[at]!
  return headingAt(line) !== null || FENCE.test(line) || isTableAt(lines, at)
}
