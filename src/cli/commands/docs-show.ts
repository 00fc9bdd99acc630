import { InvalidArgumentError } from 'commander'
import { TuttiError } from '../../domain/errors.ts'
import { pageLabel } from '../../shared/page-label.ts'
import type { Chunk, DocumentRecord } from '../../documents/types.ts'
import type { Cli } from '../cli.ts'
import type { JsonOption, Program } from '../command.ts'
import { DOCUMENT, documentObject, findReadable } from '../documents.ts'
import { printJson } from '../failure.ts'
import { safeLine, safeText } from '../render/text.ts'
import { jsonOption } from '../shared-options.ts'

/** `tutti docs show`: properties, sections and text, or one passage of the text. */
export function addDocsShow({ root, cli, withApp }: Program): void {
  root
    .command('show')
    .description('print the properties, sections and text of a document')
    .argument('<document>', DOCUMENT)
    .option('--passage <start-end>', 'only these characters, as in citations', parsePassage)
    .addOption(jsonOption())
    .action(
      withApp(
        async ({ knowledge }, name: string, { passage, json }: JsonOption & { readonly passage?: PassageRange }) => {
          const { record, store, scope } = await findReadable(cli, knowledge, name.trim())
          const { documentId } = record
          const text = (await store.text(scope, documentId, passage?.start, passage?.end)) ?? ''
          if (passage === undefined) {
            const sections = sectionsOf(await store.chunks(scope, documentId))
            if (json === true) printJson(cli, { ...documentObject(record), sections, text })
            else printDocument(cli, record, sections, text)
            return
          }
          const { start } = passage
          if (text === '') throw new TuttiError('InvalidRequest', `${record.name} ends before character ${start}.`)
          if (json !== true) return cli.out.line(safeText(text))
          printJson(cli, { documentId, name: record.name, start, end: start + text.length, text })
        },
      ),
    )
}

/** Range of characters of a document's text, end exclusive. */
interface PassageRange {
  readonly start: number
  readonly end: number
}

function parsePassage(text: string): PassageRange {
  const [, start, end] = /^(\d{1,9})-(\d{1,9})$/.exec(text.trim()) ?? []
  const range = { start: Number(start), end: Number(end) }
  if (!(range.end > range.start)) throw new InvalidArgumentError('Write two numbers such as 1200-1850.')
  return range
}

interface Section extends PassageRange {
  readonly section: string
  readonly page?: number
}

/** Sections with their character ranges. */
function sectionsOf(chunks: readonly Chunk[]): Section[] {
  const sections: Section[] = []
  for (const { section, parentId, start, end, page } of chunks) {
    if (section === undefined) continue
    const last = sections.at(-1)
    if (parentId !== undefined && last !== undefined) sections[sections.length - 1] = { ...last, end }
    else sections.push({ section, start, end, ...(page === undefined ? {} : { page }) })
  }
  return sections
}

function printDocument(cli: Cli, record: DocumentRecord, sections: readonly Section[], text: string): void {
  const { bold, dim } = cli.out.style
  cli.out.line(bold(safeLine(record.name)))
  cli.out.line(safeLine(record.description))
  if (record.topics.length > 0) cli.out.line(safeLine(`Topics: ${record.topics.join('; ')}`))
  const facts = [
    record.type,
    ...(record.pages === undefined ? [] : [`${record.pages} ${record.pages === 1 ? 'page' : 'pages'}`]),
    `${record.chunks} ${record.chunks === 1 ? 'passage' : 'passages'}`,
    ...(record.date === undefined ? [] : [`of ${record.date}`]),
    `id ${record.documentId}`,
  ]
  cli.out.line(dim(facts.join(', ')))
  for (const note of record.notes) cli.out.line(safeLine(`Note: ${note}`))
  if (sections.length > 0) cli.out.line(`\n${bold('Sections')}`)
  for (const { section, page, start, end } of sections) {
    cli.out.line(
      `  ${safeLine(section)}${dim(`${page === undefined ? '' : `, ${pageLabel(record.name, page)}`}, ${start}-${end}`)}`,
    )
  }
  cli.out.line(`\n${safeText(text)}`)
}
