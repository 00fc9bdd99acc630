import { Lexer, type Token, type Tokens } from 'marked'
import { omitUndefined } from '../../shared/json.ts'
import { DocumentText, tableRow } from './document-text.ts'
import { parseIsoDay } from './properties.ts'
import type { Parsed, Source } from './source.ts'
import { readTextFile } from './text-input.ts'

/** Markdown: headings, fenced code, tables and lists; what marks words inside a line stays as it is. */
export function parseMarkdown(source: Source): Parsed {
  const { text: input, notes: doubts } = readTextFile(source)
  const { body, title, date } = frontMatter(input)
  const text = new DocumentText(source.name, source.limits.characters)
  for (const token of new Lexer().blockTokens(body)) addBlock(text, token)
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

/** Adds a block of the document; what marks words inside it stays as it is. */
function addBlock(text: DocumentText, token: Token): void {
  const raw = token.raw.trimEnd()
  switch (token.type) {
    case 'heading':
      return text.add('heading', token.text as string, { level: token.depth as number })
    case 'code':
      return text.add('code', token.text as string)
    case 'table': {
      const { header, rows } = token as Tokens.Table
      const lines = [header, ...rows].flatMap((cells) => tableRow(cells.map((cell) => cell.text)) ?? [])
      return text.add('table', lines.join('\n'))
    }
    case 'list':
      return text.add('list', raw)
    case 'space':
    case 'hr':
      return
    default:
      return text.add('paragraph', raw)
  }
}
