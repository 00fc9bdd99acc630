import type { Block, DemoDocument } from './blocks.ts'
import type { Company } from './company.ts'

/** Markdown, with tables of the GitHub kind. */
export function renderMarkdown({ title, subtitle, blocks }: DemoDocument): string {
  return [`# ${title}`, subtitle, ...blocks.flatMap(markdownBlock)].join('\n\n').concat('\n')
}

function markdownBlock(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
      return [`${'#'.repeat(block.level + 1)} ${block.text}`]
    case 'paragraph':
      return [block.text]
    case 'list':
      return [block.items.map((item) => `- ${item}`).join('\n')]
    case 'table': {
      const lines = [block.head, block.head.map(() => '---'), ...block.rows]
      return [lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')]
    }
    case 'page':
      return []
  }
}

/** Plain text, headings in capitals. */
export function renderText({ title, subtitle, blocks }: DemoDocument): string {
  return [title.toUpperCase(), subtitle, ...blocks.flatMap(textBlock)].join('\n\n').concat('\n')
}

function textBlock(block: Block): string[] {
  return block.kind === 'heading' ? [block.text.toUpperCase()] : markdownBlock(block)
}

/** HTML with a little that is no content: a navigation and a foot. */
export function renderHtml({ title, subtitle, blocks }: DemoDocument): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(title)}</title></head>
<body>
<nav><a href="#top">Start</a> <a href="#shop">Shop</a></nav>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(subtitle)}</p>
${blocks.flatMap(htmlBlock).join('\n')}
</main>
<footer>Brindlemoor Coffee</footer>
</body>
</html>
`
}

function htmlBlock(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
      return [`<h${block.level + 1}>${escaped(block.text)}</h${block.level + 1}>`]
    case 'paragraph':
      return [`<p>${escaped(block.text)}</p>`]
    case 'list':
      return [`<ul>${block.items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`]
    case 'table': {
      const row = (cells: readonly string[], cell: 'th' | 'td'): string =>
        `<tr>${cells.map((text) => `<${cell}>${escaped(text)}</${cell}>`).join('')}</tr>`
      return [`<table>${row(block.head, 'th')}${block.rows.map((cells) => row(cells, 'td')).join('')}</table>`]
    }
    case 'page':
      return []
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** What was sent in the last full quarter of the books, as the database has it. */
export function shipmentsCsv({ rows }: Company): string {
  const columns = ['shipment_id', 'order_id', 'carrier', 'tracking_number', 'shipped_date', 'delivered_date']
  const sent = rows('shipments').filter((row) => {
    const day = String(row['shipped_date'])
    return day >= '2026-07-01' && day <= '2026-09-30'
  })
  const lines = sent.map((row) => columns.map((column) => row[column] ?? '').join(','))
  return [columns.join(','), ...lines, ''].join('\n')
}
